#include "select/gap_curve.h"

#include <algorithm>
#include <cmath>

#include "base/compensated_sum.h"
#include "base/tree_sum.h"
#include "model/certificate_sums.h"
#include "model/mean_loss.h"
#include "model/penalty/unpenalized.h"

namespace seesaw {
namespace {

constexpr double first_step = 1 + 0x1p-10;
constexpr int halvings = 8;

// The largest s for which s y is in the domains of the losses, less a margin for rounding; block losses: 1.
double largest_scale(const Problem& problem, const std::vector<double>& y) {
  if (problem.is_block()) return 1;
  double largest = infinity;
  std::visit(
      [&, &target = problem.scalar().target](const auto& loss) {
        for (std::size_t i = 0; i < y.size(); ++i) {
          if (y[i] == 0) continue;
          const Interval domain = loss.domain(target[i]);
          largest = std::min(largest, (y[i] > 0 ? domain.hi : domain.lo) / y[i]);
        }
      },
      problem.scalar().loss);
  return std::max(1.0, largest * (1 - 1e-14));
}

double sum_of_squares(const std::vector<double>& of) {
  CompensatedSum sum;
  for (const double value : of) sum += value * value;
  return sum.value();
}

}  // namespace

std::optional<Interval> covered_ridge(const RidgeSums& sums, const Tolerance& tolerance) {
  const double rise = 1 + tolerance.relative;
  const double half = -0.5 * (sums.loss + rise * sums.conjugate - tolerance.absolute);
  if (half < 0) return std::nullopt;
  const double constant = 0.5 * rise * sums.v_squared;  // x^2 t^2/2 - 2 half t + constant <= 0
  const double discriminant = half * half - 0.5 * sums.x_squared * constant;
  if (!(discriminant >= 0)) return std::nullopt;
  const double root = half + std::sqrt(discriminant);
  if (root == 0) return constant == 0 && sums.x_squared == 0 ? std::optional(Interval{0, infinity}) : std::nullopt;
  return Interval{constant / root, sums.x_squared == 0 ? infinity : 2 * root / sums.x_squared};
}

PointProducts products_of(const Problem& problem, const Point& point, const std::vector<double>* known_z) {
  const std::size_t K = problem.outputs();
  PointProducts of{{}, std::vector<double>(point.x.size())};
  if (known_z != nullptr) {
    of.z = *known_z;
  } else {
    of.z.resize(problem.n() * K);
    multiply(problem.data->rows, point.x.data(), of.z.data(), K);
    for (std::size_t i = 0, at = 0; i < problem.n(); ++i)
      for (std::size_t k = 0; k < K; ++k, ++at) of.z[at] += point.intercept[k];
  }
  std::vector<double> weighted(problem.n() * K);
  for (std::size_t i = 0, at = 0; i < problem.n(); ++i)
    for (std::size_t k = 0; k < K; ++k, ++at) weighted[at] = -problem.normalized_weight[i] * point.y[at];
  multiply_transposed(problem.data->rows, weighted.data(), of.v.data(), K);
  return of;
}

GapCurve::GapCurve(const Problem& problem, const PathLine& line, const Point& point)
    : GapCurve(problem, line, point, products_of(problem, point)) {}

GapCurve::GapCurve(const Problem& problem, const PathLine& line, const Point& point, PointProducts products)
    : problem_(problem), line_(line), point_(point), v_(std::move(products.v)) {
  const std::size_t K = problem.outputs();
  loss_ = mean_loss(problem, products.z);
  conjugate_ = conjugate_of(1);
  if (line.l1_alone()) largest_scale_ = largest_scale(problem, point.y);
  // Of unpenalized features the dual demands v_j = 0, which holds up to rounding.
  for (const std::uint32_t j : unpenalized_features(line.penalty_at(problem.penalty, 1), problem.d()))
    for (std::size_t k = 0; k < K; ++k) v_[j * K + k] = 0;
}

GapCurve::GapCurve(const Problem& problem, const PathLine& line, const Point& point, const RidgeSums& sums)
    : problem_(problem), line_(line), point_(point), loss_(sums.loss), conjugate_(sums.conjugate), sums_(sums) {}

bool GapCurve::is_ridge(const Problem& problem, const PathLine& line) {
  return line.lambda == 0 && line.lambda_per == 1 && line.l1 == 0 && line.l1_per == 0 && problem.penalty.uniform();
}

double GapCurve::conjugate_of(double s) const {
  const std::vector<double>& c = problem_.normalized_weight;
  const auto over_rows = [&](const auto& conjugate) {
    return tree_sum<CompensatedSum>(problem_.leaves(),
                                    [&](std::size_t begin, std::size_t end) {
                                      CompensatedSum sum;
                                      for (std::size_t i = begin; i < end; ++i) sum += c[i] * conjugate(i);
                                      return sum;
                                    })
        .value();
  };
  if (problem_.is_block())
    return std::visit(
        [&, K = problem_.outputs(), &class_of_row = problem_.block().class_of_row](const auto& loss) {
          return over_rows([&](std::size_t i) {
            std::vector<double> y(&point_.y[i * K], &point_.y[i * K] + K);
            for (double& yk : y) yk *= s;
            return loss.conjugate(class_of_row[i], y.data());
          });
        },
        problem_.block().loss);
  return std::visit(
      [&, &target = problem_.scalar().target](const auto& loss) {
        return over_rows([&](std::size_t i) { return loss.conjugate(target[i], s * point_.y[i]); });
      },
      problem_.scalar().loss);
}

double GapCurve::dual_scale(double t) const {
  if (!line_.l1_alone()) return 1;
  const Penalty penalty = line_.penalty_at(problem_.penalty, t);
  const double inside = scale_into_dual_domain(penalty, v_, problem_.outputs());
  if (inside < 1 || largest_scale_ == 1 || !penalty.uniform()) return inside;
  double largest = 0;
  for (const double v : v_) largest = std::max(largest, std::abs(v));
  const double s = largest == 0 ? 1 : std::min(largest_scale_, (1 - 1e-14) * penalty.l1() / largest);
  return s > 1 && conjugate_of(s) < conjugate_ ? s : 1;
}

Bounds GapCurve::at(double t) const {
  if (sums_) {
    Bounds bounds{loss_ + 0.5 * t * sums_->x_squared, -conjugate_ - sums_->v_squared / (2 * t)};
    bounds.gap = bounds.primal - bounds.dual;
    return bounds;
  }
  const double s = dual_scale(t);
  const Penalty penalty = line_.penalty_at(problem_.penalty, t);
  std::vector<double> scaled;
  if (s != 1) {
    scaled = v_;
    for (double& v : scaled) v *= s;
  }
  const CertificateSums sums = over_coordinates(penalty, point_.x, s == 1 ? v_ : scaled, problem_.outputs());
  Bounds bounds;
  bounds.primal = loss_ + sums.primal.value();
  bounds.dual = -(s == 1 ? conjugate_ : conjugate_of(s)) + sums.dual.value();
  bounds.gap = bounds.primal - bounds.dual;
  return bounds;
}

// From t outward: steps that double, then halvings, in the logarithm.
double GapCurve::end_of(double t, const Tolerance& tolerance, double limit) const {
  if (limit == t) return t;
  double inside = t;
  double factor = limit > t ? first_step : 1 / first_step;
  for (;;) {
    double trial = inside * factor;
    if ((limit > t && !(trial < limit)) || (limit < t && !(trial > limit))) trial = limit;
    if (tolerance.holds(at(trial))) {
      if (trial == limit) return limit;
      inside = trial;
      factor *= factor;
      continue;
    }
    double outside = trial;
    for (int k = 0; k < halvings; ++k) {
      const double middle = std::sqrt(inside) * std::sqrt(outside);
      (tolerance.holds(at(middle)) ? inside : outside) = middle;
    }
    return inside;
  }
}

std::optional<Interval> GapCurve::covered(double t, const Tolerance& tolerance, const Interval& range) const {
  if (is_ridge(problem_, line_)) {
    const RidgeSums sums = sums_.value_or(RidgeSums{loss_, conjugate_, sum_of_squares(point_.x), sum_of_squares(v_)});
    const auto found = covered_ridge(sums, tolerance);
    if (!found || !found->contains(t)) return std::nullopt;
    return Interval{std::max(found->lo, range.lo), std::min(found->hi, range.hi)};
  }
  if (!tolerance.holds(at(t))) return std::nullopt;
  return Interval{end_of(t, tolerance, range.lo), end_of(t, tolerance, range.hi)};
}

}  // namespace seesaw
