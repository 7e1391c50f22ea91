#include "model/rigorous/dual_domain.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "model/rigorous/problem_losses.h"

namespace seesaw::rigorous {
namespace {

constexpr double smallest = 0x1p-960;

bool too_small(double y, double weight) { return !(std::abs(y) * std::min(weight, 1.0) >= smallest); }  // NaN too

void into_simplex(std::size_t b, double weight, double* y, std::size_t classes) {
  for (std::size_t k = 0; k < classes; ++k)
    if (k != b && (!(y[k] > 0) || too_small(y[k], weight))) y[k] = 0;
  for (;;) {
    Twofold sum;
    bool exact = true;  // nothing was rounded: the sum may be 1
    for (std::size_t k = 0; k < classes; ++k) {
      if (k == b) continue;
      const Twofold s = two_sum(sum.high, y[k]);
      exact = exact && s.low == 0;
      sum = {s.high, sum.low + s.low};
    }
    const double all = sum.high + sum.low;
    if (exact ? all <= 1 : all <= 1 && (sum.high - 1) + sum.low <= -0x1p-60) {
      y[b] = -all;
      return;
    }
    const double shrink = std::isfinite(all) ? (1 - 0x1p-51) / std::max(all, 1.0) : 0;
    for (std::size_t k = 0; k < classes; ++k)
      if (k != b) y[k] = too_small(y[k] * shrink, weight) ? 0 : y[k] * shrink;
  }
}

}  // namespace

Twofold sum_of_others(std::size_t b, const double* y, std::size_t classes) {
  Twofold sum;
  for (std::size_t k = 0; k < classes; ++k) {
    if (k == b) continue;
    const Twofold s = two_sum(sum.high, y[k]);
    sum = {s.high, sum.low + s.low};
  }
  return two_sum(sum.high, sum.low);
}

bool into_domain(const Problem& problem, const RowWeights& weights, std::vector<double>& y) {
  const std::size_t K = problem.outputs();
  if (problem.is_block()) {
    const std::vector<std::uint32_t>& class_of_row = problem.block().class_of_row;
    parallel_chunks(chunks_of(problem.n(), 256), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) into_simplex(class_of_row[i], weights.exact(i).high, &y[i * K], K);
    });
  } else {
    const std::vector<double>& target = problem.scalar().target;
    with_loss(problem, [&](const auto& loss) {
      parallel_chunks(chunks_of(problem.n()), [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          y[i] = loss.domain(target[i]).clip(y[i]);
          if (too_small(y[i], weights.exact(i).high)) y[i] = 0;
        }
      });
    });
  }
  return any_rank(problem.leaves(), std::any_of(y.begin(), y.end(), [](double yi) { return yi != 0; }));
}

}  // namespace seesaw::rigorous
