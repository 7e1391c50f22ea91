// The start of a run from a model: a dual point for the method and, if the scaling is the same, its primal point.
#pragma once

#include <optional>

#include "data/transform.h"
#include "model/linear_model.h"
#include "solvers/solver.h"

namespace seesaw {

struct WarmStart {
  Start start;
  std::optional<Point> known;  // a point that run() may return if it finds no better one
  bool none() const { return start.y.empty() && start.x.empty() && !known; }
};

// The data of a problem: as read, and as scaled.
struct TrainingData {
  const Dataset& raw;
  const Dataset& prepared;
  const Transform& transform;
  std::uint64_t hash;  // of `raw`
};

// Throws Error if the model has other features or other classes.
WarmStart start_from(const LinearModel& warm, const TrainingData& data, const Problem& problem);

// The part of one class of a one-versus-rest problem.
WarmStart of_class(const WarmStart& whole, std::size_t index, std::size_t classes);

}  // namespace seesaw
