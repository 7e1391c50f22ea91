#include "seesaw/data.h"

#include <fmt/format.h>

#include "api/internals.h"
#include "data/readers/read.h"
#include "seesaw/error.h"

namespace seesaw {

Data Data::read(const std::string& path, const ReadOptions& options, const std::string& weights) {
  Dataset data = read_dataset(path, options);
  return Access::data(weights.empty() ? std::move(data) : with_weights(std::move(data), weights));
}

Data Data::with_feature_names(std::vector<std::string> names) const {
  if (names.size() != features())
    throw ShapeError(features(), names.size(),
                     fmt::format("there are {} names, but {} features.", names.size(), features()));
  Dataset data = state_->set;
  data.feature_names = std::move(names);
  return Access::data(std::move(data));
}

std::size_t Data::rows() const { return state_->set.n(); }
std::size_t Data::features() const { return state_->set.d(); }
std::size_t Data::entries() const { return state_->set.nnz; }
std::size_t Data::bytes() const { return state_->set.bytes(); }
const std::vector<double>& Data::labels() const { return state_->set.labels; }
const std::vector<double>& Data::weights() const { return state_->set.weights; }
const std::vector<std::string>& Data::feature_names() const { return state_->set.feature_names; }
std::uint64_t Data::hash() const { return state_->hash(); }

}  // namespace seesaw
