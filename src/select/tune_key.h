// What a search depends on, as text: results of fits are kept under it (TuneStore).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "select/tune.h"

namespace seesaw {

std::string identity_of(const Dataset& data, const Folds& folds, const TuneRequest& request,
                        const std::vector<const Metric*>& metrics);
std::string key_of_chain(const std::string& identity, const TuneGroup& group, std::size_t fold,
                         const std::vector<std::optional<double>>& values);

// Of one fit of a chain, the k-th, whose result is kept when it is complete; of the last fit of a search.
std::string key_of_fit(const std::string& chain, std::size_t k);
std::string key_of_search(const std::string& chain);

}  // namespace seesaw
