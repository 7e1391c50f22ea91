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

// skipped[i]: whether the dual variable of row i is at a bound with a margin above the threshold.
template <class RowStorage, class Shape>
RowSums scan_rows(const RowStorage& rows, const Leaves& leaves, const PiecewiseQuadratic& loss,
                  const std::vector<DualRow>& row, const PrimalMap<Shape>& primal, const std::vector<double>& w,
                  double intercept, double threshold, std::vector<unsigned char>& skipped) {
  constexpr std::size_t block = 128;  // the scores of some rows, then their terms: each loop is shorter
  skipped.resize(row.size());
  const RowTerms<PiecewiseQuadratic> terms(loss);
  return tree_sum<RowSums>(leaves, [&](std::size_t begin, std::size_t end) {
    RowSums sums;
    double z[block];
    for (std::size_t from = begin; from < end; from += block) {
      const std::size_t size = std::min(block, end - from);
      for (std::size_t k = 0; k < size; ++k) z[k] = primal.score(rows.row(from + k), w) + intercept;
      for (std::size_t k = 0; k < size; ++k) {
        const DualRow& one = row[from + k];
        terms.add(sums, one, z[k], 0, 0);
        skipped[from + k] = static_cast<unsigned char>(margin_of(loss, one.b, z[k], one.y) > threshold);
      }
    }
    return sums;
  });
}

}  // namespace seesaw
