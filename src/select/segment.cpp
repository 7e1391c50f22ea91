#include "select/segment.h"

#include <algorithm>
#include <cmath>

#include "base/compensated_sum.h"

namespace seesaw {
namespace {

constexpr double rounding = 1e-14;  // of a few operations and of a compensated sum, relative to the sizes of its terms

// dP/dt of a model: the penalty of its weights with the coefficients per t.
double rate_of(const Path& path, const PathPoint& point) {
  const std::vector<double>& x = point.point.x;
  const std::vector<double>& factor = path.frame.objective.penalty_factors;
  const std::size_t K = path.frame.outputs();
  CompensatedSum sum;
  for (std::size_t at = 0; at < x.size(); ++at) {
    if (x[at] == 0) continue;
    const double f = at / K < factor.size() ? factor[at / K] : 1;  // the constant feature has no factor
    sum += f * (0.5 * path.line.lambda_per * x[at] * x[at] + path.line.l1_per * std::abs(x[at]));
  }
  return sum.value();
}

}  // namespace

std::optional<Segment> Segment::of(const Path& path, const PathPoint& above, const PathPoint& below) {
  Segment segment;
  for (const std::size_t k : {0, 1}) {
    const PathPoint& point = k == 0 ? above : below;
    const Certificate& at = point.certificate.certificate;
    if (!at.guaranteed || !std::isfinite(at.gap)) return std::nullopt;
    segment.t_[k] = point.t();
    segment.primal_[k] = at.primal;
    segment.dual_[k] = at.dual;
    segment.rate_[k] = rate_of(path, point);
  }
  return segment;
}

double Segment::primal(std::size_t model, double t) const {
  const double change = (t - t_[model]) * rate_[model];
  return primal_[model] + change + rounding * (primal_[model] + std::abs(change));
}

Segment::At Segment::at(double t) const {
  At result;
  const double of_above = primal(0, t), of_below = primal(1, t);
  result.above = of_above < of_below;
  const double w = std::clamp((t - t_[1]) / (t_[0] - t_[1]), 0.0, 1.0);
  const double line = w * dual_[0] + (1 - w) * dual_[1];
  result.bounds.primal = std::min(of_above, of_below);
  result.bounds.dual = line - rounding * std::max(std::abs(dual_[0]), std::abs(dual_[1]));
  result.bounds.gap = std::max(0.0, result.bounds.primal - result.bounds.dual);
  return result;
}

// min(P_a, P_b) - (1 + eps) D is concave on the segment, and linear on both sides of the crossing; gap / D is a quotient
// of linear functions there, and so monotone.
std::array<Segment::At, 3> Segment::extremes() const {
  const double rate_difference = rate_[0] - rate_[1];
  const double t = primal_[0] == primal_[1] && rate_difference == 0
                       ? t_[0]
                       : (primal_[1] - primal_[0] + t_[0] * rate_[0] - t_[1] * rate_[1]) / rate_difference;
  return {at(t_[0]), at(t_[1]), at(std::isfinite(t) ? std::clamp(t, t_[1], t_[0]) : t_[0])};
}

bool Segment::holds(const PathTolerance& tolerance) const {
  const auto all = extremes();
  const auto every = [&](const auto& allowed) {
    return std::all_of(all.begin(), all.end(), [&](const At& one) { return one.bounds.gap <= allowed(one.bounds); });
  };
  return every([&](const Bounds& b) { return tolerance.relative * std::max(b.dual, 0.0); }) ||
         every([&](const Bounds&) { return tolerance.absolute; });
}

double Segment::largest_relative_gap() const {
  double largest = 0;
  for (const At& one : extremes())
    largest = std::max(largest, one.bounds.dual > 0 ? one.bounds.gap / one.bounds.dual : infinity);
  return largest;
}

}  // namespace seesaw
