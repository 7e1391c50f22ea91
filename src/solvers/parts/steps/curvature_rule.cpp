#include "solvers/parts/steps/curvature_rule.h"

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "base/tree_sum.h"
#include "seesaw/error.h"
#include "solvers/named_number.h"

namespace seesaw {

void CurvatureOptions::describe(OptionReader& reader) {
  reader.choice("rule", rule, {"simple", "robust", "secant"}, "how the strong convexity of the data is estimated");
  reader.choice("first-estimate", first, {"lambda", number_name},
                "n times the strong convexity that the data is assumed to add at the start: n lambda, or this number");
  reader.count("period", period, "passes between two estimates");
  reader.number("rate-low", rate_low, between_0_and_1,
                "the estimate is doubled when the gap over a period falls at this times its last rate, or faster");
  reader.number("rate-high", rate_high, {"a number above 1", [](double v) { return v > 1; }},
                "the estimate is halved when the gap over a period falls at this times its last rate, or slower");
  reader.choice("theta", theta, {"proof", "1"}, "extrapolation: the rate in the proof of convergence, or 1");
}

void CurvatureOptions::refuse_unused(const SolverSpec& spec, const Problem& problem) const {
  if (rule != CurvatureRule::robust) refuse_given(spec, {"rate-low", "rate-high"}, "it needs `rule` robust");
  if (problem.penalty.l2() > 0) return;
  if (rule != CurvatureRule::secant)
    throw InvalidOption("rule", rule == CurvatureRule::simple ? "simple" : "robust",
                        "without lambda no finite gap is available in the first passes; use `rule` secant");
  if (first == FirstEstimate::lambda)
    refuse_given(spec, {"first-estimate"}, "lambda is 0; give a number above 0, or omit it");
}

CurvatureLearner::CurvatureLearner(const Problem& problem, const CurvatureOptions& options, std::optional<double> first,
                                   const RowFacts& facts, RateOf rate_of)
    : problem_(problem),
      options_(options),
      rate_of_(rate_of),
      facts_(facts),
      first_(first),
      certifier_(problem),
      z_(problem.n()),
      z_before_(problem.n()) {}

double CurvatureLearner::curvature(double gamma) {
  if (curvature_ == 0) {
    curvature_ = first_.value_or(facts_.m * facts_.lambda);
    if (curvature_ == 0) curvature_ = 1e-3 * facts_.largest * facts_.largest / gamma;
  }
  return curvature_;
}

void CurvatureLearner::begin(Solver& method) {
  if (options_.rule != CurvatureRule::secant) by_gap(method, 1);
}

CurvatureLearner::Update CurvatureLearner::end_pass(Solver& method, double gamma, double promised_rate,
                                                    const std::vector<double>* scores) {
  ++passes_;
  if (options_.rule != CurvatureRule::secant) return {.changed = by_gap(method, promised_rate)};
  if (passes_ % options_.period != 0) return {};
  return {.changed = by_secant(method, gamma, scores), .passes = scores == nullptr ? 1.0 : 0.0};
}

// Algorithms 3 and 4. The rate over a period: gap_T/gap_0, or by least squares through the start,
//     log r = T sum_t t log(gap_t/gap_0)/sum_t t^2
bool CurvatureLearner::by_gap(Solver& method, double promised_rate) {
  const std::size_t T = options_.period, t = passes_ % T;
  const bool begun = first_gap_ > 0 && std::isfinite(first_gap_);
  if (begun && t != 0 && rate_of_ == RateOf::ends) return false;
  method.read(point_);
  const double gap = certifier_.certify(point_, 1e-4 * first_gap_).gap;
  if (!begun) {
    first_gap_ = gap;
    passes_ = 0;
    return false;
  }
  const auto length = static_cast<double>(T), time = t == 0 ? length : static_cast<double>(t);
  regression_ += time * log_of(gap / first_gap_);
  if (t != 0) return false;

  const double squares = length * (length + 1) * (2 * length + 1) / 6;
  const double rate = rate_of_ == RateOf::ends ? gap / first_gap_ : exp_of(length * regression_ / squares);
  const bool simple = options_.rule == CurvatureRule::simple;
  const bool faster = simple ? gap < power_of(promised_rate, length) * first_gap_ : rate <= options_.rate_low * rho_;
  const bool slower = simple ? !faster : rate >= options_.rate_high * rho_;
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
