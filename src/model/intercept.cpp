#include "model/intercept.h"

#include <algorithm>
#include <cmath>

#include "base/compensated_sum.h"
#include "base/parallel.h"

namespace seesaw {
namespace {

struct Derivatives {  // of h(b) = sum c_i phi_i(z_i + b)
  CompensatedSum first;
  double second = 0;
  double size = 0;  // sum of |c_i phi_i'|: what the rounding of `first` is measured by
  Derivatives& operator+=(const Derivatives& other) {
    first += other.first;
    second += other.second;
    size += other.size;
    return *this;
  }
};

}  // namespace

double best_intercept(const Problem& problem, const std::vector<double>& z, double from, double accuracy) {
  const Chunks chunks = chunks_of(z.size(), 8192);
  const auto derivatives = [&](double b) {
    return std::visit(
        [&](const auto& loss) {
          return parallel_sum<Derivatives>(chunks, [&](std::size_t begin, std::size_t end) {
            Derivatives sum;
            for (std::size_t i = begin; i < end; ++i) {
              const double term = problem.share[i] * loss.slope(problem.target[i], z[i] + b);
              sum.first += term;
              sum.size += std::abs(term);
              sum.second += problem.share[i] * loss.second_derivative(problem.target[i], z[i] + b);
            }
            return sum;
          });
        },
        problem.loss);
  };

  // h' is increasing. Newton where there is curvature, it stays between the known signs and its moves shrink, else
  // widen or halve. Where all losses are nearly straight (scores far from 0) the curvature that is left says nothing:
  // no minimizer is further away than `reach`, for beyond it all slopes of classes have the same sign but for shares
  // of e^-700.
  double reach = 700 + std::abs(from);
  for (std::size_t i = 0; i < z.size(); ++i)
    reach = std::max(reach, 700 + std::abs(z[i]) + std::abs(problem.target[i]));
  double lo = -infinity, hi = infinity, moved = infinity, moved_before = infinity;
  double b = from, stride = 1e-3 * (1 + std::abs(from));
  for (int round = 0; round < 200; ++round) {
    const Derivatives at = derivatives(b);
    const double slope = at.first.value();
    if (std::abs(slope) <= 1e-16 * at.size) return b;  // zero up to rounding
    (slope > 0 ? hi : lo) = b;
    const double width = hi - lo;
    if (std::abs(slope) * width <= accuracy) return b;  // h(b) - min <= |h'| width
    double next = b - slope / at.second;
    const double longest = std::isinf(width) ? 2 * reach : 0.5 * moved_before;
    if (!(at.second > 0 && lo < next && next < hi && std::abs(next - b) <= longest)) {
      if (std::isinf(width)) {
        next = slope > 0 ? b - stride : b + stride;
        stride *= 4;
      } else {
        next = lo + 0.5 * width;
      }
    }
    if (next == b || next == lo || next == hi) return b;  // no number between
    moved_before = moved;
    moved = std::abs(next - b);
    b = next;
  }
  return b;
}

std::vector<double> intercepts_alone(const Problem& problem) {
  std::vector<double> result(problem.outputs());
  if (!problem.free_intercept()) return result;
  if (!problem.block_loss) {
    result[0] = best_intercept(problem, std::vector<double>(problem.n()), 0, 0);
    return result;
  }
  if (problem.gamma() == 0) return result;
  for (std::size_t i = 0; i < problem.n(); ++i) result[static_cast<std::size_t>(problem.target[i])] += problem.share[i];
  double mean = 0;
  for (double& b : result) mean += (b = std::log(b)) / static_cast<double>(result.size());
  for (double& b : result) b -= mean;
  return result;
}

}  // namespace seesaw
