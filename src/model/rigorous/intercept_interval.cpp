#include "model/rigorous/intercept_interval.h"

#include <algorithm>
#include <cmath>

#include "base/tree_sum.h"
#include "model/rigorous/problem_losses.h"

namespace seesaw::rigorous {
namespace {

// Upper bounds of right derivatives. mirrored(): of the loss phi(-z), whose right derivative is minus the left one.
struct PiecewiseDerivative {
  double k, e;
  struct Side {
    double lo, hi;  // of y: rounded up
  } sides[2];       // b <= 0, b > 0

  explicit PiecewiseDerivative(const PiecewiseLoss& of) : k(of.loss.curvature), e(of.loss.insensitivity) {
    for (const int s : {0, 1}) {
      const Interval box = of.loss.domains[s];
      sides[s] = {box.lo, of.above_rest == 0 ? box.hi : up(box.hi + of.above_rest)};
    }
  }
  PiecewiseDerivative mirrored(const PiecewiseLoss& of) const {
    PiecewiseDerivative result = *this;
    for (const int s : {0, 1}) {  // the target changes its sign as well; that of regression has equal sides
      const Interval box = of.loss.domains[1 - s];
      result.sides[s] = {of.above_rest == 0 ? -box.hi : up(-(box.hi + of.above_rest)), -box.lo};
    }
    return result;
  }

  double operator()(double b, double z) const {
    const Side& side = sides[b > 0];
    const double r = z == b ? 0 : up(z - b);
    if (k == 0) return r >= e ? side.hi : r >= -e ? std::min(std::max(0.0, side.lo), side.hi) : side.lo;
    double t = 0;
    if (r > e) t = up(r - e);
    else if (r < -e) t = std::min(0.0, up(r + e));
    return std::min(std::max(t == 0 ? 0 : up(t / k), side.lo), side.hi);
  }
};

struct LogisticDerivative {  // -b / (1 + e^(b z)); the mirrored loss is the loss of -b
  double operator()(double b, double z) const {
    const double p = 1 / (1 + exp_of(b * z));
    return -b * p + 0x1p-45 * p + 0x1p-1020;  // p may have underflowed
  }
};

struct Largest {
  double value = 0;
  Largest& operator+=(const Largest& other) {
    value = std::max(value, other.value);
    return *this;
  }
};

constexpr int doublings = 300, refinements = 6;
constexpr double narrow = 0.03;  // of the distance to `near`: a bracket that is not refined

// A sum in plain arithmetic: n terms and their weights lose at most (n + 8) u of the sum of their sizes.
struct PlainSum {
  double sum = 0, size = 0;
  PlainSum& operator+=(const PlainSum& other) {
    sum += other.sum;
    size += other.size;
    return *this;
  }
};

// A b below every optimal one. The sum increases with b: b is moved down until the sum is certainly negative, then the
// bracket is refined by the secant.
template <class Derivative>
double below(const Problem& problem, const RowWeights& weights, const Derivative& derivative,
             const std::vector<double>& hi, double sign, double near, double step) {
  const std::vector<double>& target = problem.scalar().target;
  const double lost = (static_cast<double>(problem.all_rows()) + 8) * unit * (1 + 0x1p-20);
  const auto sum_at = [&](double b) {  // from above
    const PlainSum of = tree_sum<PlainSum>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
      PlainSum part;
      for (std::size_t i = begin; i < end; ++i) {
        const double term = weights.times_value(i, derivative(sign * target[i], up(hi[i] + b)));
        part.sum += term;
        part.size += std::abs(term);
      }
      return part;
    });
    const double most = of.sum + (lost * of.size + underflow);
    return std::isnan(most) ? infinity : up(most);
  };
  double failed = near, found = near - step, of_failed = infinity, of_found = sum_at(found);
  int round = 0;
  for (; round < doublings && !(of_found < 0); ++round) {
    failed = found;
    of_failed = of_found;
    step *= 2;
    found = near - step;
    if (!std::isfinite(found)) return -infinity;
    of_found = sum_at(found);
  }
  if (round == doublings) return -infinity;
  for (int k = 0; k < refinements && failed - found > narrow * (near - found); ++k) {
    double part = of_failed < infinity ? of_found / (of_found - of_failed) : 0.5;  // the zero of the secant
    part = std::clamp(0.97 * part, 0.05, 0.95);                                    // a little on the negative side
    const double middle = found + part * (failed - found);
    if (!(found < middle && middle < failed)) break;
    const double value = sum_at(middle);
    (value < 0 ? found : failed) = middle;
    (value < 0 ? of_found : of_failed) = value;
  }
  return found;
}

}  // namespace

Interval intercept_interval(const Problem& problem, const RowWeights& weights, const ScoreIntervals& scores,
                            double near) {
  const std::size_t n = problem.n();
  std::vector<double> mirrored(n);
  for (std::size_t i = 0; i < n; ++i) mirrored[i] = -scores.lo[i];
  const auto largest = tree_sum<Largest>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    Largest part;
    for (std::size_t i = begin; i < end; ++i) part += {std::max(std::abs(scores.lo[i]), std::abs(scores.hi[i]))};
    return part;
  });
  const double size = std::max(std::abs(near), largest.value);
  const double width = tree_sum<double>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      sum += problem.normalized_weight[i] * (0.5 * scores.hi[i] - 0.5 * scores.lo[i]);
    return sum;
  });
  if (!std::isfinite(size) || !std::isfinite(width)) return {-infinity, infinity};
  const double step = width + 0x1p-44 * size + 0x1p-900;
  return with_loss(problem, [&](const auto& loss) -> Interval {
    if constexpr (std::is_same_v<std::decay_t<decltype(loss)>, PiecewiseLoss>) {
      const PiecewiseDerivative derivative(loss);
      return {below(problem, weights, derivative, scores.hi, 1, near, step),
              -below(problem, weights, derivative.mirrored(loss), mirrored, -1, -near, step)};
    } else {
      const LogisticDerivative derivative;
      return {below(problem, weights, derivative, scores.hi, 1, near, step),
              -below(problem, weights, derivative, mirrored, -1, -near, step)};
    }
  });
}

}  // namespace seesaw::rigorous
