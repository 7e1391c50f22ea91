#include "verify/intercept_bounds.h"

#include <algorithm>
#include <cmath>

#include "base/tree_sum.h"
#include "verify/passes.h"

namespace seesaw::verifier {
namespace {

// An upper bound of |sum_i s_i a_i| |x*| over the rows of group g, or over all other rows if `rest`. Squares are of
// numbers times a power of 2, and the root of 2 P / lambda is that of a quotient near P: neither overflows.
Ball reach_of_weights(const StatedProblem& problem, const GroupSums& groups, std::size_t g, bool rest, double primal) {
  const SolvedObjective& objective = problem.model.objective;
  const std::size_t G = problem.groups, d = problem.data.d();
  const auto sum_of = [&](std::size_t j) {
    Ball sum = groups.sum[j * G + g];
    if (rest) sum = G == 2 ? groups.sum[j * G + 1 - g] : groups.all[j] - sum;
    if (!problem.factor.empty() && !sum.zero())  // x'_j = sqrt(f_j) x_j, or f_j x_j without lambda
      sum = sum / (objective.lambda > 0 ? square_root(Ball(problem.factor[j])) : Ball(problem.factor[j]));
    return sum;
  };
  Ball largest = 0;
  for (std::size_t j = 0; j < d; ++j) largest = larger(largest, absolute(sum_of(j)));
  if (largest.zero()) return largest;
  if (!(objective.lambda > 0)) return objective.l1 > 0 ? largest * Ball(primal) / Ball(objective.l1) : unbounded();
  if (!finite(largest)) return unbounded();
  const int exponent = std::ilogb(largest.magnitude()), half_exponent = std::ilogb(objective.lambda) / 2;
  Sum squares;
  for (std::size_t j = 0; j < d; ++j) squares.add(square(times_power(sum_of(j), -exponent)));
  const Ball lambda(std::ldexp(objective.lambda, -2 * half_exponent));
  const Ball norm = times_power(square_root(squares.value(d)), exponent);
  return norm * times_power(square_root(Ball(2) * Ball(primal) / lambda), -half_exponent);
}

// The margin whose loss is q.
Ball margin_of_loss(const StatedProblem& problem, const Ball& q) {
  const Ball t(problem.t);
  switch (problem.loss.loss) {
    case LossName::hinge:
      return Ball(1) - q;
    case LossName::squared_hinge:
      return Ball(1) - square_root(q);
    case LossName::smooth_hinge: {
      const Ball parabola = Ball(1) - square_root(Ball(2) * t * q), line = Ball(1) - half(t) - q;
      if (certainly_at_most(q, half(t))) return parabola;
      return certainly_at_most(half(t), q) ? line : hull(parabola, line);
    }
    case LossName::logistic:
      return -(q + log_of(one_minus_exp_of_minus(q)));
    default:
      return unbounded();
  }
}

// The largest residual with loss at most q: of z above the target, or below it.
Ball residual_of_loss(const StatedProblem& problem, const Ball& q, bool above) {
  const Ball t(problem.t);
  switch (problem.loss.loss) {
    case LossName::squared:
      return square_root(Ball(2) * q);
    case LossName::absolute:
      return q;
    case LossName::quantile:
      return q / (above ? Ball(two_sum(1, -problem.t)) : t);
    case LossName::huber: {
      const Ball parabola = square_root(Ball(2) * q), line = q / t + half(t), corner = half(square(t));
      if (certainly_at_most(q, corner)) return parabola;
      return certainly_at_most(corner, q) ? line : hull(parabola, line);
    }
    case LossName::epsilon_insensitive:
      return q + t;
    case LossName::squared_epsilon_insensitive:
      return square_root(q) + t;
    default:
      return unbounded();
  }
}

}  // namespace

GroupSums sums_of_groups(const StatedProblem& problem) {
  std::vector<Sum> weight(problem.groups);
  tree_sum(problem.data.leaves().grouped(problem.n / (4 * weight.size())), weight.size(), weight.data(),
           [&](std::size_t begin, std::size_t end, Sum* to) {
             for (std::size_t i = begin; i < end; ++i) to[problem.group[i]].add(problem.weight_of(i));
           });
  GroupSums groups{{}, group_sums(problem), {}};
  for (const Sum& sum : weight) groups.weight.push_back(sum.value(problem.n));
  if (problem.groups > 2)
    for (std::size_t j = 0; j < problem.data.d(); ++j) {
      Sum all;
      for (std::size_t g = 0; g < problem.groups; ++g) all.add(groups.sum[j * problem.groups + g]);
      groups.all.push_back(all.value(problem.groups));
    }
  return groups;
}

Interval intercept_bounds(const StatedProblem& problem, const GroupSums& groups, std::size_t k, double primal) {
  const Ball all = Ball(primal) * problem.total;  // an upper bound of sum s_i phi_i
  if (problem.loss.of_sign) {
    const std::size_t positive = problem.outputs == 1 ? 1 : k;
    Ball other = 0;
    for (std::size_t g = 0; g < problem.groups; ++g)
      if (g != positive) other = other + groups.weight[g];
    const Ball& own = groups.weight[positive];
    if (own.zero() || other.zero()) return {};
    const Ball low =
        margin_of_loss(problem, all / own) - reach_of_weights(problem, groups, positive, false, primal) / own;
    const Ball high =
        reach_of_weights(problem, groups, positive, true, primal) / other - margin_of_loss(problem, all / other);
    return {low.lower(), high.upper()};
  }
  const Sum targets = tree_sum<Sum>(problem.data.leaves(), [&](std::size_t begin, std::size_t end) {
    Sum sum;
    for (std::size_t i = begin; i < end; ++i) sum.add(problem.weight_of(i) * Ball(problem.target[i]));
    return sum;
  });
  const Ball mean = targets.value(problem.n) / problem.total;
  const Ball reach = reach_of_weights(problem, groups, 0, false, primal) / problem.total;
  return {(mean - reach - residual_of_loss(problem, Ball(primal), false)).lower(),
          (mean + reach + residual_of_loss(problem, Ball(primal), true)).upper()};
}

double block_intercept_bound(const StatedProblem& problem, const GroupSums& groups, double primal) {
  double most = 0;
  for (std::size_t g = 0; g < problem.groups; ++g) {
    const Ball& own = groups.weight[g];
    if (own.zero()) return inf;
    Ball reach = reach_of_weights(problem, groups, g, false, primal) / own;
    if (problem.model.objective.lambda > 0) reach = reach * square_root(Ball(2));
    Ball bound = Ball(primal) * problem.total / own + reach;
    if (problem.loss.loss == LossName::multiclass_hinge) bound = bound - Ball(1);
    most = std::max(most, bound.upper());
  }
  return most;
}

}  // namespace seesaw::verifier
