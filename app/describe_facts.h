// What the data looks like and what that means for training: the same words for `info` and for the page of a fit.
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
// Names of classes are whole numbers, and not too many; whether they are names or quantities, only their owner knows.
bool may_be_classes(const Facts& facts);
std::string describe_labels(const Facts& facts);

// What is known of the training that the advice is for.
struct TrainingPlan {
  std::optional<double> lambda = {};  // otherwise the default is spoken of
  bool scaled = false;                // nothing is said of norms that are no longer there
  bool counts_labels = true;          // false: they are numbers, or their weights have been chosen
  const Problem* problem = nullptr;   // what `auto` would be given; nothing is said of it otherwise
  double gap = 1e-4;                  // relative, as it would be given
};
// What a person who knows the methods would say on seeing these numbers.
std::vector<std::string> advice(const Facts& facts, const TrainingPlan& plan);

}  // namespace seesaw::app
