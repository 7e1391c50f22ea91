#include "solvers/parts/dual/face.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"

namespace seesaw {
namespace {

Interval piece_of(const PiecewiseQuadratic& loss, double b, double y) {
  Interval piece = loss.domain(b);
  if (loss.insensitivity > 0) (y > 0 ? piece.lo : piece.hi) = 0;
  return piece;
}

double squared(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += x * x;
  return sum;
}

}  // namespace

Face::Place Face::place(const PiecewiseQuadratic& loss, double b, double y) {
  const Interval piece = piece_of(loss, b, y);
  return y <= piece.lo ? Place::low : y >= piece.hi ? Place::high : Place::inside;
}

FaceStep Face::ascend(std::vector<double>& y, std::vector<double>& w, double& intercept, const FaceLimits& limits) {
  FaceStep result;
  gather(y);
  if (free_.empty()) return result;
  set_gradients(y, w, intercept);
  result.steps = conjugate_gradients(y, limits);
  result.entries = static_cast<double>(values_.size() * (1 + 2 * result.steps));

  unbounded_ = w;
  for (std::size_t j = 0; j < w.size(); ++j) unbounded_[j] += dw_[j];
  unbounded_intercept_ = intercept + db_;

  constexpr int tries = 7;
  double length = 1;
  for (int k = 0; k <= tries && result.gain == 0; ++k, length *= 0.3) {
    if (k == tries) length = step_to_first_bound(y);  // D increases up to the face's maximum, which is infeasible
    double shift = 0;
    const double gain = clipped_gain(y, length, shift);
    if (!(gain > 0)) continue;
    for (std::size_t i = 0; i < free_.size(); ++i) y[free_[i]] += row_[i].dy;
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += trial_[j];
    intercept -= inverse_kappa_b_ * shift;
    result.gain = gain;
    result.blocked = k == tries;
  }
  return result;
}

void Face::gather(const std::vector<double>& y) {
  const ScalarForm& scalar = problem_.scalar();
  const auto& loss = std::get<PiecewiseQuadratic>(scalar.loss);
  free_.clear();
  columns_.clear();
  values_.clear();
  offsets_.assign(1, 0);
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < y.size(); ++i) {
          if (place(loss, scalar.target[i], y[i]) != Place::inside) continue;
          for_each(rows.row(i), [&](std::size_t column, double value) {
            if (value == 0) return;
            columns_.push_back(static_cast<std::uint32_t>(column));
            values_.push_back(value);
          });
          if (values_.size() == offsets_.back() && inverse_kappa_b_ == 0) continue;  // an empty row: already optimal
          free_.push_back(static_cast<std::uint32_t>(i));
          offsets_.push_back(values_.size());
        }
      },
      problem_.data->rows);
}

void Face::set_gradients(const std::vector<double>& y, const std::vector<double>& w, double intercept) {
  const ScalarForm& scalar = problem_.scalar();
  const auto& loss = std::get<PiecewiseQuadratic>(scalar.loss);
  curvature_ = loss.curvature;
  row_.clear();
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const std::uint32_t i = free_[k];
    const double b = scalar.target[i], z = dot(a(k), w.data()) + intercept;
    const Interval piece = piece_of(loss, b, y[i]);
    const double gradient = z - b - std::copysign(loss.insensitivity, y[i]) - loss.curvature * y[i];
    row_.push_back({std::sqrt(problem_.normalized_weight[i]), gradient, piece.lo, piece.hi, 0, 0});
  }
}

std::size_t Face::conjugate_gradients(const std::vector<double>& y, const FaceLimits& limits) {
  const std::size_t free = free_.size();
  residual_.resize(free);
  image_.resize(free);
  back_.resize(problem_.d());
  dw_.assign(problem_.d(), 0.0);
  db_ = 0;
  for (std::size_t k = 0; k < free; ++k) residual_[k] = row_[k].root * row_[k].gradient;
  direction_ = residual_;
  const double first = squared(residual_);
  double square = first;
  std::size_t step = 0;
  while (step < limits.steps && square > limits.precision * limits.precision * first && !stop_requested()) {
    ++step;
    double sum = 0, curvature = 0;
    std::fill(back_.begin(), back_.end(), 0.0);
    for (std::size_t k = 0; k < free; ++k) {
      const double weight = row_[k].root * direction_[k];
      add_to(back_.data(), -weight / problem_.penalty.l2(), a(k));
      sum += weight;
    }
    const double back_intercept = -inverse_kappa_b_ * sum;
    for (std::size_t k = 0; k < free; ++k) {
      image_[k] = curvature_ * direction_[k] - row_[k].root * (dot(a(k), back_.data()) + back_intercept);
      curvature += direction_[k] * image_[k];
    }
    if (!(curvature > 0)) break;  // curvature 0 up to rounding
    const double length = square / curvature;
    for (std::size_t k = 0; k < free; ++k) {
      row_[k].u += length * direction_[k];
      residual_[k] -= length * image_[k];
    }
    for (std::size_t j = 0; j < dw_.size(); ++j) dw_[j] += length * back_[j];
    db_ += length * back_intercept;
    const double before = square;
    square = squared(residual_);
    if (step > 4 && step % 2 == 1 && too_many_leave(y, limits.crossing)) break;
    for (std::size_t k = 0; k < free; ++k) direction_[k] = residual_[k] + square / before * direction_[k];
  }
  return step;
}

// The step length in [0, 1] at which the first row reaches a bound.
double Face::step_to_first_bound(const std::vector<double>& y) const {
  double part = 1;
  for (std::size_t k = 0; k < row_.size(); ++k) {
    const double dy = row_[k].u / row_[k].root;
    if (dy != 0) part = std::min(part, ((dy > 0 ? row_[k].high : row_[k].low) - y[free_[k]]) / dy);
  }
  return part;
}

bool Face::too_many_leave(const std::vector<double>& y, double most) const {
  std::size_t leaving = 0;
  for (std::size_t k = 0; k < row_.size(); ++k) {
    const double moved = y[free_[k]] + row_[k].u / row_[k].root;
    leaving += moved < row_[k].low || moved > row_[k].high;
  }
  return static_cast<double>(leaving) > most * static_cast<double>(row_.size());
}

double Face::clipped_gain(const std::vector<double>& y, double length, double& shift) {
  double gain = 0;
  trial_ = dw_;
  for (double& dw : trial_) dw *= length;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    Row& row = row_[k];
    const double normalized_weight = row.root * row.root, before = y[free_[k]];
    const double unclipped = length * row.u / row.root;
    row.dy = std::clamp(before + unclipped, row.low, row.high) - before;
    if (before + unclipped < row.low || before + unclipped > row.high)
      add_to(trial_.data(), -normalized_weight * (row.dy - unclipped) / problem_.penalty.l2(), a(k));
    gain += normalized_weight * row.dy * (row.gradient - 0.5 * curvature_ * row.dy);
    shift += normalized_weight * row.dy;
  }
  return gain - 0.5 * problem_.penalty.l2() * squared(trial_) - 0.5 * inverse_kappa_b_ * shift * shift;
}

}  // namespace seesaw
