#include "model/rigorous/gram_certificate.h"

#include <algorithm>
#include <cmath>

#include "data/dataset.h"
#include "model/rigorous/round.h"
#include "model/rigorous/row_weights.h"

namespace seesaw {

using namespace rigorous;

namespace {

constexpr double wider = 1 + 0x1p-40;                  // makes up for the rounding of these formulas themselves
constexpr double smallest = 1e-100, greatest = 1e100;  // of norms: no product overflows, and what underflows is below
constexpr double lost = 1e-250;
constexpr double least_norm = 1e-140;  // what underflow takes from the sums of its square is below it

}  // namespace

bool GramCertifier::applies(const Problem& problem) {
  if (!problem.is_scalar()) return false;
  const auto* const loss = std::get_if<PiecewiseQuadratic>(&problem.scalar().loss);
  return loss != nullptr && loss->delta() > 0 && problem.penalty.uniform() && !problem.penalty.none();
}

std::unique_ptr<GramCertifier> GramCertifier::make(const Problem& problem, const SecondMoments& moments) {
  if (!applies(problem) || !normalized_accurately(problem)) return nullptr;
  const double curvature = std::get<PiecewiseQuadratic>(problem.scalar().loss).curvature;
  std::unique_ptr<GramCertifier> made(new GramCertifier(problem, curvature, moments));
  const bool in_range = made->norms_.back() < greatest && made->all_ > smallest && made->all_ < greatest &&
                        curvature > smallest && curvature < greatest && made->error_ < 1e-3;
  return in_range ? std::move(made) : nullptr;
}

GramCertifier::GramCertifier(const Problem& problem, double curvature, const SecondMoments& moments)
    : problem_(problem),
      free_(problem.free_intercept()),
      curvature_(curvature),
      row_error_((static_cast<double>(problem.d()) + 16) * unit * wider),
      d_(static_cast<Eigen::Index>(problem.d())),
      target_(d_ + (free_ ? 1 : 0)),
      matrix_(moments.matrix.selfadjointView<Eigen::Lower>()) {
  const RowWeights weights(problem);
  const Bounded<Twofold> total = weights.total(problem.leaves());
  total_ = {total.value.high, total.error + unit * std::abs(total.value.high)};
  // c_i is rounded once where all weights are equal, otherwise it has the rounding of their sum as well.
  const double of_weights = weights.all_one() ? 0 : static_cast<double>(problem.all_rows());
  error_ = (moments.additions + of_weights + 64) * unit * wider;
  double all = 0;
  for (Eigen::Index j = 0; j < matrix_.rows(); ++j) {
    const double norm = std::sqrt(matrix_(j, j) * (1 + 2 * error_)) * wider + least_norm;
    norms_.push_back(norm);
    if (j >= d_) continue;
    largest_ = std::max(largest_, norm);
    all += norm * norm;
  }
  all_ = std::sqrt(all * (1 + 2 * row_error_)) * wider + least_norm;
}

std::optional<PointProof> GramCertifier::certify(const std::vector<double>& x, double intercept) const {
  const double l1 = problem_.penalty.l1(), l2 = problem_.penalty.l2(), k = curvature_;
  const double b = free_ ? intercept : 0, T = norms_.back();
  Eigen::VectorXd w(matrix_.rows());
  std::copy(x.begin(), x.end(), w.begin());
  if (free_) w[d_] = b;
  w[target_] = -1;
  Eigen::VectorXd p = Eigen::VectorXd::Zero(w.size());
  double S = 0, size = 0, squares = 0, product = 0;
  for (Eigen::Index j = 0; j < w.size(); ++j) {
    S += norms_[static_cast<std::size_t>(j)] * std::abs(w[j]);
    if (w[j] != 0) p += w[j] * matrix_.col(j);
    if (j >= d_) continue;
    size += std::abs(w[j]);
    squares += w[j] * w[j];
  }
  for (Eigen::Index j = 0; j < w.size(); ++j) product += w[j] * p[j];
  S = S * (1 + row_error_) * wider + lost;
  const double x_norm = std::sqrt(squares * (1 + 2 * row_error_)) * wider + least_norm;
  const double g = (error_ + row_error_) * (1 + 4 * error_) * wider;
  const double of_product = g * S * wider;                                                       // g S
  const double of_scores = row_error_ * (all_ * x_norm + std::abs(b) + T) * wider + lost;        // E
  const double residual_squared = (std::max(product, 0.0) + 2 * of_product * S) * wider + lost;  // R^2
  PointProof proof;
  Certificate& certificate = proof.certificate;
  certificate.primal = (residual_squared / (2 * k) + l1 * size * (1 + row_error_) + 0.5 * l2 * x_norm * x_norm) * wider;

  double conjugate = 0;                                     // of the penalty, times 2 l2
  std::vector<double> error(static_cast<std::size_t>(d_));  // of p_j and y
  for (Eigen::Index j = 0; j < d_; ++j) {
    const double norm = norms_[static_cast<std::size_t>(j)];
    const double off = error[static_cast<std::size_t>(j)] = norm * (of_product + of_scores) * wider;
    const double greatest_v = (std::abs(p[j]) + off) / k * wider + lost;
    const double beyond = greatest_v - l1;
    if (!(beyond > 0)) continue;
    if (l2 > 0) conjugate += beyond * beyond * wider + lost;
    else proof.scale = std::min(proof.scale, l1 / greatest_v * (2 - wider));
  }
  conjugate = l2 > 0 ? conjugate / (2 * l2) * (1 + row_error_) * wider : 0;
  const double s = proof.scale, R = std::sqrt(residual_squared) * wider;
  const double from_target = s / k * p[target_], from_squares = s * s / (2 * k) * residual_squared;
  const double less = s / k * (T * of_product + of_scores * (T + s * R + s * of_scores)) * wider + lost;
  double dual = -from_target - from_squares - less - conjugate;
  if (free_) {
    const double by_l1 = l1 > 0 ? largest_ * certificate.primal / l1 : infinity;
    const double by_l2 = l2 > 0 ? all_ * std::sqrt(2 * certificate.primal / l2) : infinity;
    dual -= s / k * (std::abs(p[d_]) + of_product + of_scores) * (T + std::min(by_l1, by_l2)) * wider;
  }
  certificate.dual = dual - 0x1p-49 * (std::abs(from_target) + from_squares + conjugate) - 0x1p-49 * std::abs(dual);
  certificate.gap = difference_up(certificate.primal, certificate.dual);
  if (s < 1) certificate.dual_point = DualPoint::scaled;
  certificate.distance_bound = seesaw::distance_bound(certificate.gap, problem_.penalty.strong_convexity());
  const bool in_range = S < greatest && std::abs(b) < greatest && (l1 > smallest || l1 == 0) &&
                        (l2 > smallest || l2 == 0) && l1 < greatest && l2 < greatest &&
                        std::isfinite(certificate.primal);
  if (!in_range || !(certificate.dual >= 0)) return std::nullopt;

  for (Eigen::Index j = 0; j < d_; ++j) {
    const double norm = norms_[static_cast<std::size_t>(j)], mean = free_ ? matrix_(d_, j) : 0;
    const double off_mean = free_ ? error_ * norm * norms_[static_cast<std::size_t>(d_)] * wider + lost : 0;
    proof.columns.push_back(
        {norm * norm * wider, std::max(0.0, std::abs(mean) - off_mean), (std::abs(mean) + off_mean) * wider});
    proof.image.push_back(
        Bounded<double>(s / k * p[j],
                        s / k * (error[static_cast<std::size_t>(j)] + 0x1p-50 * std::abs(p[j])) * wider + lost) *
        total_);
  }
  return proof;
}

std::vector<std::vector<double>> GramCertifier::dual_points(std::span<const ProvedPoint> of) const {
  const std::size_t n = problem_.n(), K = of.size();
  const double* const t = problem_.scalar().target.data();
  std::vector<std::vector<double>> all(K, std::vector<double>(n));
  const auto of_scores = [&](const double* z, std::size_t k, std::size_t begin, std::size_t end) {
    const double b = free_ ? of[k].intercept : 0, scale = of[k].scale;
    for (std::size_t i = begin; i < end; ++i) all[k][i] = scale * (((z[i * K] + b) - t[i]) / curvature_);
  };
  if (K == 1) {  // in place
    double* const y = all[0].data();
    multiply_then(problem_.data->rows, of[0].x.data(), y, 1,
                  [&](std::size_t begin, std::size_t end) { of_scores(y, 0, begin, end); });
    return all;
  }
  std::vector<double> x(problem_.d() * K), z(n * K);
  for (std::size_t k = 0; k < K; ++k)
    for (std::size_t j = 0; j < problem_.d(); ++j) x[j * K + k] = of[k].x[j];
  if (K > 0)
    multiply_then(problem_.data->rows, x.data(), z.data(), K, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = 0; k < K; ++k) of_scores(z.data() + k, k, begin, end);
    });
  return all;
}

}  // namespace seesaw
