#include "model/rigorous/normwise_certificate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/cancel.h"
#include "base/compensated_sum.h"
#include "base/tree_sum.h"
#include "data/resident.h"
#include "kernels/at_level.h"
#include "model/rigorous/round.h"
#include "model/rigorous/row_weights.h"

namespace seesaw {

using namespace rigorous;

namespace {

constexpr double wider = 1 + 0x1p-40;                  // makes up for the rounding of these formulas themselves
constexpr double smallest = 1e-100, greatest = 1e100;  // of norms: no product overflows, and what underflows is below
constexpr double lost = 1e-250;

// Of a sum of squares whose terms and additions have a relative error of at most `error`.
double norm_of(double squares, double error) { return std::sqrt(squares * (1 + 2 * error)) * wider + lost; }

}  // namespace

std::unique_ptr<NormwiseCertifier> NormwiseCertifier::make(const Problem& problem) {
  if (!problem.is_scalar() || problem.leaves().shares() != nullptr) return nullptr;
  const Penalty& g = problem.penalty;
  const auto* const loss = std::get_if<PiecewiseQuadratic>(&problem.scalar().loss);
  if (loss == nullptr || !(loss->delta() > 0) || !g.uniform() || g.l2() != 0 || !(g.l1() > 0)) return nullptr;
  if (!normalized_accurately(problem)) return nullptr;
  std::unique_ptr<NormwiseCertifier> made(new NormwiseCertifier(problem, loss->curvature));
  const bool in_range = made->target_norm_ < greatest && made->all_ > smallest && made->all_ < greatest &&
                        made->curvature_ > smallest && made->curvature_ < greatest && made->error_ < 1e-3;
  return in_range ? std::move(made) : nullptr;
}

NormwiseCertifier::NormwiseCertifier(const Problem& problem, double curvature)
    : problem_(problem),
      curvature_(curvature),
      row_error_((static_cast<double>(problem.d()) + 16) * unit * wider),
      error_((3 * static_cast<double>(problem.n()) + 256) * unit * wider),
      norms_(problem.d()) {
  const double* const c = problem.normalized_weight.data();
  const std::vector<double>& t = problem.scalar().target;
  const double squares = tree_sum<double>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += c[i] * t[i] * t[i];
    return sum;
  });
  target_norm_ = norm_of(squares, error_);
  std::visit(
      [&](const auto& rows) {
        const CancelPoll poll;
        tree_sum(leaves_for_vectors(rows), norms_.size(), norms_.data(),
                 [&](std::size_t begin, std::size_t end, double* part) {
                   poll();
                   resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
                     for (std::size_t i = first; i < last; ++i)
                       for_each(rows.row(i), [&, ci = c[i]](std::size_t j, double a) { part[j] += ci * a * a; });
                   });
                 });
      },
      problem.data->rows);
  double all = 0;
  for (double& norm : norms_) {
    norm = norm_of(norm, error_);
    largest_ = std::max(largest_, norm);
    all += norm * norm;
  }
  all_ = norm_of(all, row_error_);
}

std::optional<Certificate> NormwiseCertifier::certify(Point& point, double enough) {
  const std::size_t n = problem_.n();
  const double l1 = problem_.penalty.l1(), k = curvature_;
  const bool shifted = problem_.free_intercept();
  const double b = shifted ? point.intercept[0] : 0;
  point.y.resize(n);
  z_.resize(n);
  cy_.resize(n);
  q_.resize(problem_.d());
  multiply(problem_.data->rows, point.x.data(), z_.data());

  const double *const c = problem_.normalized_weight.data(), *const t = problem_.scalar().target.data(),
                      *const z = z_.data(), *const y = point.y.data();
  double* const cy = cy_.data();
  std::array<double, 4> sums{};  // c r^2, c y^2, c t y, c y
  tree_sum(problem_.leaves(), sums.size(), sums.data(), [&](std::size_t begin, std::size_t end, double* part) {
    for (std::size_t i = begin; i < end; ++i) cy[i] = c[i] * y[i];
    const auto of_leaf = sum_in_lanes<4>(
        begin, end, [=](std::size_t i) __attribute__((always_inline)) {
          const double r = (z[i] + b) - t[i];
          return std::array{c[i] * r * r, cy[i] * y[i], cy[i] * t[i], cy[i]};
        });
    for (std::size_t s = 0; s < sums.size(); ++s) part[s] += of_leaf[s].value();
  });
  multiply_transposed(problem_.data->rows, cy_.data(), q_.data());

  double size = 0, square = 0;
  for (const double xj : point.x) {
    size += std::abs(xj);
    square += xj * xj;
  }
  const double x_norm = norm_of(square, row_error_), y_norm = norm_of(sums[1], error_);
  const double score_error = row_error_ * (all_ * x_norm + std::abs(b) + target_norm_) * wider + lost;
  const double residual = norm_of(sums[0], error_) + score_error;
  Certificate certificate;
  certificate.primal = (residual * residual / (2 * k) + l1 * size * (1 + row_error_)) * wider;

  double scale = 1;
  for (std::size_t j = 0; j < q_.size(); ++j) {
    const double greatest_q = (std::abs(q_[j]) + error_ * y_norm * norms_[j]) * wider + lost;
    if (greatest_q > l1) scale = std::min(scale, l1 / greatest_q * (2 - wider));
  }
  const double of_y = scale * y_norm;
  const double sum_error = error_ * (target_norm_ * of_y + 0.5 * k * of_y * of_y) * wider + lost;
  certificate.dual = -scale * sums[2] - 0.5 * k * scale * scale * sums[1] - sum_error;
  if (shifted) {
    const double reach = target_norm_ + largest_ * certificate.primal / l1;
    certificate.dual -= (scale * std::abs(sums[3]) + error_ * of_y) * reach * wider;
  }
  certificate.gap = difference_up(certificate.primal, certificate.dual);
  const bool in_range = x_norm < greatest && std::abs(b) < greatest && y_norm < greatest && l1 > smallest;
  if (!in_range || !(certificate.dual >= 0) || !(certificate.gap <= enough)) return std::nullopt;
  if (scale < 1) {
    for (double& yi : point.y) yi *= scale;
    certificate.dual_point = DualPoint::scaled;
  }
  return certificate;
}

}  // namespace seesaw
