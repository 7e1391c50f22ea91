#include <algorithm>
#include <cmath>

#include "base/tree_sum.h"
#include "data/resident.h"
#include "kernels/at_level.h"
#include "verify/definite.h"
#include "verify/intercept_bounds.h"
#include "verify/optimum.h"
#include "verify/short_sum.h"

namespace seesaw::verifier {
namespace {

double above(double value) { return value == 0 ? 0 : next_above(value); }

// 1 / (1 + e^m), from above or below.
double logistic(double m, bool upward) {
  if (std::abs(m) > 700) return m > 0 ? (upward ? 0x1p-1000 : 0) : (upward ? 1 : 1 - 0x1p-50);
  const Ball p = Ball(1) / (Ball(1) + exp_of(Ball(m)));
  return upward ? p.upper() : p.lower();
}

// The right derivative of a loss at u (r = z - b, or the margin m), from above.
double right_derivative(LossName loss, double u, double t) {
  switch (loss) {
    case LossName::squared:
      return u;
    case LossName::absolute:
      return u >= 0 ? 1 : -1;
    case LossName::quantile:
      return u >= 0 ? above(1 - t) : -t;
    case LossName::huber:
      return std::clamp(u, -t, t);
    case LossName::epsilon_insensitive:
      return u >= t ? 1 : u >= -t ? 0 : -1;
    case LossName::squared_epsilon_insensitive:
      return u > t ? 2 * above(u - t) : u < -t ? std::min(0.0, 2 * above(u + t)) : 0;
    case LossName::hinge:
      return u >= 1 ? 0 : -1;
    case LossName::smooth_hinge:
      return std::clamp(above(above(u - 1) / t), -1.0, 0.0);
    case LossName::squared_hinge:
      return std::min(0.0, 2 * above(u - 1));
    case LossName::logistic:
      return -logistic(u, false);
    default:
      return inf;
  }
}

// The left derivative at u, from below.
double left_derivative(LossName loss, double u, double t) {
  switch (loss) {
    case LossName::quantile:
      return u > 0 ? -above(-(1 - t)) : -t;
    case LossName::hinge:
      return u > 1 ? 0 : -1;
    case LossName::smooth_hinge:
      return std::clamp(-above(above(1 - u) / t), -1.0, 0.0);
    case LossName::squared_hinge:
      return std::min(0.0, -2 * above(1 - u));
    case LossName::logistic:
      return -logistic(u, true);
    default:
      return -right_derivative(loss, -u, t);  // even functions
  }
}

// Of phi_i in z, at z from above: the right derivative, from above; at z from below: the left one, from below.
double right_of_row(LossName loss, bool of_sign, double b, double z, double t) {
  if (!of_sign) return right_derivative(loss, z == b ? 0 : above(z - b), t);
  return b > 0 ? right_derivative(loss, z, t) : -left_derivative(loss, -z, t);
}
double left_of_row(LossName loss, bool of_sign, double b, double z, double t) {
  if (!of_sign) return left_derivative(loss, z == b ? 0 : -above(b - z), t);
  return b > 0 ? left_derivative(loss, z, t) : -right_derivative(loss, -z, t);
}

struct RowRegion {
  Ball score;    // a.c
  double reach;  // |a|_(1/f) R, from above
};

double norm_above(const Ball& squares) { return rounded_up(std::sqrt(std::max(0.0, squares.upper()))); }

// With penalty factors, and norms near the ends of the range of doubles.
template <class Row>
double exact_reach_of_row(const StatedProblem& problem, Row a, double radius) {
  Sum squares;
  std::size_t terms = 0;
  for_each(a, [&](std::size_t j, double value) {
    if (value == 0) return;
    squares.add(problem.factor.empty() ? square(Ball(value)) : square(Ball(value)) / Ball(problem.factor[j]));
    ++terms;
  });
  const double norm = terms == 0 ? 0 : norm_above(squares.value(terms));
  return radius == 0 || norm == 0 ? 0 : rounded_up(norm * radius);
}
template <class Row>
Ball exact_score_of_row(Row a, const double* centre, std::size_t stride) {
  Sum score;
  std::size_t terms = 0;
  for_each(a, [&](std::size_t j, double value) {
    if (value == 0) return;
    score.add_product(value, centre[j * stride]);
    ++terms;
  });
  return score.value(terms);
}

// The rows first .. last - 1.
template <class Rows>
void regions_of_rows(const StatedProblem& problem, const Rows& rows, std::size_t first, std::size_t last,
                     const double* centre, std::size_t stride, double radius, RowRegion* regions) {
  const bool by_lanes = stride == 1 && problem.factor.empty();
  std::size_t exact = by_lanes ? 0 : last - first;  // rows whose squares are out of range
  if (by_lanes)
    at_level([&]() __attribute__((always_inline)) {
      for (std::size_t i = first; i < last; ++i) {
        const Ball squares = short_square(rows.row(i));
        const bool in_range = squares.lower() > 0x1p-900;
        const double norm = norm_above(squares);
        regions[i - first] = {short_score(rows.row(i), centre, 0), !in_range     ? inf
                                                                   : radius == 0 ? 0
                                                                                 : rounded_up(norm * radius)};
        exact += !in_range;
      }
    });
  if (exact == 0) return;
  for (std::size_t i = first; i < last; ++i)
    if (!by_lanes || regions[i - first].reach == inf)
      regions[i - first] = {exact_score_of_row(rows.row(i), centre, stride),
                            exact_reach_of_row(problem, rows.row(i), radius)};
}

// The sums of right derivatives at the lower end of the claimed interval, and of left ones at its upper end.
struct EndSums {
  Sum low, high;
  EndSums& operator+=(const EndSums& other) {
    low.add(other.low);
    high.add(other.high);
    return *this;
  }
};

void check_interval(const StatedProblem& problem, const std::vector<double>& centre, std::size_t k,
                    Problems& problems) {
  const LinearModel& model = problem.model;
  const std::size_t K = problem.outputs, n = problem.n;
  const double lo = model.optimum->intercept[k].lo, hi = model.optimum->intercept[k].hi;
  const double radius = model.optimum->radius[k];
  const LossInfo& loss = problem.loss;
  const EndSums sums = std::visit(
      [&](const auto& rows) {
        return tree_sum<EndSums>(problem.data.leaves(), [&](std::size_t begin, std::size_t end) {
          constexpr std::size_t block = 64;
          RowRegion regions[block];
          EndSums part;
          problem.poll();
          resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              if ((i - first) % block == 0)
                regions_of_rows(problem, rows, i, std::min(i + block, last), centre.data() + k, K, radius, regions);
              const double b = K == 1 ? problem.target[i] : problem.group[i] == k ? 1 : -1;
              const RowRegion& row = regions[(i - first) % block];
              const Ball s = problem.weight_of(i);
              if (lo > -inf) {
                const double z = (row.score + Ball(lo) + Ball(row.reach)).upper();
                part.low.add(s * Ball(right_of_row(loss.loss, loss.of_sign, b, z, problem.t)));
              }
              if (hi < inf) {
                const double z = (row.score + Ball(hi) - Ball(row.reach)).lower();
                part.high.add(s * Ball(left_of_row(loss.loss, loss.of_sign, b, z, problem.t)));
              }
            }
          });
          return part;
        });
      },
      problem.data.rows);
  if (lo > -inf && !(sums.low.value(n).upper() < 0))
    problems.add("The model claims an optimal intercept of at least {}, which its certificate does not prove.", lo);
  if (hi < inf && !(sums.high.value(n).lower() > 0))
    problems.add("The model claims an optimal intercept of at most {}, which its certificate does not prove.", hi);
}

// ---- softmax ------------------------------------------------------------------------------------------------------

// Sums weighted by s_i, with what rounding can amount to: K numbers of the gradient, K x K of the Hessian, and two.
struct SoftmaxSums {
  explicit SoftmaxSums(std::size_t outputs) : K(outputs), numbers(K + K * K + 2) {}
  std::size_t K;
  std::vector<long double> numbers;
  long double* gradient() { return numbers.data(); }
  long double& hessian(std::size_t k, std::size_t l) { return numbers[K + k * K + l]; }
  long double& error() { return numbers[K + K * K]; }
  long double& moved() { return numbers[K + K * K + 1]; }
};

// |b* - b| as in model/rigorous/softmax_intercepts.h: the self-concordance of the loss, in long double.
double softmax_reach(const StatedProblem& problem, const std::vector<double>& centre) {
  const LinearModel& model = problem.model;
  const std::size_t K = problem.outputs, n = problem.n;
  const double radius = model.optimum->radius[0];
  const long double wide = 1 + 0x1p-30L, root_two = std::sqrt(2.0L) * wide;
  SoftmaxSums sums(K);
  std::visit(
      [&](const auto& rows) {
        const auto add = [&](std::size_t begin, std::size_t end, long double* to) {
          SoftmaxSums part(K);
          std::vector<long double> p(K);
          problem.poll();
          resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              long double largest = -inf, error = 0, total = 0, spread = 1;
              const double reach = exact_reach_of_row(problem, rows.row(i), radius);
              for (std::size_t k = 0; k < K; ++k) {
                const Ball z = exact_score_of_row(rows.row(i), centre.data() + k, K) + Ball(model.intercept[k]);
                p[k] = static_cast<long double>(z.high) + z.low;
                largest = std::max(largest, p[k]);
                error = std::max<long double>(error, z.radius);
              }
              for (long double& pk : p) total += pk = std::exp(pk - largest);
              for (long double& pk : p) {
                pk /= total;
                spread -= pk * pk;
              }
              error = (error < 0.25L ? 4 * error : 1) + 0x1p-50L;
              const long double s = problem.weight.empty() ? 1 : problem.weight[i].high, range = root_two * reach;
              part.error() += s * error;
              part.moved() += s * reach * std::min(0.5L, (std::max(spread, 0.0L) + 2 * error) * std::exp(range) * wide);
              const long double shrunk = s * std::exp(-range) / wide;
              for (std::size_t k = 0; k < K; ++k) {
                part.gradient()[k] += s * (k == problem.group[i] ? p[k] - 1 : p[k]);
                part.hessian(k, k) += shrunk * p[k];
                for (std::size_t l = 0; l <= k; ++l) part.hessian(k, l) -= shrunk * p[k] * p[l];
              }
            }
          });
          std::copy(part.numbers.begin(), part.numbers.end(), to);
        };
        tree_sum(problem.data.leaves(), sums.numbers.size(), sums.numbers.data(), add);
      },
      problem.data.rows);
  const long double total = problem.total.high;
  const long double entry = 4 * (sums.error() / total + (static_cast<long double>(n) + 8) * 0x1p-63L) + 0x1p-51L;
  long double gradient = 0;
  for (std::size_t k = 0; k < K; ++k) gradient += sums.gradient()[k] / total * (sums.gradient()[k] / total);
  const long double G =
      (std::sqrt(gradient) + entry * std::sqrt(static_cast<long double>(K)) + sums.moved() / total) * wide;

  Triangle matrix(K);
  for (std::size_t k = 0; k < K; ++k)
    for (std::size_t l = 0; l <= k; ++l) matrix.row(k)[l] = static_cast<double>(sums.hessian(k, l) / total + 1);
  const double trace = matrix.trace();
  Triangle trial = matrix;
  if (!trial.factor(0)) return inf;
  std::vector<double> v(K);
  for (std::size_t k = 0; k < K; ++k) v[k] = k % 2 == 0 ? 1 : -0.6;
  double norm = 1;
  for (int round = 0; round < 40; ++round) {
    trial.solve(v);
    norm = length_of(v);
    for (double& vk : v) vk /= norm;
  }
  // 1/norm is the smallest eigenvalue from above, close to it unless others are close: lowered until it is proved.
  double least = 0.995 / norm;
  for (int tries = 0;; ++tries) {
    Triangle shifted = matrix;
    if (shifted.factor(least)) break;
    if (tries == 300) return inf;
    least *= 0.995;
  }
  const long double mu = least - 2 * (static_cast<double>(K) + 4) * 0x1p-53 * trace - entry * static_cast<double>(K);
  if (!(mu > 0)) return inf;
  const long double q = root_two * G / mu * wide;
  return q < 0.999L ? rounded_up(static_cast<double>(-std::log1p(-q) / std::sqrt(2.0L) * wide)) : inf;
}

void check_blocks(const StatedProblem& problem, const std::vector<double>& centre, double primal, Problems& problems) {
  const LinearModel& model = problem.model;
  const std::size_t K = problem.outputs;
  Sum sum;
  for (const double b : model.intercept) sum.add(b);
  const Ball mean = sum.value(K) / Ball(static_cast<double>(K));
  // Jensen's inequality first, in O(nnz + K d): the other bound takes O(n K^2), which training leaves out for many classes.
  const double largest = block_intercept_bound(problem, sums_of_groups(problem), primal);
  const double low = (mean - Ball(largest)).lower(), high = (mean + Ball(largest)).upper();
  double reach = -1;  // where it is needed
  for (std::size_t k = 0; k < K; ++k) {
    const auto& claim = model.optimum->intercept[k];
    const double b = model.intercept[k];
    const auto contains = [&](double from, double to) { return claim.lo <= from && to <= claim.hi; };
    if (contains(low, high)) continue;
    if (reach < 0) reach = problem.loss.loss == LossName::softmax ? softmax_reach(problem, centre) : inf;
    if (contains((Ball(b) - Ball(reach)).lower(), (Ball(b) + Ball(reach)).upper())) continue;
    return problems.add("The model claims an optimal intercept of class {} in [{}, {}], which is not proved.",
                        model.labels[k], claim.lo, claim.hi);
  }
}

}  // namespace

void check_intercepts(const StatedProblem& problem, const std::vector<double>& centre, std::size_t k, double primal,
                      Problems& problems) {
  if (problem.loss.of_blocks()) check_blocks(problem, centre, primal, problems);
  else check_interval(problem, centre, k, problems);
}

}  // namespace seesaw::verifier
