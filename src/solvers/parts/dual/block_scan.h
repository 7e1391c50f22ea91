// A scan (active_rows.h) for the multiclass hinge: the K scores of all rows at one x, in their order, the terms of the
// rows in the gap, and which rows are skipped. A row at a corner of the simplex, p_i = e_k, adds nothing to the gap while
// G_k is the largest; its margin changes by at most sqrt(2) |a_i| |dx| + 2 max |db|.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/tree_sum.h"
#include "model/problem.h"
#include "solvers/parts/dual/active_rows.h"
#include "solvers/parts/dual/row_scan.h"

namespace seesaw {

// State of dual ascent for K classes; w has `stride` numbers per feature, y has K per row.
struct BlockState {
  const Problem& problem;
  double lambda, curvature_of_intercept;  // the latter: lambda / kappa_b
  std::size_t classes, stride;
  std::vector<double>& y;
  std::vector<double>& w;
  std::vector<double>& sum;  // (1/lambda) sum_i c_i y_i
};

// The class k where p is e_k; -1 inside the simplex.
inline double corner_of(std::size_t b, const double* y, std::size_t classes) {
  std::size_t corner = b;
  for (std::size_t k = 0; k < classes; ++k) {
    const double p = k == b ? y[k] + 1 : y[k];
    if (p == 1) corner = k;
    else if (p != 0) return -1;
  }
  return static_cast<double>(corner);
}

// skipped[i]: whether row i is at a corner with a margin above the threshold. scores(i, z) adds a_i.x to z; `path`: an
// upper bound on what intercepts have changed a margin by since the start; `penalty`: (lambda/2)|x|^2.
template <class Scores>
RowSums scan_blocks(const BlockState& now, const MulticlassHinge& loss, const std::vector<double>& intercept,
                    double path, double penalty, double threshold, const Scores& scores, ScoredMargins& margins,
                    std::vector<unsigned char>& skipped) {
  const Problem& problem = now.problem;
  const std::size_t K = now.classes;
  const std::vector<std::uint32_t>& class_of_row = problem.block().class_of_row;
  const std::vector<double>& squared_norm = problem.squared_row_norms();
  skipped.resize(problem.n());
  margins.begin_scan(problem.n(), now.w, path);
  RowSums all = tree_sum<RowSums>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    RowSums sums;
    double conjugates = 0;  // less b.y
    std::vector<double> z(now.stride);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t b = class_of_row[i];
      const double c = problem.normalized_weight[i], *y = &now.y[i * K];
      double conjugate = y[b];
      for (std::size_t k = 0; k < K; ++k) conjugate -= intercept[k] * y[k];
      conjugates += c * conjugate;
      skipped[i] = 1;
      const double corner = corner_of(b, y, K), square = 2 * squared_norm[i];
      if (corner >= 0 && margins.above(threshold, i, corner, square)) continue;
      std::copy(intercept.begin(), intercept.end(), z.begin());
      sums.entries += scores(i, z.data());
      const auto gradient = loss.projected_gradient(b, z.data(), y);
      sums.gap += c * loss.excess(b, z.data(), y, gradient.largest);
      margins.set(i, corner, square, corner >= 0 ? gradient.margin : -infinity);
      skipped[i] = static_cast<unsigned char>(gradient.margin > threshold);
    }
    sums.primal = sums.gap - conjugates;
    return sums;
  });
  all.primal -= penalty;
  return all;
}

}  // namespace seesaw
