#include "model/prediction_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "model/groups/group_losses.h"
#include "model/rigorous/products.h"
#include "model/rigorous/proved_signs.h"
#include "model/rigorous/row_reach.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using namespace rigorous;

constexpr double root_two = 0x1.6a09e667f3bcep0;  // from above

Interval widened_by(Interval of, double by) { return {down(of.lo - by), up(of.hi + by)}; }

Interval sum(Interval a, Interval b) { return {down(a.lo + b.lo), up(a.hi + b.hi)}; }

Interval interval_of(const Bounded<double>& b) { return {lower(b), upper(b)}; }

// What is not a number is unknown.
Interval known(Interval of) { return {std::isnan(of.lo) ? -infinity : of.lo, std::isnan(of.hi) ? infinity : of.hi}; }

Interval scaled(Interval of, double factor) {  // factor >= 0
  if (factor == 1) return of;
  if (factor == 0) return {0, 0};
  return {of.lo == 0 ? 0 : down(of.lo * factor), of.hi == 0 ? 0 : up(of.hi * factor)};  // 0 is exact: a proved sign
}

// 1 / (1 + t) over 0 <= t, t up to an error of 2^-40 relative; in [0, 1].
double share_below(double t) { return std::max(0.0, 1 / (1 + t * (1 + 0x1p-40)) * (1 - 0x1p-50)); }
double share_above(double t) { return std::min(1.0, 1 / (1 + t * (1 - 0x1p-40)) * (1 + 0x1p-50)); }

double exp_above(double z) { return exp_of(z) * (1 + 0x1p-45) + 0x1p-1070; }
double exp_below(double z) { return std::max(0.0, exp_of(z) * (1 - 0x1p-45) - 0x1p-1070); }

Interval logistic(Interval z) { return {share_below(exp_above(-z.lo)), share_above(exp_below(-z.hi))}; }

// In the model the constant feature is the last; in the prepared data it comes after the columns of the data, which may
// be fewer than the model's. `at(j)`: of a feature of the model.
template <class At>
std::vector<double> per_column(const LinearModel& model, std::size_t columns, std::size_t outputs, const At& at) {
  std::vector<double> result;
  const std::size_t features = model.features(), constant = model.transform.constant_feature ? 1 : 0;
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t k = 0; k < outputs; ++k)
      result.push_back(at((constant == 1 && j + 1 == columns ? features : j) * outputs + k));
  return result;
}

Dataset prepared(const LinearModel& model, const Dataset& data) {
  if (data.d() > model.features())
    throw ShapeError(
        model.features(), data.d(),
        fmt::format("{} has {} features, but the model was trained on {}. Give it data with the same features.",
                    data.source.empty() ? "the data" : data.source, data.d(), model.features()));
  if (const std::string reason = no_bounds_reason(model); !reason.empty()) throw Error(reason);
  Transform transform = model.transform;
  if (transform.column_factors.size() > data.d()) transform.column_factors.resize(data.d());
  return apply(transform, data, model.single_precision ? Precision::single : Precision::exact);
}

ScoreRegion region_of(const LinearModel& model, const Dataset& data) {
  const Dataset rows = prepared(model, data);
  const OptimumBounds& bounds = *model.optimum;
  const std::vector<double>& centre = bounds.centre.empty() ? model.x : bounds.centre;
  const std::vector<double>& factors = model.objective.penalty_factors;
  const std::size_t K = model.outputs();
  std::vector<double> of_columns;
  if (!factors.empty())
    of_columns = per_column(model, rows.d(), 1, [&](std::size_t j) { return j < factors.size() ? factors[j] : 1; });
  return {rows.rows, per_column(model, rows.d(), K, [&](std::size_t at) { return centre[at]; }),
          bounds,    of_columns,
          K,         model.joint()};
}

double factor_of(const LinearModel& model, std::size_t j) {
  const std::vector<double>& factors = model.objective.penalty_factors;
  return j < factors.size() ? factors[j] : 1;
}

// Of the weight at `at`, from the ball of the optimum.
Interval weight_in_ball(const LinearModel& model, std::size_t at) {
  const OptimumBounds& bounds = *model.optimum;
  const std::size_t K = model.outputs();
  const double radius = bounds.radius.size() == 1 ? bounds.radius[0] : bounds.radius[at % K];
  const double factor = factor_of(model, at / K);
  const double reach = factor == 1 || radius == 0 ? radius : radius / std::sqrt(factor) * (1 + 0x1p-50);
  const double centre = (bounds.centre.empty() ? model.x : bounds.centre)[at];
  return reach == 0 ? Interval{centre, centre} : widened_by({centre, centre}, reach);
}

// From the objective: l1 sum_j f_j |x*_j| <= P* <= P, since no loss is negative.
Interval weight_of_objective(const LinearModel& model, std::size_t at) {
  const std::size_t K = model.outputs();
  const double primal = model.classes.empty() ? model.certificate->primal : model.classes[at % K].primal;
  const double most = primal / (model.objective.l1 * factor_of(model, at / K)) * (1 + 0x1p-50);
  return known({-most, most});
}

// The weight at `at` of the problem that was solved.
Interval solved_weight(const LinearModel& model, std::size_t at) {
  const SolvedObjective& objective = model.objective;
  const std::size_t j = at / model.outputs();
  Interval interval = model.optimum ? weight_in_ball(model, at) : weight_of_objective(model, at);
  if (j < objective.lower.size()) {
    interval.lo = std::max(interval.lo, objective.lower[j]);
    interval.hi = std::min(interval.hi, objective.upper[j]);
  }
  interval = {std::min(interval.lo, model.x[at]), std::max(interval.hi, model.x[at])};
  const char sign = model.proved_signs.empty() ? sign_unknown : model.proved_signs[at];
  if (sign == sign_zero || sign == sign_not_negative) interval.lo = std::max(interval.lo, 0.0);
  if (sign == sign_zero || sign == sign_not_positive) interval.hi = std::min(interval.hi, 0.0);
  return {std::min(interval.lo, interval.hi), std::max(interval.lo, interval.hi)};
}

}  // namespace

ScoreRegion::ScoreRegion(const Rows& rows, const std::vector<double>& centre, const OptimumBounds& bounds,
                         const std::vector<double>& factors, std::size_t outputs, bool joint)
    : outputs_(outputs), joint_(joint), radius_(bounds.radius), intercept_(bounds.intercept) {
  rigorous::multiply(rows, centre.data(), outputs, centre_scores_);
  reach_ = row_reaches(rows, factors);
}

Interval ScoreRegion::score(std::size_t i, std::size_t k) const {
  const double radius = radius_[radius_.size() == 1 ? 0 : k];
  const double reach = radius == 0 || reach_[i] == 0 ? 0 : up(reach_[i] * radius) + underflow;
  return known(sum(widened_by(interval_of(centre_scores_[i * outputs_ + k]), reach), intercept_[k]));
}

Interval ScoreRegion::difference(std::size_t i, std::size_t j, std::size_t k) const {
  if (!joint_) {
    const Interval a = score(i, j), b = score(i, k);
    return known(sum(a, {-b.hi, -b.lo}));
  }
  const Interval centre = interval_of(centre_scores_[i * outputs_ + j] - centre_scores_[i * outputs_ + k]);
  const double reach = radius_[0] == 0 || reach_[i] == 0 ? 0 : up(root_two * reach_[i] * radius_[0] * (1 + 0x1p-50));
  return known(sum(widened_by(centre, reach), sum(intercept_[j], {-intercept_[k].hi, -intercept_[k].lo})));
}

std::optional<std::size_t> ScoreRegion::label(std::size_t i) const {
  if (outputs_ == 1) {
    const Interval z = score(i, 0);
    if (z.lo > 0) return 1;
    return z.hi <= 0 ? std::optional<std::size_t>(0) : std::nullopt;
  }
  std::size_t best = 0;
  for (std::size_t k = 1; k < outputs_; ++k)
    if (const Interval more = difference(i, k, best); more.lo + more.hi > 0) best = k;
  for (std::size_t k = 0; k < outputs_; ++k)
    if (k != best && !(difference(i, best, k).lo > 0)) return std::nullopt;
  return best;
}

std::string no_bounds_reason(const LinearModel& model) {
  if (!model.certificate)
    return "the model has no certificate (it was not trained by Seesaw), so nothing is proved about the optimum.";
  if (model.optimum) return {};
  if (!(model.objective.lambda > 0))
    return fmt::format(
        "{} does not confine the optimal weights: intervals need an l2 penalty (`penalty` l2 or elastic-net).",
        model.objective.l1 > 0 ? "the penalty l1 alone" : "a problem without a penalty");
  const std::vector<double>& factors = model.objective.penalty_factors;
  if (std::find(factors.begin(), factors.end(), 0.0) != factors.end())
    return "features without a penalty (factor 0) have weights that the gap does not confine: there are no intervals.";
  if (group_loss_kind(model.objective.loss) != nullptr && model.objective.intercept == Intercept::free)
    return "a loss of groups with a free intercept has no bounds of the optimal intercept, so there are no intervals; "
           "train with `intercept` penalized or none.";
  return "the model has no bounds of the optimum: it is one of a path, was written by an earlier version, or its "
         "gap is not finite. Training a model at these coefficients computes them.";
}

PredictionBounds::PredictionBounds(const LinearModel& model, const Dataset& data)
    : model_(model), region_(region_of(model, data)) {}

std::optional<double> PredictionBounds::label(std::size_t i) const {
  if (!model_.classifies()) return std::nullopt;
  const auto index = region_.label(i);
  return index ? std::optional(model_.labels[*index]) : std::nullopt;
}

std::vector<Interval> PredictionBounds::probabilities(std::size_t i) const {
  const std::size_t K = model_.outputs();
  const auto of_score = [&](std::size_t k) {
    const Interval z = score(i, k);
    if (!model_.calibration) return logistic(z);
    return calibrated(model_.calibration->method, model_.calibration->outputs[k], z);
  };
  if (K == 1 && model_.calibration) {
    const Interval p = of_score(0);
    return {{std::max(0.0, down(1 - p.hi)), std::min(1.0, up(1 - p.lo))}, p};
  }
  if (K == 1) {
    const Interval z = score(i);
    return {logistic({-z.hi, -z.lo}), logistic(z)};
  }
  std::vector<Interval> result;
  if (model_.joint()) {  // p_k = 1 / (1 + sum_j e^(z_j - z_k))
    for (std::size_t k = 0; k < K; ++k) {
      double least = 0, most = 0;
      for (std::size_t j = 0; j < K; ++j) {
        if (j == k) continue;
        const Interval d = region_.difference(i, j, k);
        least += exp_below(d.lo);
        most += exp_above(d.hi);
      }
      result.push_back({share_below(most), share_above(least)});
    }
    return result;
  }
  // q_k / sum_j q_j of the probabilities q of the classes: rises with q_k and falls with the others.
  std::vector<Interval> q;
  for (std::size_t k = 0; k < K; ++k) q.push_back(of_score(k));
  for (std::size_t k = 0; k < K; ++k) {
    double least = 0, most = 0;
    for (std::size_t j = 0; j < K; ++j)
      if (j != k) {
        least += q[j].lo;
        most += q[j].hi;
      }
    result.push_back({q[k].lo > 0 ? share_below(most / q[k].lo) : 0, least > 0 ? share_above(least / q[k].hi) : 1});
  }
  return result;
}

std::string no_weight_bounds_reason(const LinearModel& model) {
  return model.certificate && !model.proved_signs.empty() ? "" : no_bounds_reason(model);
}

std::vector<Interval> weight_bounds(const LinearModel& model) {
  if (const std::string reason = no_weight_bounds_reason(model); !reason.empty()) throw Error(reason);
  const Transform& transform = model.transform;
  const std::size_t K = model.outputs();
  std::vector<Interval> result;
  for (std::size_t at = 0; at < model.features() * K; ++at) {
    double factor = transform.scaling == Scaling::max ? transform.factor : 1;
    if (!transform.column_factors.empty()) factor = transform.column_factors[at / K];
    result.push_back(scaled(solved_weight(model, at), factor));
  }
  return result;
}

std::vector<Interval> intercept_bounds(const LinearModel& model) {
  if (const std::string reason = no_weight_bounds_reason(model); !reason.empty()) throw Error(reason);
  const Transform& transform = model.transform;
  const std::size_t K = model.outputs();
  const bool free = model.objective.intercept == Intercept::free;
  std::vector<Interval> result;
  for (std::size_t k = 0; k < K; ++k) {
    Interval b = free ? Interval{-infinity, infinity} : Interval{0, 0};
    if (model.optimum) b = model.optimum->intercept[k];
    b = {std::min(b.lo, model.intercept[k]), std::max(b.hi, model.intercept[k])};
    if (transform.constant_feature) {
      Interval weight = solved_weight(model, model.features() * K + k);
      if (transform.scaling == Scaling::max) weight = scaled(weight, transform.factor);
      b = sum(b, scaled(weight, transform.constant_value));
    }
    result.push_back(b);
  }
  return result;
}

}  // namespace seesaw
