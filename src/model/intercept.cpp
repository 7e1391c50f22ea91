#include "model/intercept.h"

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

  // h' is increasing. Newton where there is curvature and it stays between the known signs, else widen or halve.
  double lo = -infinity, hi = infinity;
  double b = from, stride = 1e-3 * (1 + std::abs(from));
  for (int round = 0; round < 200; ++round) {
    const Derivatives at = derivatives(b);
    const double slope = at.first.value();
    if (std::abs(slope) <= 1e-16 * at.size) return b;  // zero up to rounding
    (slope > 0 ? hi : lo) = b;
    const double width = hi - lo;
    if (std::abs(slope) * width <= accuracy) return b;  // h(b) - min <= |h'| width
    double next = b - slope / at.second;
    if (!(at.second > 0 && lo < next && next < hi)) {
      if (std::isinf(width)) {
        next = slope > 0 ? b - stride : b + stride;
        stride *= 4;
      } else {
        next = lo + 0.5 * width;
      }
    }
    if (next == b || next == lo || next == hi) return b;  // no number between
    b = next;
  }
  return b;
}

}  // namespace seesaw
