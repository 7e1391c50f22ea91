#include "model/certificate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/compensated_sum.h"
#include "base/parallel.h"
#include "model/block_certificate.h"
#include "model/certificate_sums.h"
#include "model/intercept.h"
#include "model/unregularized_dual.h"

namespace seesaw {
namespace {

// P, D and gap of the rows: sum c_i phi_i(z_i + b), -sum c_i phi_i*(y_i), sum c_i [phi + phi* - y (z + b)] >= 0.
CertificateSums over_rows(const Problem& problem, const std::vector<double>& z, const Point& point) {
  return std::visit(
      [&](const auto& loss) {
        return parallel_sum<CertificateSums>(chunks_of(z.size()), [&](std::size_t begin, std::size_t end) {
          CertificateSums sums;
          for (std::size_t i = begin; i < end; ++i) {
            const double c = problem.share[i], score = z[i] + point.intercept[0];
            const double phi = loss.value(problem.target[i], score);
            const double conjugate = loss.conjugate(problem.target[i], point.y[i]);
            sums.primal += c * phi;
            sums.dual += -c * conjugate;
            sums.gap += c * not_below_zero(phi + conjugate - point.y[i] * score);
          }
          return sums;
        });
      },
      problem.loss);
}

bool is_zero(const std::vector<double>& x) {  // as at most starts: no product is needed then
  return std::all_of(x.begin(), x.end(), [](double xj) { return xj == 0; });
}

}  // namespace

std::string_view name_of(DualPoint point) {
  static constexpr std::array<std::string_view, 5> names = {"as given", "balanced", "scaled", "projected", "zero"};
  return names[static_cast<std::size_t>(point)];
}

Certifier::Certifier(const Problem& problem) : problem_(problem) {
  if (problem.block_loss) {
    block_ = std::make_unique<BlockCertifier>(problem);
    return;
  }
  z_.resize(problem.n());
  v_.resize(problem.d());
  cy_.resize(problem.n());
}

Certifier::~Certifier() = default;

Certificate Certifier::certify(Point& point, double accuracy) {
  if (block_) return block_->certify(point, accuracy);
  Certificate certificate;
  if (is_zero(point.x)) std::fill(z_.begin(), z_.end(), 0.0);
  else multiply(problem_.data->rows, point.x.data(), z_.data());
  point.intercept.resize(1);
  point.intercept[0] = problem_.free_intercept() ? best_intercept(problem_, z_, point.intercept[0], accuracy) : 0;
  make_dual_feasible(point, certificate);

  CertificateSums sums = over_rows(problem_, z_, point);
  sums += over_coordinates(problem_.regularizer, point.x, v_);
  sums.put_into(certificate, dual_allowance_, strong_convexity(problem_.regularizer));
  return certificate;
}

// Every y_i into its domain, then sum c_i y_i = 0 for a free intercept, then v inside the box where g* is finite.
void Certifier::make_dual_feasible(Point& point, Certificate& certificate) {
  dual_allowance_ = 0;
  std::vector<double>& y = point.y;
  std::visit(
      [&](const auto& loss) {
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = loss.domain(problem_.target[i]).clip(y[i]);
      },
      problem_.loss);

  const double bound = std::visit([](const auto& g) { return g.dual_bound(); }, problem_.regularizer);
  if (bound == 0) {  // no regularization: A^T C y = 0
    const bool projected = project_to_unregularized_dual(problem_, z_, point.intercept[0], y);
    certificate.dual_point = projected ? DualPoint::projected : DualPoint::zero;
    if (!projected) std::fill(y.begin(), y.end(), 0.0);
  }
  if (problem_.free_intercept()) {
    if (bound == 0) {
      CompensatedSum rest;
      for (std::size_t i = 0; i < y.size(); ++i) rest += problem_.share[i] * y[i];
      dual_allowance_ += std::abs(rest.value()) * (1 + 2 * std::abs(point.intercept[0]));
    } else {
      balance(y, certificate);
      dual_allowance_ *= 1 + 2 * std::abs(point.intercept[0]);
    }
  }
  dual_image(y);
  if (std::isinf(bound)) return;
  if (bound == 0) {  // what rounding left of v is worth at most |v_j| |x| near x: an allowance, then v counts as 0
    for (std::size_t j = 0; j < v_.size(); ++j) dual_allowance_ += std::abs(v_[j]) * (1 + 2 * std::abs(point.x[j]));
    std::fill(v_.begin(), v_.end(), 0.0);
    return;
  }
  double largest = 0;
  for (double vj : v_) largest = std::max(largest, std::abs(vj));
  if (largest > bound) {
    const double s = (1 - 1e-14) * bound / largest;  // so that rounding cannot leave the box
    for (double& yi : y) yi *= s;
    for (double& vj : v_) vj *= s;
    dual_allowance_ *= s;
    certificate.dual_point = DualPoint::scaled;
  }
}

// Scales the heavier of the positive and the negative entries down to the lighter: every domain contains 0, so y stays
// feasible. What rounding leaves of the sum moves onto one entry that has room; the rest is the allowance.
void Certifier::balance(std::vector<double>& y, Certificate& certificate) {
  CompensatedSum up, down;
  for (std::size_t i = 0; i < y.size(); ++i) (y[i] > 0 ? up : down) += problem_.share[i] * std::abs(y[i]);
  const double heavy = std::max(up.value(), down.value()), light = std::min(up.value(), down.value());
  if (heavy == light) return;
  const bool shrink_positive = up.value() > down.value();
  const double s = light / heavy;
  for (double& yi : y)
    if ((yi > 0) == shrink_positive) yi *= s;
  certificate.dual_point = DualPoint::balanced;

  const auto imbalance = [&] {
    CompensatedSum sum;
    for (std::size_t i = 0; i < y.size(); ++i) sum += problem_.share[i] * y[i];
    return sum.value();
  };
  double rest = imbalance();
  std::visit(
      [&](const auto& loss) {
        for (std::size_t i = 0; i < y.size() && rest != 0; ++i) {
          const double moved = y[i] - rest / problem_.share[i];
          const Interval box = loss.domain(problem_.target[i]);
          if (y[i] == 0 || !(box.lo < moved && moved < box.hi)) continue;
          y[i] = moved;
          rest = 0;
        }
      },
      problem_.loss);
  dual_allowance_ = std::abs(imbalance());
}

void Certifier::dual_image(const std::vector<double>& y) {
  if (is_zero(y)) {
    std::fill(v_.begin(), v_.end(), 0.0);
    return;
  }
  for (std::size_t i = 0; i < y.size(); ++i) cy_[i] = -problem_.share[i] * y[i];
  multiply_transposed(problem_.data->rows, cy_.data(), v_.data());
}

}  // namespace seesaw
