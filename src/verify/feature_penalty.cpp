#include "verify/feature_penalty.h"

#include <algorithm>
#include <cmath>

#include "verify/sum.h"

namespace seesaw::verifier {
namespace {

// g_j*(v) from |V|: the maximum over 0 <= u <= cap of p u - (m/2) u^2 with p = (|V|/total - l1 f)_+ and m = lambda f.
// It is p cap - (m/2) cap^2 where p >= m cap, and p^2/(2 m) is never below it. Nothing where it is infinite.
std::optional<Ball> conjugate_of(const Ball& beyond, const Ball& total, const Ball& m, double cap) {
  if (cap == 0 || beyond.zero()) return Ball(0);
  const Ball p = beyond / total;
  if (m.high > 0) {
    if (cap < inf && certainly_at_most(m * Ball(cap), p)) return Ball(cap) * (p - half(m * Ball(cap)));
    return half(p * (p / m));
  }
  if (cap < inf) return Ball(cap) * p;
  return std::nullopt;
}

}  // namespace

bool far_below_l1(double size, double l1, double factor, const Ball& total) {
  return size < 0x1p1000 && l1 > 0 && factor > 0 && finite(total) && total.high > 0 &&
         std::ilogb(l1) + std::ilogb(factor) + std::ilogb(total.high) > 1001;
}

bool uniform_penalty(const SolvedObjective& objective) {
  return objective.penalty_factors.empty() && objective.lower.empty() && objective.upper.empty();
}

Ball feature_penalty(const LinearModel& model, std::size_t k) {
  const SolvedObjective& objective = model.objective;
  const std::size_t K = model.outputs(), d = model.x.size() / K, features = model.features();
  Sum squares, sizes;
  for (std::size_t j = 0; j < d; ++j) {
    const Ball size(std::abs(model.x[j * K + k]));
    const Ball f(objective.penalty_factors.empty() || j >= features ? 1 : objective.penalty_factors[j]);
    squares.add(f * square(size));
    sizes.add(f * size);
  }
  return half(Ball(objective.lambda)) * squares.value(d) + Ball(objective.l1) * sizes.value(d);
}

std::optional<std::size_t> weight_outside(const LinearModel& model) {
  const SolvedObjective& objective = model.objective;
  const std::size_t K = model.outputs(), features = model.features();
  if (objective.lower.empty()) return std::nullopt;
  for (std::size_t at = 0; at < features * K; ++at)
    if (!(objective.lower[at / K] <= model.x[at] && model.x[at] <= objective.upper[at / K])) return at;
  return std::nullopt;
}

Conjugate feature_conjugate(const StatedProblem& problem, const std::vector<Ball>& image, std::size_t stride,
                            std::size_t at) {
  const SolvedObjective& objective = problem.model.objective;
  const std::size_t d = problem.data.d();
  Conjugate result;
  Sum sum;
  for (std::size_t j = 0; j < d; ++j) {
    const Ball& V = image[j * stride + at];
    if (V.zero() || far_below_l1(V.magnitude(), objective.l1, problem.factor_of(j), problem.total)) continue;
    const Ball f(problem.factor_of(j)), limit = Ball(objective.l1) * f * problem.total;
    const double up = problem.upper_of(j), down = -problem.lower_of(j);  // v = -V / total
    const double cap = not_negative(V) ? down : not_negative(-V) ? up : std::max(up, down);
    if (!(cap < inf) && !(objective.lambda > 0 && f.high > 0) && certainly_at_most(absolute(V), limit)) continue;
    const auto value = conjugate_of(positive_part(absolute(V) - limit), problem.total, Ball(objective.lambda) * f, cap);
    if (value) sum.add(*value);
    else if (objective.l1 == 0 || f.zero()) result.unpenalized.push_back(j);
    else if (result.outside++ == 0) result.worst = j;
  }
  result.value = sum.value(d);
  return result;
}

}  // namespace seesaw::verifier
