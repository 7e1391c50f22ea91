#include "select/elimination.h"

#include <algorithm>
#include <cmath>

#include "base/compensated_sum.h"
#include "model/mean_loss.h"
#include "model/prediction_bounds.h"
#include "model/rigorous/optimum_region.h"

namespace seesaw {
namespace {

constexpr double useful_reach = 0.25;   // of scores: labels and errors are decided from there on
constexpr double least_advantage = 10;  // of gaps: below it the fit is as fast as its bounds
constexpr double largest_first_gap = 1e-2;
constexpr double margin = 1e-9;  // for rounding of plain sums, relative

// The spread of what scores predict: 1 for labels, the standard deviation of numbers.
double scale_of_scores(const Problem& problem) {
  if (problem.kind->target != Target::number) return 1;
  const std::vector<double>& b = problem.scalar().target;
  const std::vector<double>& c = problem.normalized_weight;
  CompensatedSum mean, square;
  for (std::size_t i = 0; i < b.size(); ++i) mean += c[i] * b[i];
  for (std::size_t i = 0; i < b.size(); ++i) square += c[i] * (b[i] - mean.value()) * (b[i] - mean.value());
  return std::sqrt(square.value());
}

// min phi over [lo, hi], phi convex.
template <class SomeLoss>
double least_loss(const SomeLoss& loss, double b, double lo, double hi) {
  if (loss.derivative(b, lo) >= 0) return loss.value(b, lo);
  if (loss.derivative(b, hi) <= 0) return loss.value(b, hi);
  return std::min({-loss.conjugate(b, 0), loss.value(b, lo), loss.value(b, hi)});
}

// sum_i c_i min phi_i over the scores of row i, shifted by b: a lower bound of the loss of every model of the region.
double least_mean_loss(const Problem& problem, const ScoreRegion& region, double b) {
  const ScalarForm& form = problem.scalar();
  CompensatedSum sum;
  std::visit(
      [&](const auto& loss) {
        for (std::size_t i = 0; i < form.target.size(); ++i) {
          const Interval z = region.score(i, 0);
          sum += problem.normalized_weight[i] * least_loss(loss, form.target[i], z.lo + b, z.hi + b);
        }
      },
      form.loss);
  return sum.value();
}

// The intercepts b with least_mean_loss(b) <= most, from outside: the function is convex, so beyond a place where it is
// above `most`, on the far side of `start`, there are none.
std::optional<Interval> intercepts_below(const Problem& problem, const ScoreRegion& region, double start, double most) {
  const auto above = [&](double b) { return least_mean_loss(problem, region, b) > most; };
  if (above(start)) return std::nullopt;
  const auto end = [&](double sign) -> std::optional<double> {
    double inside = 0, outside = 0x1p-10 * (1 + std::abs(start));
    for (int k = 0; !above(start + sign * outside); ++k) {
      if (k == 40) return std::nullopt;
      inside = outside;
      outside *= 4;
    }
    for (int k = 0; k < 4; ++k) {  // to a sixteenth of the difference
      const double middle = (inside + outside) / 2;
      (above(start + sign * middle) ? outside : inside) = middle;
    }
    return start + sign * outside;
  };
  const auto lo = end(-1), hi = end(1);
  if (!lo || !hi) return std::nullopt;
  return Interval{*lo, *hi};
}

std::vector<double> part_of(const std::vector<double>& all, std::size_t k, std::size_t K) {
  std::vector<double> part;
  for (std::size_t at = k; at < all.size(); at += K) part.push_back(all[at]);
  return part;
}

// g(x) >= (lambda/2) (|centre|_f - radius)^2 over the ball.
double least_penalty(const Penalty& penalty, const std::vector<double>& centre, double radius) {
  CompensatedSum square;
  for (std::size_t j = 0; j < centre.size(); ++j) {
    const double factor = penalty.has_factors() ? penalty.features().l2_factor[j] : 1;
    square += factor * centre[j] * centre[j];
  }
  const double distance = std::max(0.0, std::sqrt(square.value()) * (1 - margin) - radius);
  return penalty.l2() / 2 * distance * distance;
}

// Where the fit can end: the region of the optimum, widened.
struct EndRegion {
  OptimumBounds bounds;
  std::vector<double> factors;
};

std::optional<EndRegion> end_region(const Problem& whole, const Point& point, const std::vector<Bounds>& proved,
                                    const Criteria& criteria) {
  auto region = optimum_region(whole, point, proved);
  if (!region) return std::nullopt;
  EndRegion end{*std::move(region), {}};
  OptimumBounds& bounds = end.bounds;
  if (bounds.centre.empty()) bounds.centre = point.x;
  if (whole.penalty.has_factors()) end.factors = whole.penalty.features().l2_factor;
  const std::size_t K = whole.outputs();
  for (std::size_t k = 0; k < K; ++k) {
    const auto further = distance_bound(criteria.target_gap(proved[k].primal), whole.penalty.strong_convexity());
    if (!further || !std::isfinite(*further)) return std::nullopt;
    bounds.radius[k] = (bounds.radius[k] + *further) * (1 + margin);
    if (!whole.free_intercept()) continue;
    const Problem problem = K == 1 ? whole : class_problem(whole, k);
    const std::vector<double> centre = part_of(bounds.centre, k, K);
    const OptimumBounds of_class{.centre = {}, .radius = {bounds.radius[k]}, .intercept = {{0, 0}}};
    const ScoreRegion rows(problem.data->rows, centre, of_class, end.factors, 1, false);
    const double most = proved[k].primal * (1 + margin) - least_penalty(problem.penalty, centre, bounds.radius[k]);
    const auto interval = intercepts_below(problem, rows, point.intercept[k], most);
    if (!interval) return std::nullopt;
    bounds.intercept[k] = *interval;
  }
  return end;
}

double weight_of(const Dataset& data, std::size_t i) { return data.weights.empty() ? 1 : data.weights[i]; }

// Accuracy, or the mean of the recalls: right where all models agree, open where they do not.
Interval bounds_of_labels(bool balanced, const Dataset& rows, const std::vector<double>& labels,
                          const ScoreRegion& scores) {
  const std::size_t groups = balanced ? labels.size() : 1;
  std::vector<double> all(groups), right(groups), open(groups);
  for (std::size_t i = 0; i < rows.n(); ++i) {
    const auto truth =
        static_cast<std::size_t>(std::lower_bound(labels.begin(), labels.end(), rows.labels[i]) - labels.begin());
    const std::size_t g = balanced ? truth : 0;
    const auto label = scores.label(i);
    all[g] += weight_of(rows, i);
    if (!label) open[g] += weight_of(rows, i);
    else if (*label == truth) right[g] += weight_of(rows, i);
  }
  Interval mean{0, 0};
  double present = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    if (all[g] == 0) continue;
    ++present;
    mean.lo += right[g] / all[g];
    mean.hi += (right[g] + open[g]) / all[g];
  }
  return {mean.lo / present, mean.hi / present};
}

Interval bounds_of_errors(MetricName metric, const Dataset& rows, double quantile, const ScoreRegion& scores) {
  CompensatedSum lo, hi, total, sum, spread;
  const auto error = [&](double b, double z) {
    if (metric == MetricName::pinball) return pinball_of(b, z, quantile);
    return metric == MetricName::mae ? std::abs(b - z) : (b - z) * (b - z);
  };
  for (std::size_t i = 0; i < rows.n(); ++i) {
    const Interval z = scores.score(i, 0);
    const double b = rows.labels[i], w = weight_of(rows, i);
    lo += w * error(b, z.clip(b));
    hi += w * std::max(error(b, z.lo), error(b, z.hi));
    total += w;
    sum += w * b;
  }
  Interval mean{lo.value() / total.value(), hi.value() / total.value()};
  if (metric == MetricName::rmse) return {std::sqrt(mean.lo), std::sqrt(mean.hi)};
  if (metric != MetricName::r2) return mean;
  const double centre = sum.value() / total.value();
  for (std::size_t i = 0; i < rows.n(); ++i)
    spread += weight_of(rows, i) * (rows.labels[i] - centre) * (rows.labels[i] - centre);
  const double variance = spread.value() / total.value();
  if (variance == 0) return {-infinity, 1};
  return {1 - mean.hi / variance, 1 - mean.lo / variance};
}

}  // namespace

std::optional<double> gap_of_first_bounds(const Problem& problem, const Criteria& criteria) {
  const double lambda = problem.penalty.strong_convexity();
  if (!(lambda > 0) || problem.is_block() || criteria.gap_abs > 0 || !(criteria.gap > 0)) return std::nullopt;
  const std::vector<double>& squares = problem.squared_row_norms();
  CompensatedSum norms;
  for (std::size_t i = 0; i < squares.size(); ++i) norms += std::sqrt(squares[i]);
  const double norm = norms.value() / static_cast<double>(squares.size());
  if (!(norm > 0)) return std::nullopt;
  const double reach = useful_reach * scale_of_scores(problem) / norm;
  const double start = primal_at_zero(problem.is_one_versus_rest() ? class_problem(problem, 0) : problem);
  const double gap = std::min(largest_first_gap, lambda * reach * reach / (2 * start));
  if (!(gap >= least_advantage * criteria.gap)) return std::nullopt;
  return gap;
}

std::optional<Interval> bounds_of_metric(const Metric& metric, const FoldProblem& fold, const Problem& problem,
                                         const Point& point, const std::vector<Bounds>& bounds,
                                         const Criteria& criteria) {
  if (!metric.bounded || problem.is_block()) return std::nullopt;
  const auto end = end_region(problem, point, bounds, criteria);
  if (!end) return std::nullopt;
  const Dataset& rows = fold.data().validation;
  const ScoreRegion scores(rows.rows, end->bounds.centre, end->bounds, end->factors, problem.outputs(), false);
  const bool balanced = metric.id == MetricName::balanced_accuracy;
  const Interval exact = metric.of_labels ? bounds_of_labels(balanced, rows, problem.labels, scores)
                                          : bounds_of_errors(metric.id, rows, fold.quantile(), scores);
  if (std::isnan(exact.lo) || std::isnan(exact.hi)) return std::nullopt;
  return Interval{exact.lo - margin * (1 + std::abs(exact.lo)), exact.hi + margin * (1 + std::abs(exact.hi))};
}

}  // namespace seesaw
