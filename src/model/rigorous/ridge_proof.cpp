#include "model/rigorous/ridge_proof.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/compensated_sum.h"
#include "base/tree_sum.h"
#include "model/losses/row_terms.h"
#include "model/rigorous/dual_domain.h"
#include "model/rigorous/round.h"

namespace seesaw {

using namespace rigorous;

namespace {

constexpr double wider = 1 + 0x1p-40;                  // makes up for the rounding of these formulas themselves
constexpr double smallest = 1e-100, greatest = 1e100;  // of norms: no product overflows, and what underflows is below
constexpr double lost = 1e-250;
constexpr double negligible = 1e-3;  // of the gap: what a free intercept may cost before its bounds are tightened

// Of a sum of squares whose terms and additions have a relative error of at most `error`.
double norm_of(double squares, double error) { return std::sqrt(squares * (1 + 2 * error)) * wider + lost; }

double squares_of(const std::vector<double>& of) {
  double sum = 0;
  for (const double value : of) sum += value * value;
  return sum;
}

}  // namespace

std::unique_ptr<RidgeProver> RidgeProver::make(const Problem& problem) {
  if (!problem.is_scalar() || problem.leaves().shares() != nullptr) return nullptr;
  const Penalty& g = problem.penalty;
  const auto* const loss = std::get_if<PiecewiseQuadratic>(&problem.scalar().loss);
  if (loss == nullptr || loss->curvature != 0 || !g.uniform() || g.l1() != 0 || !(g.l2() > 0)) return nullptr;
  if (!normalized_accurately(problem)) return nullptr;
  std::unique_ptr<RidgeProver> made(new RidgeProver(problem, *loss));
  const auto in_range = [](double value) { return value > smallest && value < greatest; };
  return in_range(made->steepest_) && in_range(made->row_norm_) && made->target_norm_ < greatest &&
                 loss->insensitivity < greatest && made->error_ < 1e-3
             ? std::move(made)
             : nullptr;
}

RidgeProver::RidgeProver(const Problem& problem, const PiecewiseQuadratic& loss)
    : problem_(problem),
      loss_(loss),
      row_error_((static_cast<double>(problem.d()) + 16) * unit * wider),
      error_((3 * static_cast<double>(problem.n()) + 256) * unit * wider),
      weights_(problem),
      total_(weights_.total(problem.leaves())) {
  for (const Interval& domain : loss.domains)
    steepest_ = std::max({steepest_, std::abs(domain.lo) * wider, std::abs(domain.hi) * wider});
  const double *const c = problem.normalized_weight.data(), *const t = problem.scalar().target.data(),
                      *const squares = problem.squared_row_norms().data();
  const auto sums = tree_sum<std::array<CompensatedSum, 2>>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    return sum_in_lanes<2>(
        begin, end, [=](std::size_t i) __attribute__((always_inline)) {
          return std::array{c[i] * squares[i], c[i] * t[i] * t[i]};
        });
  });
  row_norm_ = norm_of(sums[0].value(), error_ + row_error_);
  target_norm_ = norm_of(sums[1].value(), error_);
}

void RidgeProver::make_feasible(Point& point) const {
  point.y.resize(problem_.n());
  point.intercept.resize(1);
  into_domain(problem_, weights_, point.y);
}

std::optional<RidgeProof> RidgeProver::prove(const Point& point, const std::vector<double>& z,
                                             const std::vector<double>& v) const {
  RidgeProof sums;
  sums.x_norm = norm_of(squares_of(point.x), row_error_);
  sums.intercept = problem_.free_intercept() ? std::abs(point.intercept[0]) : 0;
  return prove(point, z, v, sums, 1);
}

std::optional<RidgeProof> RidgeProver::prove(const Point& point, const std::vector<double>& z,
                                             const std::vector<double>& v, const RidgeProof& a,
                                             const RidgeProof& b) const {
  RidgeProof sums;
  sums.x_norm = std::max(a.x_norm, b.x_norm) * wider;
  sums.intercept = std::max(a.intercept, b.intercept) * wider;
  return prove(point, z, v, sums, 2);
}

std::optional<RidgeProof> RidgeProver::prove(const Point& point, const std::vector<double>& z,
                                             const std::vector<double>& v, RidgeProof sums, double roundings) const {
  const double *const c = problem_.normalized_weight.data(), *const t = problem_.scalar().target.data(),
                      *const score = z.data(), *const y = point.y.data();
  const double e = loss_.insensitivity, M = steepest_;
  const auto of_rows =
      tree_sum<std::array<CompensatedSum, 2>>(problem_.leaves(), [&, loss = loss_](std::size_t begin, std::size_t end) {
        return sum_in_lanes<2>(
            begin, end, [=](std::size_t i) __attribute__((always_inline)) {
              const Interval domain = domain_of(loss, t[i]);
              const double s = soft_threshold(score[i] - t[i], e), up = s * domain.hi, down = s * domain.lo;
              return std::array{c[i] * (up > down ? up : down), c[i] * (t[i] * y[i] + e * std::abs(y[i]))};
            });
      });
  const double g_d = roundings * row_error_, g_n = roundings * error_;
  sums.loss = (of_rows[0].value() * (1 + g_n) +
               M * g_d * (row_norm_ * sums.x_norm + sums.intercept + target_norm_ + e) * wider) *
                  wider +
              lost;
  const double conjugate_error = g_n * M * (target_norm_ + e) * wider + lost;
  sums.conjugate = of_rows[1].value() + conjugate_error;
  sums.conjugate += 0x1p-50 * std::abs(sums.conjugate);
  const double x = norm_of(squares_of(point.x), row_error_), of_v = norm_of(squares_of(v), row_error_);
  const double v_norm = (of_v + g_n * M * row_norm_) * wider;
  sums.x_squared = x * x * wider;
  sums.v_squared = v_norm * v_norm * wider;
  if (problem_.free_intercept()) sums.r = sum_of(point.y) / total_;
  const bool in_range = sums.x_norm < greatest && x < greatest && sums.intercept < greatest && v_norm < greatest &&
                        std::isfinite(sums.loss) && std::isfinite(sums.conjugate);
  return in_range ? std::optional(sums) : std::nullopt;
}

// With weights of 1 by a compensated sum, the loop of which is vectorized. Of N < 4 (n + 16) additions each has an error that
// is known exactly, of at most u n M (1 + N u); only their sum, the carry, is rounded, N times by u of its size, and at last
// its sum with the leading part.
Bounded<Twofold> RidgeProver::sum_of(const std::vector<double>& values) const {
  const double* const y = values.data();
  if (weights_.all_one()) {
    const auto n = static_cast<double>(values.size()), additions = 4 * (n + 16) * unit;
    const double sum =
        tree_sum<std::array<CompensatedSum, 1>>(
            problem_.leaves(),
            [&](std::size_t begin, std::size_t end) {
              return sum_in_lanes<1>(
                  begin, end, [=](std::size_t i) __attribute__((always_inline)) { return std::array{y[i]}; });
            })[0]
            .value();
    return {Twofold(sum), 2 * additions * additions * n * steepest_ + 2 * unit * std::abs(sum) + underflow};
  }
  return tree_sum<BoundedSum<Twofold>>(problem_.leaves(),
                                       [&](std::size_t begin, std::size_t end) {
                                         BoundedSum<Twofold> sum;
                                         for (std::size_t i = begin; i < end; ++i) {
                                           const Twofold product = weights_.times_value(i, Twofold(y[i]));
                                           sum.add({product, 0x1p-100 * std::abs(product.high)});
                                         }
                                         return sum;
                                       })
      .value();
}

std::optional<Certificate> RidgeProver::certify(const RidgeProof& of) {
  const double lambda = problem_.penalty.l2();
  if (!(lambda > smallest && lambda < greatest)) return std::nullopt;
  Certificate certificate;
  certificate.primal = (of.loss + 0.5 * lambda * of.x_squared) * wider;
  const double of_v = of.v_squared / (2 * lambda) * wider;
  const double dual = (-of.conjugate - of_v) - 0x1p-50 * (std::abs(of.conjugate) + of_v);
  double charge = 0;
  if (problem_.free_intercept()) {
    if (!intercept_bounds_) intercept_bounds_.emplace(problem_, weights_, total_);
    charge = intercept_bounds_->least(certificate.primal, {of.r});
    if (!(-charge <= negligible * (certificate.primal - dual)) && !intercept_bounds_->tight()) {
      intercept_bounds_->tighten();
      charge = intercept_bounds_->least(certificate.primal, {of.r});
    }
  }
  certificate.dual = down(dual + charge);
  if (!std::isfinite(certificate.primal) || !(certificate.dual > 0)) return std::nullopt;
  certificate.gap = difference_up(certificate.primal, certificate.dual);
  certificate.distance_bound = seesaw::distance_bound(certificate.gap, lambda);
  return certificate;
}

}  // namespace seesaw
