// Extrapolation (extrapolation.h) for the multiclass hinge with an l2 penalty: D is quadratic along the direction of the
// last passes, and is maximized on the part of the line where every p_i stays in the simplex.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/archive.h"
#include "base/scalar.h"
#include "data/rows.h"
#include "model/losses/simplex.h"
#include "model/problem.h"
#include "solvers/parts/dual/block_scan.h"

namespace seesaw {

class BlockExtrapolation {
 public:
  // Called after each pass. `entries`: entries read so far; searches are spaced so that their cost stays small.
  template <class RowStorage>
  void end_pass(const RowStorage& rows, const BlockState& now, const std::vector<double>& intercept,
                std::uint64_t entries) {
    if (++passes_ < window || entries < due_) return;
    if (!dy_.empty()) line_search(rows, now, intercept);
    dy_ = now.y;
    dw_ = now.w;
    passes_ = 0;
    due_ = entries + 4 * (now.problem.n() + now.problem.d());
  }

  void serialize(Archive& archive) {
    archive.numbers("extrapolation", passes_, due_);
    archive.array("start_y", dy_);
    archive.array("start_w", dw_);
  }

 private:
  static constexpr int window = 25;

  // At y + t dy and w + t dw, D / lambda increases by t derivative - t^2/2 curvature, until some p_ik reaches 0.
  template <class RowStorage>
  void line_search(const RowStorage& rows, const BlockState& now, const std::vector<double>& intercept) {
    const std::size_t K = now.classes;
    const std::vector<std::uint32_t>& class_of_row = now.problem.block().class_of_row;
    double derivative = 0, curvature = 0, longest = infinity;
    std::vector<double> shift(K);
    for (std::size_t j = 0; j < dw_.size(); ++j) dw_[j] = now.w[j] - dw_[j];
    for (std::size_t i = 0; i < now.problem.n(); ++i) {
      const double scaled_weight = now.problem.normalized_weight[i] / now.lambda, *y = &now.y[i * K];
      const std::size_t b = class_of_row[i];
      double *dy = &dy_[i * K], limit = infinity;
      bool moved = false;
      for (std::size_t k = 0; k < K; ++k) {
        dy[k] = y[k] - dy[k];
        moved |= dy[k] != 0;
        if (dy[k] < 0) limit = std::min(limit, (k == b ? y[k] + 1 : y[k]) / -dy[k]);
      }
      if (!moved) continue;
      if (!(limit > 0)) {  // at a face of the simplex: the row is not moved
        for_each(rows.row(i), [&](std::size_t j, double value) {
          for (std::size_t k = 0; k < K; ++k) dw_[j * now.stride + k] += scaled_weight * value * dy[k];
        });
        std::fill_n(dy, K, 0.0);
        continue;
      }
      longest = std::min(longest, limit);
      derivative -= scaled_weight * dy[b];
      for (std::size_t k = 0; k < K; ++k) shift[k] += scaled_weight * dy[k];
    }
    for (std::size_t j = 0; j < dw_.size(); ++j) {
      derivative -= now.w[j] * dw_[j];
      curvature += dw_[j] * dw_[j];
    }
    for (std::size_t k = 0; k < K; ++k) {
      derivative += intercept[k] * shift[k];
      curvature += now.curvature_of_intercept * shift[k] * shift[k];
    }
    const double t = std::min(derivative / curvature, longest);
    if (!(t > 0) || !std::isfinite(t)) return;
    for (std::size_t j = 0; j < dw_.size(); ++j) now.w[j] += t * dw_[j];
    for (std::size_t k = 0; k < K; ++k) now.sum[k] += t * shift[k];
    for (std::size_t i = 0; i < now.problem.n(); ++i) {
      const std::size_t b = class_of_row[i];
      double *y = &now.y[i * K], *dy = &dy_[i * K];
      if (std::all_of(dy, dy + K, [](double d) { return d == 0; })) continue;
      for (std::size_t k = 0; k < K; ++k)
        if (k != b) y[k] = std::max(0.0, y[k] + t * dy[k]);
      close_simplex(b, y, K);
    }
  }

  std::vector<double> dy_, dw_;  // between searches: the start of the line; during one: its direction
  int passes_ = 0;
  std::uint64_t due_ = 0;
};

}  // namespace seesaw
