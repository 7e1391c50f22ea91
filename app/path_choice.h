// The model of a path that is used at a given coefficient.
#pragma once

#include <optional>
#include <string>

#include "options.h"
#include "select/path_words.h"

namespace seesaw::app {

// "0.37" as a coefficient of a path; given by at most one of --C, --lambda, --l1.
struct PathChoice {
  std::optional<double> C, lambda, l1;
  void declare(Command& command);
  bool given() const { return C || lambda || l1; }
};

struct ChosenModel {
  LinearModel model;
  std::string sentence;  // what it proves at the coefficient chosen
};
// Throws Error if nothing is chosen, or no model covers what is chosen. `name`: of the file, for messages.
ChosenModel choose_model(const Path& path, const PathChoice& choice, const std::string& name);
// The model of a file; of a path, the one that covers the coefficient chosen.
ChosenModel read_model_or_path(const std::string& name, const PathChoice& choice);

}  // namespace seesaw::app
