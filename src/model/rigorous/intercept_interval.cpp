#include "model/rigorous/intercept_interval.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/compensated_sum.h"
#include "base/elementary.h"
#include "base/tree_sum.h"
#include "model/rigorous/problem_losses.h"

namespace seesaw::rigorous {
namespace {

[[gnu::always_inline]] inline double raised(double x) { return x + (std::abs(x) * 0x1p-52 + 0x1p-1074); }  // up()

// Upper bounds of right derivatives. mirrored(): of the loss phi(-z), whose right derivative is minus the left one.
template <bool smooth>
struct PiecewiseDerivative {
  double k, e;
  Interval of_down, of_up;  // of y, rounded up: b <= 0, b > 0. Two members, no array: an index by b is not vectorized

  explicit PiecewiseDerivative(const PiecewiseLoss& of) : k(of.loss.curvature), e(of.loss.insensitivity) {
    const auto side = [&](const Interval& box) -> Interval {
      return {box.lo, of.above_rest == 0 ? box.hi : up(box.hi + of.above_rest)};
    };
    of_down = side(of.loss.domains[0]);
    of_up = side(of.loss.domains[1]);
  }
  PiecewiseDerivative mirrored(const PiecewiseLoss& of) const {
    PiecewiseDerivative result = *this;
    const auto side = [&](const Interval& box) -> Interval {
      return {of.above_rest == 0 ? -box.hi : up(-(box.hi + of.above_rest)), -box.lo};
    };
    result.of_down =
        side(of.loss.domains[1]);  // the target changes its sign as well; that of regression has equal sides
    result.of_up = side(of.loss.domains[0]);
    return result;
  }

  // No branches, and no operation that is needed on one side of a condition alone: loops over rows are vectorized.
  [[gnu::always_inline]] double operator()(double b, double z) const {
    const double lo = b > 0 ? of_up.lo : of_down.lo, hi = b > 0 ? of_up.hi : of_down.hi;
    const double r = raised(z - b);
    double y;
    if constexpr (smooth) {
      const double beyond = raised(r - e), before = raised(r + e);  // one of the two terms is 0, or tiny
      y = raised(((beyond > 0 ? beyond : 0.0) + (before < 0 ? before : 0.0)) / k);
    } else {
      y = (r >= e ? infinity : 0.0) + (r >= -e ? 0.0 : -infinity);
    }
    const double above = y > lo ? y : lo;
    return above < hi ? above : hi;
  }
};

struct LogisticDerivative {  // -b / (1 + e^(b z)); the mirrored loss is the loss of -b
  [[gnu::always_inline]] double operator()(double b, double z) const {
    const double t = b * z, e = exp_of_negative(t > 0 ? -t : t), p = (t > 0 ? e : 1.0) / (1 + e);
    return -b * p + 0x1p-45 * p + 0x1p-1020;  // e^-708 replaces what is below it
  }
};

struct Largest {
  double value = 0;
  Largest& operator+=(const Largest& other) {
    value = std::max(value, other.value);
    return *this;
  }
};

constexpr int most_rounds = 300, refinements = 6;
constexpr double narrow = 0.03;     // of the distance to `near`: a gain that is not worth another sum
constexpr double overshoot = 0.03;  // beyond the zero of the secant, on the negative side

// A b below every optimal one. The sum increases with b: b is moved down, by the secant, until the sum is certainly
// negative, then up again where the secant predicts that this gains much.
template <class Derivative>
double below(const Problem& problem, const std::vector<double>& weights, const Derivative& derivative,
             const std::vector<double>& hi, double sign, double near, double step) {
  const double *const target = problem.scalar().target.data(), *const top = hi.data(),
                      *const s = weights.empty() ? nullptr : weights.data();
  // A compensated sum of m terms loses (m u)^2 of their sizes and u of itself, a weight 2 u of its term.
  const double m = (static_cast<double>(problem.all_rows()) + 8) * unit, lost = 2 * m * m + 16 * unit;
  const auto sum_at = [&](double b) {  // from above
    const auto of = tree_sum<std::array<CompensatedSum, 2>>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
      const auto at = [=](std::size_t i) __attribute__((always_inline)) {
        return derivative(sign * target[i], raised(top[i] + b));
      };
      if (s == nullptr)
        return sum_in_lanes<2>(
            begin, end, [=](std::size_t i) __attribute__((always_inline)) {
              const double term = at(i);
              return std::array{term, std::abs(term)};
            });
      return sum_in_lanes<2>(
          begin, end, [=](std::size_t i) __attribute__((always_inline)) {
            const double term = s[i] * at(i);
            return std::array{term, std::abs(term)};
          });
    });
    const double most = of[0].value() + (lost * of[1].value() + underflow);
    return std::isnan(most) ? infinity : up(most);
  };
  double failed = near, of_failed = sum_at(near);
  if (of_failed < 0) return near;
  double found = near - step, of_found = sum_at(found);
  const auto zero_of_secant = [&] { return of_failed < infinity ? of_found / (of_found - of_failed) : 0.5; };
  int round = 0;
  for (; round < most_rounds && !(of_found < 0); ++round) {
    const double beyond = zero_of_secant();  // <= 0 where the sum falls on the way
    const double growth = beyond < 0 ? 1 - (1 + overshoot) * beyond * (failed - found) / step : 2;
    failed = found;
    of_failed = of_found;
    step *= std::clamp(growth, round < 4 ? 1.1 : 2.0, 16.0);
    found = near - step;
    if (!std::isfinite(found)) return -infinity;
    of_found = sum_at(found);
  }
  if (round == most_rounds) return -infinity;
  for (int k = 0; k < refinements; ++k) {
    const double part = zero_of_secant(), gain = part * (failed - found);
    if (!(gain > narrow * (near - found))) break;
    const double middle = found + std::clamp((1 - overshoot) * part, 0.05, 0.95) * (failed - found);
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
  std::vector<double> s;  // empty: all 1
  for (std::size_t i = 0; !weights.all_one() && i < n; ++i) s.push_back(weights.exact(i).high);
  const auto between = [&](const auto& derivative, const auto& of_mirrored) -> Interval {
    return {below(problem, s, derivative, scores.hi, 1, near, step),
            -below(problem, s, of_mirrored, mirrored, -1, -near, step)};
  };
  return with_loss(problem, [&](const auto& loss) -> Interval {
    if constexpr (std::is_same_v<std::decay_t<decltype(loss)>, PiecewiseLoss>) {
      if (loss.loss.curvature == 0)
        return between(PiecewiseDerivative<false>(loss), PiecewiseDerivative<false>(loss).mirrored(loss));
      return between(PiecewiseDerivative<true>(loss), PiecewiseDerivative<true>(loss).mirrored(loss));
    } else {
      return between(LogisticDerivative{}, LogisticDerivative{});
    }
  });
}

}  // namespace seesaw::rigorous
