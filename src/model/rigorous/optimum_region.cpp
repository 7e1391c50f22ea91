#include "model/rigorous/optimum_region.h"

#include <algorithm>
#include <cmath>

#include "base/parallel_elements.h"
#include "base/tree_sum.h"
#include "model/rigorous/dual_image.h"
#include "model/rigorous/intercept_bounds.h"
#include "model/rigorous/intercept_interval.h"
#include "model/rigorous/products.h"
#include "model/rigorous/round.h"
#include "model/rigorous/row_reach.h"
#include "model/rigorous/softmax_intercepts.h"
#include "model/several_targets.h"

namespace seesaw {
namespace {

using namespace rigorous;

constexpr double wide = 1 + 0x1p-20;    // above the roundings of 2^32 terms
constexpr double spare = 1 + 0x1p-40;   // so that another computation of the radius, in another order, is not larger
constexpr double tiny = 0x1p-500;       // its square is a normal number
constexpr double coarse = 1.0 / 64;     // of the radius: above this, rounding is reduced by twice the precision
constexpr double worth_a_centre = 1.1;  // how much smaller a radius must be to store a centre beside x

struct Ball {
  std::vector<double> centre;
  double radius = infinity;       // around the centre
  double radius_of_x = infinity;  // around x
  double rounding = 0;            // what rounding has added to `radius`
};

double factor_of(const Penalty& penalty, std::size_t j) {
  return penalty.has_factors() && !penalty.features().l2_factor.empty() ? penalty.features().l2_factor[j] : 1;
}
double l1_factor_of(const Penalty& penalty, std::size_t j) {
  return penalty.has_factors() && !penalty.features().l1_factor.empty() ? penalty.features().l1_factor[j] : 1;
}

template <class V>
Bounded<V> narrowed(const Bounded<Twofold>& b) {
  if constexpr (std::is_same_v<V, double>) return {b.value.high, b.error + unit * std::abs(b.value.high)};
  else return b;
}

template <class V>
Ball ball_of(const Problem& problem, const Bounded<Twofold>& total, const std::vector<Bounded<V>>& q,
             const Point& point, double gap) {
  const Penalty& penalty = problem.penalty;
  const std::size_t K = problem.outputs();
  const Bounded<V> sum = narrowed<V>(total);
  Ball ball;
  ball.centre.resize(q.size());
  double apart_low = 0, apart_high = 0, off = 0;  // |x - u|_f^2 from both sides, |rounding|_f^2
  for (std::size_t at = 0; at < q.size(); ++at) {
    const std::size_t j = at / K;
    const double f = factor_of(penalty, j);
    const Bounded<V> m = narrowed<V>(Bounded<Twofold>(penalty.l2()) * Bounded<Twofold>(f));
    const Bounded<V> l1 = narrowed<V>(Bounded<Twofold>(penalty.l1()) * Bounded<Twofold>(l1_factor_of(penalty, j)));
    const bool positive = leading(q[at].value) < 0;  // v = -q / sum
    Bounded<V> u = positive ? -q[at] : q[at];
    if (penalty.l1() > 0) u = positive_part(u - l1 * sum);
    u = u / sum / m;
    if (!positive) u = -u;
    const Interval box = penalty.bounds(j);
    if (leading(u.value) > box.hi) u.value = box.hi;  // the projection moves no two points apart
    if (leading(u.value) < box.lo) u.value = box.lo;
    const Bounded<V> difference = Bounded<V>(point.x[at]) - u, middle = Bounded<V>(0.5) * (Bounded<V>(point.x[at]) + u);
    const double size = size_of(difference.value), error = widened(difference.error) + 0x1p-50 * size;
    const double low = std::max(0.0, size - error), high = size + error + tiny;
    ball.centre[at] = leading(middle.value);
    double moved = widened(middle.error) + tiny;
    if constexpr (!std::is_same_v<V, double>) moved += std::abs(middle.value.low);
    apart_low += f * low * low;
    apart_high += f * high * high;
    off += f * moved * moved;
  }
  if (!std::isfinite(apart_low)) apart_low = 0;
  const double over_lambda = up(gap / penalty.l2()) + 0x1p-1020;
  const double radius = std::sqrt(std::max(0.0, over_lambda - apart_low / wide / 4));
  ball.rounding = std::sqrt(off * wide);
  ball.radius = (radius + ball.rounding) * spare;
  ball.radius_of_x = std::min(radius + 0.5 * std::sqrt(apart_high * wide), std::sqrt(2 * over_lambda)) * spare;
  if (gap == 0) ball.radius_of_x = 0;                     // x itself is optimal
  if (!(ball.radius < infinity)) ball.radius = infinity;  // NaN
  if (!(ball.radius_of_x < infinity)) ball.radius_of_x = infinity;
  return ball;
}

// `z`: the scores of the centre.
std::vector<Interval> intercepts(const Problem& problem, const RowWeights& weights, const Bounded<Twofold>& total,
                                 const Point& point, std::vector<Bounded<double>> z, double radius, double primal) {
  const std::size_t n = problem.n(), K = problem.outputs();
  std::vector<double> reach = row_reaches(problem);
  parallel_elements(n, [&](std::size_t i) { reach[i] = up(reach[i] * radius) + underflow; });
  if (!problem.is_block()) {
    ScoreIntervals scores{std::vector<double>(n), std::vector<double>(n)};
    parallel_elements(n, [&](std::size_t i) {
      scores.lo[i] = down(lower(z[i]) - reach[i]);
      scores.hi[i] = up(upper(z[i]) + reach[i]);
    });
    return {intercept_interval(problem, weights, scores, point.intercept[0])};
  }
  double most = infinity;
  if (std::holds_alternative<Softmax>(problem.block().loss)) {
    for (std::size_t at = 0; at < z.size(); ++at) z[at] = z[at] + Bounded<double>(point.intercept[at % K]);
    most = softmax_intercept_reach(problem, weights, total, z, reach);
  }
  std::vector<Interval> result;
  for (const double b : point.intercept) result.push_back({down(b - most), up(b + most)});
  if (most < infinity) return result;
  // |b*_k| <= `largest` where their sum is 0; here it is that of the point's.
  Bounded<Twofold> mean;
  for (const double b : point.intercept) mean = mean + Bounded<Twofold>(b);
  mean = mean / Bounded<Twofold>(static_cast<double>(K));
  InterceptBounds bounds(problem, weights, total);
  bounds.tighten();
  const double largest = bounds.largest(primal);
  return std::vector<Interval>(K, Interval{down(lower(mean) - largest), up(upper(mean) + largest)});
}

}  // namespace

std::optional<OptimumBounds> optimum_region(const Problem& problem, const Point& point, const Bounds& bounds,
                                            ProofProducts products) {
  if (!(problem.penalty.strong_convexity() > 0)) return std::nullopt;
  if (!std::isfinite(bounds.gap) || !std::isfinite(bounds.primal)) return std::nullopt;
  const RowWeights weights(problem);
  const Bounded<Twofold> total = weights.total(problem.leaves());
  if (products.q.empty()) products.q = image_of_dual<double>(problem, weights, point.y);
  Ball ball = ball_of(problem, total, products.q, point, bounds.gap);
  if (!(ball.rounding <= coarse * ball.radius)) {
    if (products.fine_q.empty()) products.fine_q = image_of_dual<Twofold>(problem, weights, point.y);
    Ball finer = ball_of(problem, total, products.fine_q, point, bounds.gap);
    finer.radius_of_x = std::min(finer.radius_of_x, ball.radius_of_x);
    if (finer.radius <= ball.radius) ball = std::move(finer);
  }
  OptimumBounds result;
  const bool around_x = !(worth_a_centre * ball.radius < ball.radius_of_x);
  const double radius = around_x ? ball.radius_of_x : ball.radius;
  if (!(radius < infinity)) return std::nullopt;
  result.radius = {radius};
  if (problem.free_intercept()) {
    if (!around_x || products.z.empty())
      rigorous::multiply(problem.data->rows, (around_x ? point.x : ball.centre).data(), problem.outputs(), products.z);
    result.intercept = intercepts(problem, weights, total, point, std::move(products.z), radius, bounds.primal);
  } else {
    result.intercept.assign(problem.outputs(), Interval{0, 0});
  }
  if (!around_x) result.centre = std::move(ball.centre);
  return result;
}

std::optional<OptimumBounds> optimum_region(const Problem& problem, const Point& point,
                                            const std::vector<Bounds>& bounds) {
  if (!problem.is_one_versus_rest()) return optimum_region(problem, point, bounds[0]);
  return optimum_region_of_parts([&](std::size_t k) { return class_problem(problem, k); }, point, bounds);
}

std::optional<OptimumBounds> optimum_region_of_parts(const std::function<Problem(std::size_t)>& part,
                                                     const Point& point, const std::vector<Bounds>& bounds) {
  const std::size_t K = bounds.size();
  OptimumBounds all;
  for (std::size_t k = 0; k < K; ++k) {
    const Point of_one{of_output(point.x, k, K), {point.intercept[k]}, of_output(point.y, k, K)};
    const auto region = optimum_region(part(k), of_one, bounds[k]);
    if (!region) return std::nullopt;
    all.radius.push_back(region->radius[0]);
    all.intercept.push_back(region->intercept[0]);
    if (region->centre.empty()) continue;
    if (all.centre.empty()) all.centre = point.x;
    for (std::size_t at = 0; at < region->centre.size(); ++at) all.centre[at * K + k] = region->centre[at];
  }
  return all;
}

}  // namespace seesaw
