#include "solvers/parts/steps/curvature_rule.h"

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "base/tree_sum.h"
#include "seesaw/error.h"

namespace seesaw {

void refuse_rule_without_lambda(CurvatureRule rule, const Problem& problem) {
  if (problem.penalty.l2() > 0 || rule == CurvatureRule::secant) return;
  throw InvalidOption("rule", rule == CurvatureRule::simple ? "simple" : "robust",
                      "without lambda no finite gap is available in the first passes; use `rule` secant");
}

CurvatureLearner::CurvatureLearner(const Problem& problem, CurvatureRule rule, const RowFacts& facts, RateOf rate_of)
    : problem_(problem),
      rule_(rule),
      rate_of_(rate_of),
      facts_(facts),
      certifier_(problem),
      z_(problem.n()),
      z_before_(problem.n()) {}

double CurvatureLearner::curvature(double gamma) {
  if (curvature_ == 0) {
    curvature_ = facts_.m * facts_.lambda;
    if (curvature_ == 0) curvature_ = 1e-3 * facts_.largest * facts_.largest / gamma;
  }
  return curvature_;
}

void CurvatureLearner::begin(Solver& method) {
  if (rule_ != CurvatureRule::secant) by_gap(method, 1);
}

CurvatureLearner::Update CurvatureLearner::end_pass(Solver& method, double gamma, double promised_rate,
                                                    const std::vector<double>* scores) {
  ++passes_;
  if (rule_ != CurvatureRule::secant) return {.changed = by_gap(method, promised_rate)};
  if (passes_ % period != 0) return {};
  return {.changed = by_secant(method, gamma, scores), .passes = scores == nullptr ? 1.0 : 0.0};
}

// Algorithms 3 and 4. The rate over a period: gap_T/gap_0, or by least squares through the start,
//     log r = T sum_t t log(gap_t/gap_0)/sum_t t^2
bool CurvatureLearner::by_gap(Solver& method, double promised_rate) {
  const int t = passes_ % period;
  const bool begun = first_gap_ > 0 && std::isfinite(first_gap_);
  if (begun && t != 0 && rate_of_ == RateOf::ends) return false;
  method.read(point_);
  const double gap = certifier_.certify(point_, 1e-4 * first_gap_).gap;
  if (!begun) {
    first_gap_ = gap;
    passes_ = 0;
    return false;
  }
  const int time = t == 0 ? period : t;
  regression_ += time * log_of(gap / first_gap_);
  if (t != 0) return false;

  constexpr double squares = period * (period + 1) * (2 * period + 1) / 6.0;
  const double rate = rate_of_ == RateOf::ends ? gap / first_gap_ : exp_of(period * regression_ / squares);
  const bool faster =
      rule_ == CurvatureRule::simple ? gap < power_of(promised_rate, period) * first_gap_ : rate <= 0.95 * rho_;
  const bool slower = rule_ == CurvatureRule::simple ? !faster : rate >= 1.5 * rho_;
  first_gap_ = gap;
  regression_ = 0;
  if (faster || slower) rho_ = rate;
  if (faster) curvature_ *= 2;
  else if (slower) curvature_ /= 2;
  return faster || slower;
}

// Differences of z and x since the last period. Below rounding accuracy the last value is kept.
bool CurvatureLearner::by_secant(Solver& method, double gamma, const std::vector<double>* scores) {
  method.read(point_);
  if (scores != nullptr) {
    z_ = *scores;
  } else {
    multiply(problem_.data->rows, point_.x.data(), z_.data());
    for (double& z : z_) z += point_.intercept[0];
  }
  double distance = 0, size = 0;
  const bool first = before_.x.empty();
  for (std::size_t j = 0; j < point_.x.size(); ++j) {
    const double old = first ? 0 : before_.x[j];
    distance += (point_.x[j] - old) * (point_.x[j] - old);
    size += point_.x[j] * point_.x[j];
  }
  if (facts_.bias_entry > 0) {
    const double move = (point_.intercept[0] - (first ? 0 : before_.intercept[0])) / facts_.bias_entry;
    distance += move * move;
    size += point_.intercept[0] * point_.intercept[0] / (facts_.bias_entry * facts_.bias_entry);
  }
  bool changed = false;
  if (distance > 1e-12 * size) {
    const ScalarForm& scalar = problem_.scalar();
    const double curvature = std::visit(
        [&](const auto& loss) {
          const auto change = tree_sum<double>(problem_.leaves(), [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) {
              const double b = scalar.target[i];
              sum += problem_.normalized_weight[i] * (loss.derivative(b, z_[i]) - loss.derivative(b, z_before_[i])) *
                     (z_[i] - z_before_[i]);
            }
            return sum;
          });
          return facts_.m * change / distance;
        },
        smoothed(scalar.loss, gamma - problem_.gamma()));
    curvature_ = std::clamp(curvature, curvature_ / 10, curvature_ * 10);
    changed = true;
  }
  before_ = point_;
  z_before_ = z_;
  return changed;
}

}  // namespace seesaw
