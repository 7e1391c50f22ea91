#include <algorithm>
#include <cmath>
#include <functional>

#include "base/scalar.h"
#include "seesaw/error.h"
#include "seesaw/saddle.h"

namespace seesaw::saddle {
namespace {

constexpr double rounding = 1e-12;  // a dual point that a projection has left by this much is taken as feasible

double squared_norm(std::span<const double> v) {
  double sum = 0;
  for (const double t : v) sum += t * t;
  return sum;
}

void require_finite(const std::vector<double>& numbers, const char* name) {
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (!std::isfinite(numbers[k])) throw InvalidArray(name, k, std::string("`") + name + "` must be finite numbers.");
}

void require_not_empty(const std::vector<double>& numbers, const char* name) {
  if (numbers.empty()) throw ShapeError(1, 0, std::string("`") + name + "` must have a number per score of the block.");
}

void require_coefficient(const char* name, double value) {
  if (!(value >= 0) || !std::isfinite(value))
    throw InvalidOption(name, std::to_string(value), "it must be a finite number that is not negative");
}

}  // namespace

// ---- Quadratic ----

Quadratic::Quadratic(double lambda, std::vector<double> center, double l1)
    : lambda_(lambda), l1_(l1), center_(std::move(center)) {
  require_coefficient("lambda", lambda);
  require_coefficient("l1", l1);
  require_finite(center_, "center");
  if (l1 > 0 && !center_.empty()) throw Error("`l1` with a `center` is not supported; shift the problem instead.");
}

// (v + tau lambda center)/(1 + tau lambda), or S(v, tau l1)/(1 + tau lambda)
void Quadratic::prox(std::span<const double> v, double tau, std::span<double> x) const {
  const double scale = 1 / (1 + tau * lambda_);
  for (std::size_t j = 0; j < x.size(); ++j)
    x[j] = scale * (center_.empty() ? soft_threshold(v[j], tau * l1_) : v[j] + tau * lambda_ * center_[j]);
}

double Quadratic::value(std::span<const double> x) const {
  double squares = 0, sizes = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double t = center_.empty() ? x[j] : x[j] - center_[j];
    squares += t * t;
    sizes += std::abs(x[j]);
  }
  return 0.5 * lambda_ * squares + l1_ * sizes;
}

// <center, v> + |v|^2/(2 lambda), or |S(v, l1)|^2/(2 lambda); without lambda 0 where |v|_inf <= l1
double Quadratic::conjugate(std::span<const double> v) const {
  double squares = 0, product = 0;
  for (std::size_t j = 0; j < v.size(); ++j) {
    const double t = soft_threshold(v[j], l1_);
    squares += t * t;
    if (!center_.empty()) product += center_[j] * v[j];
  }
  if (lambda_ == 0) return squares > 0 ? infinity : 0;
  return product + squares / (2 * lambda_);
}

bool Quadratic::maximizer(std::span<const double> v, std::span<double> x) const {
  if (lambda_ == 0) return false;
  for (std::size_t j = 0; j < v.size(); ++j) x[j] = maximizer_of(j, v[j]);
  return true;
}

double Quadratic::maximizer_of(std::size_t j, double v) const {
  if (lambda_ == 0) return unknown;
  return soft_threshold(v, l1_) / lambda_ + (center_.empty() ? 0 : center_[j]);
}

// ---- SquaredDistance ----

SquaredDistance::SquaredDistance(std::vector<double> target) : target_(std::move(target)) {
  require_not_empty(target_, "target");
  require_finite(target_, "target");
}

void SquaredDistance::dual_step(std::span<const double> z, std::span<const double> y0, double q,
                                std::span<double> y) const {
  for (std::size_t k = 0; k < y.size(); ++k) y[k] = (z[k] - target_[k] + q * y0[k]) / (1 + q);
}

double SquaredDistance::value(std::span<const double> z) const {
  double squares = 0;
  for (std::size_t k = 0; k < z.size(); ++k) squares += (z[k] - target_[k]) * (z[k] - target_[k]);
  return 0.5 * squares;
}

double SquaredDistance::conjugate(std::span<const double> y) const {
  double sum = 0;
  for (std::size_t k = 0; k < y.size(); ++k) sum += y[k] * (target_[k] + 0.5 * y[k]);
  return sum;
}

// ---- Norm ----

Norm::Norm(double scale, std::vector<double> target) : scale_(scale), target_(std::move(target)) {
  require_coefficient("scale", scale);
  require_finite(target_, "target");
}

// The projection of y0 + (z - target)/q onto the ball of radius `scale`.
void Norm::dual_step(std::span<const double> z, std::span<const double> y0, double q, std::span<double> y) const {
  for (std::size_t k = 0; k < y.size(); ++k) y[k] = y0[k] + (z[k] - target(k)) / q;
  const double size = std::sqrt(squared_norm(y));
  if (size > scale_)
    for (double& t : y) t *= scale_ / size;
}

double Norm::value(std::span<const double> z) const {
  double squares = 0;
  for (std::size_t k = 0; k < z.size(); ++k) squares += (z[k] - target(k)) * (z[k] - target(k));
  return scale_ * std::sqrt(squares);
}

double Norm::conjugate(std::span<const double> y) const {
  if (!(std::sqrt(squared_norm(y)) <= scale_ * (1 + rounding))) return infinity;
  double product = 0;
  for (std::size_t k = 0; k < y.size(); ++k) product += target(k) * y[k];
  return product;
}

// ---- LargestHinge ----

LargestHinge::LargestHinge(std::vector<double> signs) : signs_(std::move(signs)) {
  require_not_empty(signs_, "signs");
  for (std::size_t k = 0; k < signs_.size(); ++k)
    if (signs_[k] != 1 && signs_[k] != -1) throw InvalidArray("signs", k, "`signs` are -1 or +1.");
}

// p: the projection of p0 + (1 - b z)/q onto {p >= 0, sum p <= 1}: max(0, u - nu) with nu >= 0 such that the sum is at
// most 1. Sorted in descending order, nu follows from the largest ones that stay positive.
void LargestHinge::dual_step(std::span<const double> z, std::span<const double> y0, double q,
                             std::span<double> y) const {
  std::vector<double> u(y.size());
  double positive = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    u[k] = -signs_[k] * y0[k] + (1 - signs_[k] * z[k]) / q;
    positive += std::max(0.0, u[k]);
  }
  double nu = 0;
  if (positive > 1) {
    std::vector<double> sorted = u;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double sum = 0;
    for (std::size_t count = 1; count <= sorted.size(); ++count) {
      sum += sorted[count - 1];
      const double candidate = (sum - 1) / static_cast<double>(count);
      if (sorted[count - 1] > candidate) nu = candidate;
    }
  }
  for (std::size_t k = 0; k < y.size(); ++k) y[k] = -signs_[k] * std::max(0.0, u[k] - nu);
}

double LargestHinge::value(std::span<const double> z) const {
  double most = 0;
  for (std::size_t k = 0; k < z.size(); ++k) most = std::max(most, 1 - signs_[k] * z[k]);
  return most;
}

double LargestHinge::conjugate(std::span<const double> y) const {
  double sum = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double p = -signs_[k] * y[k];
    if (!(p >= -rounding)) return infinity;
    sum += p;
  }
  return sum <= 1 + rounding * static_cast<double>(y.size()) ? -sum : infinity;
}

}  // namespace seesaw::saddle
