// The terms of one row in the gap, and a scan of all rows at one x (active_rows.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/tree_sum.h"
#include "model/losses/row_terms.h"
#include "solvers/parts/dual/active_rows.h"
#include "solvers/parts/dual/dual_row.h"
#include "solvers/parts/dual/primal_map.h"

namespace seesaw {

// Adds the terms of a row with score z, before its step dy, in units of lambda.
template <class LossType>
class RowTerms;

template <>
class RowTerms<PiecewiseQuadratic> {
 public:
  explicit RowTerms(const PiecewiseQuadratic& loss) : loss_(loss), inverse_curvature_(1 / loss.curvature) {}

  // With h(y) = y (z - b) - e|y| - (k/2) y^2: phi = h(phi'(z)), and phi + phi* - y z = phi - h(y).
  [[gnu::always_inline]] void add(RowSums& sums, const DualRow& row, double z, double, std::size_t) const {
    const double k = loss_.curvature, e = loss_.insensitivity, t = z - row.b, s = soft_threshold(t, e);
    const double best = s == 0 ? 0 : domain_of(loss_, row.b).clip(s * inverse_curvature_);
    const double phi = best * t - e * std::abs(best) - 0.5 * k * best * best;
    sums.gap += row.scaled_weight * (phi - (row.y * t - e * std::abs(row.y) - 0.5 * k * row.y * row.y));
    sums.primal += row.scaled_weight * (phi - 0.5 * row.y * z);
  }

 private:
  const PiecewiseQuadratic& loss_;
  double inverse_curvature_;
};

// The gap to second order in dy, (dy^2/2) (1 + q v)^2/v with v = p (1 - p) after the step; P from one row of sixteen.
template <>
class RowTerms<Logistic> {
 public:
  explicit RowTerms(const Logistic& loss) : loss_(loss) {}

  [[gnu::always_inline]] void add(RowSums& sums, const DualRow& row, double z, double dy, std::size_t position) const {
    const double p = std::abs(row.y + dy), v = std::max(p * (1 - p), 1e-16), s = dy * (1 + row.q * v);
    sums.gap += row.scaled_weight * (0.5 * s * s / v);
    if (position % sampled == 0) [[unlikely]]
      add_primal(sums, row, z);
  }

 private:
  static constexpr std::size_t sampled = 16;
  [[gnu::noinline]] void add_primal(RowSums& sums, const DualRow& row, double z) const {
    sums.primal += static_cast<double>(sampled) * row.scaled_weight * (loss_.value(row.b, z) - 0.5 * row.y * z);
  }

  const Logistic& loss_;
};

// At a bound, or at 0 where |y| is not differentiable.
[[gnu::always_inline]] inline bool at_bound(const PiecewiseQuadratic& loss, double b, double y) {
  const Interval box = domain_of(loss, b);
  return (y <= box.lo) | (y >= box.hi) | ((y == 0) & (loss.insensitivity > 0));
}
inline bool at_bound(const Logistic&, double, double) { return false; }

// The margin of PiecewiseQuadratic::projected_gradient, without branches.
[[gnu::always_inline]] inline double margin_of(const PiecewiseQuadratic& loss, double b, double z, double y) {
  const Interval box = domain_of(loss, b);
  const double e = loss.insensitivity, force = z - b - loss.curvature * y, rise = force - std::copysign(e, y);
  const double at_bounds = std::max(y <= box.lo ? -rise : 0.0, y >= box.hi ? rise : 0.0);
  return ((y == 0) & (e > 0)) ? std::max(e - std::abs(force), 0.0) : at_bounds;
}

// Margins of rows at their last scores, so that a scan computes only those that may have fallen to the threshold. While
// y_i does not change, the margin changes by at most |a_i| |dx| + |db|, and |dx| <= |dw|: the map from w to x is
// nonexpansive. |dw| and |db| are summed from scan to scan.
class ScoredMargins {
 public:
  bool empty() const { return margin_.empty(); }
  void clear() { margin_.clear(); }  // another loss, or other rows

  void begin_scan(std::size_t rows, const std::vector<double>& w, double intercept) {
    if (empty()) {
      margin_.assign(rows, -infinity);
      y_.resize(rows);
      last_w_ = w;
      last_intercept_ = intercept;
      distance_ = shift_ = 0;
      return;
    }
    double squares = 0;
    for (std::size_t j = 0; j < w.size(); ++j) squares += (w[j] - last_w_[j]) * (w[j] - last_w_[j]);
    last_w_ = w;
    distance_ += std::sqrt(squares);
    shift_ += std::abs(intercept - last_intercept_);
    last_intercept_ = intercept;
  }

  // Whether the margin of row i is above the threshold without a new score.
  bool above(double threshold, std::size_t i, double y, double squared_norm) const {
    const double spare = margin_[i] - shift_ - threshold;
    return (y == y_[i]) & (spare > 0) & (spare * spare > squared_norm * distance_ * distance_);
  }
  void set(std::size_t i, double y, double squared_norm, double margin) {
    margin_[i] = margin + shift_ + std::sqrt(squared_norm) * distance_;
    y_[i] = y;
  }

  void serialize(Archive& archive) {
    archive.array("margins", margin_);
    archive.array("margins_y", y_);
    archive.array("margins_w", last_w_);
    archive.numbers("margins_from", last_intercept_, distance_, shift_);
  }

 private:
  std::vector<double> margin_, y_;  // per row, margin_ with the distance and shift at the time of the score
  std::vector<double> last_w_;
  double last_intercept_ = 0;
  double distance_ = 0, shift_ = 0;  // of w and of the intercept, since the first scan
};

// skipped[i]: whether the dual variable of row i is at a bound with a margin above the threshold. Such a row adds nothing
// to the gap, so that P = gap - sum_i c_i [phi* - b y_i] - (lambda/2)|x|^2 does not need its score either.
template <class RowStorage, class Shape>
RowSums scan_rows(const RowStorage& rows, const Leaves& leaves, const PiecewiseQuadratic& loss,
                  const std::vector<DualRow>& row, const std::vector<double>& squared_norm,
                  const PrimalMap<Shape>& primal, const std::vector<double>& w, double intercept, double threshold,
                  ScoredMargins& margins, std::vector<unsigned char>& skipped) {
  constexpr std::size_t block = 128;  // the scores of some rows, then their terms: each loop is shorter
  skipped.resize(row.size());
  margins.begin_scan(row.size(), w, intercept);
  const RowTerms<PiecewiseQuadratic> terms(loss);
  const double k = loss.curvature, e = loss.insensitivity;
  RowSums all = tree_sum<RowSums>(leaves, [&](std::size_t begin, std::size_t end) {
    RowSums sums;
    double z[block], conjugates = 0;
    std::size_t scored[block];
    for (std::size_t from = begin; from < end; from += block) {
      std::size_t count = 0;
      for (std::size_t i = from; i < std::min(from + block, end); ++i) {
        const DualRow& one = row[i];
        conjugates += one.scaled_weight * ((one.b - intercept) * one.y + e * std::abs(one.y) + 0.5 * k * one.y * one.y);
        skipped[i] = 1;
        scored[count] = i;
        count += margins.above(threshold, i, one.y, squared_norm[i]) ? 0 : 1;
      }
      for (std::size_t at = 0; at < count; ++at) z[at] = primal.score(rows.row(scored[at]), w) + intercept;
      for (std::size_t at = 0; at < count; ++at) {
        const std::size_t i = scored[at];
        const DualRow& one = row[i];
        terms.add(sums, one, z[at], 0, 0);
        sums.entries += rows.row(i).size;
        const double margin = margin_of(loss, one.b, z[at], one.y);
        margins.set(i, one.y, squared_norm[i], margin);
        skipped[i] = static_cast<unsigned char>(margin > threshold);
      }
    }
    sums.primal = sums.gap - conjugates;
    return sums;
  });
  all.primal -= primal.squared_norm(w) / 2;
  return all;
}

}  // namespace seesaw
