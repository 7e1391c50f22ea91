// Extrapolation (extrapolation.h) for the multiclass hinge with an l2 penalty: D is quadratic along the line that the
// last passes went, and is maximized on it as far as every p_i stays in the simplex.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/scalar.h"
#include "data/rows.h"
#include "model/losses/simplex.h"
#include "model/problem.h"

namespace seesaw {

// What dual ascent keeps of a problem with K classes; w has `stride` numbers a feature, y has K a row.
struct BlockState {
  const Problem& problem;
  double lambda, curvature_of_intercept;  // the latter: lambda / kb
  std::size_t classes, stride;
  std::vector<double>& y;
  std::vector<double>& w;
  std::vector<double>& sum;  // (1/lambda) sum_i c_i y_i
};

class BlockExtrapolation {
 public:
  // After a pass. `entries`: touched so far, so that the cost stays a small share.
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

 private:
  static constexpr int window = 25;

  // With y + t dy and w + t dw, D / lambda rises by t slope - t^2/2 bend until some p_ik meets 0.
  template <class RowStorage>
  void line_search(const RowStorage& rows, const BlockState& now, const std::vector<double>& intercept) {
    const std::size_t K = now.classes;
    double derivative = 0, bend = 0, longest = infinity;
    std::vector<double> shift(K);
    for (std::size_t j = 0; j < dw_.size(); ++j) dw_[j] = now.w[j] - dw_[j];
    for (std::size_t i = 0; i < now.problem.n(); ++i) {
      const double kick = now.problem.normalized_weight[i] / now.lambda, *y = &now.y[i * K];
      const auto b = static_cast<std::size_t>(now.problem.target[i]);
      double *dy = &dy_[i * K], room = infinity;
      bool moved = false;
      for (std::size_t k = 0; k < K; ++k) {
        dy[k] = y[k] - dy[k];
        moved |= dy[k] != 0;
        if (dy[k] < 0) room = std::min(room, (k == b ? y[k] + 1 : y[k]) / -dy[k]);
      }
      if (!moved) continue;
      if (!(room > 0)) {  // has arrived at a face of the simplex: the row stays where it is
        for_each(rows.row(i), [&](std::size_t j, double value) {
          for (std::size_t k = 0; k < K; ++k) dw_[j * now.stride + k] += kick * value * dy[k];
        });
        std::fill_n(dy, K, 0.0);
        continue;
      }
      longest = std::min(longest, room);
      derivative -= kick * dy[b];
      for (std::size_t k = 0; k < K; ++k) shift[k] += kick * dy[k];
    }
    for (std::size_t j = 0; j < dw_.size(); ++j) {
      derivative -= now.w[j] * dw_[j];
      bend += dw_[j] * dw_[j];
    }
    for (std::size_t k = 0; k < K; ++k) {
      derivative += intercept[k] * shift[k];
      bend += now.curvature_of_intercept * shift[k] * shift[k];
    }
    const double t = std::min(derivative / bend, longest);
    if (!(t > 0) || !std::isfinite(t)) return;
    for (std::size_t j = 0; j < dw_.size(); ++j) now.w[j] += t * dw_[j];
    for (std::size_t k = 0; k < K; ++k) now.sum[k] += t * shift[k];
    for (std::size_t i = 0; i < now.problem.n(); ++i) {
      const auto b = static_cast<std::size_t>(now.problem.target[i]);
      double *y = &now.y[i * K], *dy = &dy_[i * K];
      if (std::all_of(dy, dy + K, [](double d) { return d == 0; })) continue;
      for (std::size_t k = 0; k < K; ++k)
        if (k != b) y[k] = std::max(0.0, y[k] + t * dy[k]);
      close_simplex(b, y, K);
    }
  }

  std::vector<double> dy_, dw_;  // between searches: where the line begins; during one: its direction
  int passes_ = 0;
  std::uint64_t due_ = 0;
};

}  // namespace seesaw
