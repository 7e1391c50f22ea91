// A condition on the best point of a run that ends it, beside the duality gap.
#pragma once

#include <cstddef>

#include "model/certificate.h"

namespace seesaw {

struct RuleProgress {
  std::size_t met = 0, of = 0;
  bool all() const { return met == of; }
};

class PointRule {
 public:
  virtual ~PointRule() = default;
  // How many of its parts hold at a point with these bounds. `run` calls it with bounds of plain sums at every check, and
  // ends the run only if all parts hold with the rigorous ones.
  virtual RuleProgress evaluate(const Problem& problem, const Point& point, const Bounds& bounds) const = 0;
};

}  // namespace seesaw
