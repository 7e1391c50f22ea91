// What a model gives a new run: its point where the features are the same, and a dual point for the method to start
// from.
#pragma once

#include <optional>

#include "data/transform.h"
#include "model/linear_model.h"
#include "solvers/solver.h"

namespace seesaw {

struct WarmStart {
  Start start;
  std::optional<Point> known;
};

// The data a problem was made of: as it was read, and as it was prepared.
struct TrainingData {
  const Dataset& raw;
  const Dataset& prepared;
  const Transform& transform;
  std::uint64_t hash;  // of `raw`
};

// Throws Error where the model has other features, or scores other classes.
WarmStart start_from(const LinearModel& warm, const TrainingData& data, const Problem& problem);

// Of one class of a one-versus-rest problem.
WarmStart of_class(const WarmStart& whole, std::size_t index, std::size_t classes);

}  // namespace seesaw
