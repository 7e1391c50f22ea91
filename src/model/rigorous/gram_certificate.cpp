#include "model/rigorous/gram_certificate.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/tree_sum.h"
#include "data/dataset.h"
#include "model/rigorous/round.h"
#include "model/rigorous/row_weights.h"

namespace seesaw {

using namespace rigorous;

namespace {

constexpr double wider = 1 + 0x1p-40;                  // makes up for the rounding of these formulas themselves
constexpr double smallest = 1e-100, greatest = 1e100;  // of norms: no product overflows, and what underflows is below
constexpr double lost = 1e-250;

}  // namespace

std::unique_ptr<GramCertifier> GramCertifier::make(const Problem& problem, const Eigen::MatrixXd& gram) {
  if (!problem.is_scalar() || problem.leaves().shares() != nullptr) return nullptr;
  const Penalty& g = problem.penalty;
  const auto* const loss = std::get_if<PiecewiseQuadratic>(&problem.scalar().loss);
  if (loss == nullptr || !(loss->delta() > 0) || !g.uniform() || g.l2() != 0 || !(g.l1() > 0)) return nullptr;
  if (!normalized_accurately(problem)) return nullptr;
  std::unique_ptr<GramCertifier> made(new GramCertifier(problem, loss->curvature, gram));
  const bool in_range = made->norms_.back() < greatest && made->all_ > smallest && made->all_ < greatest &&
                        made->curvature_ > smallest && made->curvature_ < greatest && made->error_ < 1e-3;
  return in_range ? std::move(made) : nullptr;
}

GramCertifier::GramCertifier(const Problem& problem, double curvature, const Eigen::MatrixXd& gram)
    : problem_(problem),
      curvature_(curvature),
      row_error_((static_cast<double>(problem.d()) + 16) * unit * wider),
      error_((3 * static_cast<double>(problem.n()) + 256) * unit * wider),
      d_(static_cast<Eigen::Index>(problem.d())),
      matrix_(d_ + 2, d_ + 2) {
  matrix_.topLeftCorner(d_, d_) = gram.selfadjointView<Eigen::Lower>();
  const std::vector<double>&c = problem.normalized_weight, &t = problem.scalar().target;
  std::vector<double> ct(c.size()), sums(problem.d());
  for (std::size_t i = 0; i < c.size(); ++i) ct[i] = c[i] * t[i];
  const Eigen::Map<const Eigen::VectorXd> of_features(sums.data(), d_);
  multiply_transposed(problem.data->rows, c.data(), sums.data());
  matrix_.col(d_).head(d_) = of_features;
  multiply_transposed(problem.data->rows, ct.data(), sums.data());
  matrix_.col(d_ + 1).head(d_) = of_features;
  matrix_(d_, d_) = 1;
  matrix_(d_, d_ + 1) = sum_over(problem.leaves(), ct);
  matrix_(d_ + 1, d_ + 1) = product_over(problem.leaves(), ct, t);
  for (const Eigen::Index j : {d_, d_ + 1}) matrix_.row(j).head(j) = matrix_.col(j).head(j).transpose();
  double all = 0;
  for (Eigen::Index j = 0; j < d_ + 2; ++j) {
    const double norm = std::sqrt(matrix_(j, j) * (1 + 2 * error_)) * wider + lost;
    norms_.push_back(norm);
    if (j >= d_) continue;
    largest_ = std::max(largest_, norm);
    all += norm * norm;
  }
  all_ = std::sqrt(all * (1 + 2 * row_error_)) * wider + lost;
}

std::optional<GramCertifier::Proof> GramCertifier::certify(const std::vector<double>& x, double intercept) const {
  const double l1 = problem_.penalty.l1(), k = curvature_;
  const bool shifted = problem_.free_intercept();
  const double b = shifted ? intercept : 0, T = norms_.back();
  Eigen::VectorXd w(d_ + 2);
  std::copy(x.begin(), x.end(), w.begin());
  w[d_] = b;
  w[d_ + 1] = -1;
  Eigen::VectorXd p = Eigen::VectorXd::Zero(d_ + 2);
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
  const double x_norm = std::sqrt(squares * (1 + 2 * row_error_)) * wider + lost;
  const double g = (error_ + row_error_) * (1 + 4 * error_) * wider;
  const double of_product = g * S * wider;                                                       // g S
  const double of_scores = row_error_ * (all_ * x_norm + std::abs(b) + T) * wider + lost;        // E
  const double residual_squared = (std::max(product, 0.0) + 2 * of_product * S) * wider + lost;  // R^2
  Proof proof;
  Certificate& certificate = proof.certificate;
  certificate.primal = (residual_squared / (2 * k) + l1 * size * (1 + row_error_)) * wider;

  for (Eigen::Index j = 0; j < d_; ++j) {
    const double norm = norms_[static_cast<std::size_t>(j)];
    const double greatest_v = (std::abs(p[j]) + norm * (of_product + of_scores)) / k * wider + lost;
    if (greatest_v > l1) proof.scale = std::min(proof.scale, l1 / greatest_v * (2 - wider));
  }
  const double s = proof.scale, R = std::sqrt(residual_squared) * wider;
  const double from_target = s / k * p[d_ + 1], from_squares = s * s / (2 * k) * residual_squared;
  const double less = s / k * (T * of_product + of_scores * (T + s * R + s * of_scores)) * wider + lost;
  double dual = -from_target - from_squares - less;
  if (shifted)
    dual -= s / k * (std::abs(p[d_]) + of_product + of_scores) * (T + largest_ * certificate.primal / l1) * wider;
  certificate.dual = dual - 0x1p-49 * (std::abs(from_target) + from_squares) - 0x1p-49 * std::abs(dual);
  certificate.gap = difference_up(certificate.primal, certificate.dual);
  if (s < 1) certificate.dual_point = DualPoint::scaled;
  const bool in_range = S < greatest && std::abs(b) < greatest && l1 > smallest && std::isfinite(certificate.primal);
  return in_range && certificate.dual >= 0 ? std::optional(proof) : std::nullopt;
}

std::vector<std::vector<double>> GramCertifier::dual_points(std::span<const ProvedPoint> of) const {
  const std::size_t n = problem_.n(), K = of.size();
  std::vector<double> x(problem_.d() * K), z(n * K);
  for (std::size_t k = 0; k < K; ++k)
    for (std::size_t j = 0; j < problem_.d(); ++j) x[j * K + k] = of[k].x[j];
  if (K > 0) multiply(problem_.data->rows, x.data(), z.data(), K);
  std::vector<std::vector<double>> all(K, std::vector<double>(n));
  const double* const t = problem_.scalar().target.data();
  parallel_chunks(chunks_of(n, 1024), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t k = 0; k < K; ++k) {
      const double b = problem_.free_intercept() ? of[k].intercept : 0, scale = of[k].scale;
      for (std::size_t i = begin; i < end; ++i) all[k][i] = scale * (((z[i * K + k] + b) - t[i]) / curvature_);
    }
  });
  return all;
}

}  // namespace seesaw
