// Properties of the data and what they mean for training: the same text for `info` and for the page of a fit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/facts.h"
#include "model/problem.h"
#include "run/lines.h"

namespace seesaw::app {

Json facts_as_json(const Facts& facts, const Dataset& data);
std::string in_words(const Spread& spread);
// Names of classes are whole numbers, and not too many; whether they are names or quantities cannot be decided from the data.
bool may_be_classes(const Facts& facts);
std::string describe_labels(const Facts& facts);

// The training that the advice is for.
struct TrainingPlan {
  std::optional<double> lambda = {};  // otherwise the default
  bool scaled = false;                // no advice on norms, which scaling has changed
  bool counts_labels = true;          // false: they are numbers, or their weights have been chosen
  const Problem* problem = nullptr;   // for the method selected by `auto`; without it no sentence on that
  double gap = 1e-4;                  // tolerance on the relative gap
};
// Sentences on what these numbers mean for training.
std::vector<std::string> advice(const Facts& facts, const TrainingPlan& plan);

}  // namespace seesaw::app
