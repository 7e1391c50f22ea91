// Shared by the bounds of theorems: their conditions, and a curve with one value per pass.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "seesaw/error.h"
#include "study/series.h"

namespace seesaw {

inline void require(bool met, const char* bound, const std::string& what) {
  if (!met) throw Error(fmt::format("the {} holds for {}; not for this problem.", bound, what));
}

// Conditions of all bounds: one score per row, l2, no free intercept, no weights.
inline void require_l2_without_intercept(const Problem& problem, const char* bound) {
  require(problem.outputs() == 1, bound, "losses of one score per row");
  require(problem.penalty.l2() > 0 && problem.penalty.l1() == 0, bound, "the penalty l2 with lambda > 0");
  require(!problem.free_intercept(), bound, "problems without a free intercept");
  require(problem.data->weights.empty() && problem.class_weights.empty(), bound, "rows without weights");
}

// P(0) - D(0).
inline double gap_at_zero(const Problem& problem) {
  double sum = 0;
  std::visit(
      [&](const auto& loss) {
        for (const double b : problem.scalar().target) sum += loss.value(b, 0) + loss.conjugate(b, 0);
      },
      problem.scalar().loss);
  return sum / static_cast<double>(problem.n());
}

// bound(pass) after every pass; omitted where it is not > 0, where the theorem does not apply.
template <class Bound>
std::vector<Curve> after_each_pass(const SeriesInput& input, const Bound& bound) {
  Curve curve;
  for (std::size_t pass = 1; static_cast<double>(pass) <= input.max_passes; ++pass)
    if (const double value = bound(pass); value > 0) {
      curve.x.push_back(static_cast<double>(pass));
      curve.y.push_back(value);
    }
  return {curve};
}

}  // namespace seesaw
