// The rigorous certificate of many points of one problem by its Gram matrix, for paths: the squared loss with l1 alone and
// few features. With the columns alpha = (A, 1, t) of n numbers, t the targets, M = alpha^T C alpha and w = (x, b, -1), the
// residual is r = alpha w, and everything that P and D need of the rows is in p = M w: O(d^2) per point.
//
// With |.|_c the norm weighted by c (sum_i c_i = 1), u = 2^-53, N_j = |alpha_j|_c, S = sum_j N_j |w_j| >= |r|_c, loss
// (z - t)^2/(2k), g_d and g_n above d + 16 and 3n + 256 roundings of size u, and g = g_n + g_d:
//
//     M    is within g_n N_j N_k, since each entry is a sum over the rows, and so p_j within g N_j S of (alpha_j, r)_c
//     R^2  = w.p + 2 g S^2 >= |r|_c^2:        P <= R^2/(2k) + l1 |x|_1
//     y    = s r/k, computed by one product A x, is within (s/k) E of that in |.|_c, E = g_d (F |x| + |b| + T),
//          F^2 = sum_j |a_j|_c^2, T = |t|_c
//     v    |v_j| <= (s/k) (|p_j| + N_j (g S + E)): s is the largest number <= 1 with |v_j| <= l1
//     D    >= -(s/k) (p_t + g T S) - (s^2/2k) R^2, less (s/k) E (T + s R + s E) for the rounding of y, and less
//          (s/k) (|p_1| + g S + E) B for a free intercept, |b*| <= B = T + max_j N_j P/l1 (normwise_certificate.h)
//
// Where these bounds are too wide for the tolerance, another certificate is needed.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/certificate.h"

namespace seesaw {

class GramCertifier {
 public:
  // `gram`: A^T C A, its lower triangle, each entry computed from the rows with at most 3n + 256 roundings. Null for other
  // losses and penalties, for weights near underflow, and for rows of several processes. `problem` must outlive this; l1
  // may change.
  static std::unique_ptr<GramCertifier> make(const Problem& problem, const Eigen::MatrixXd& gram);

  struct Proof {
    Certificate certificate;
    double scale = 1;  // s
  };
  // Nothing if D is not proved to be at least 0, or numbers are out of range.
  std::optional<Proof> certify(const std::vector<double>& x, double intercept) const;
  // The dual points of some proofs, in one read of the data.
  struct ProvedPoint {
    std::vector<double> x;
    double intercept, scale;
  };
  std::vector<std::vector<double>> dual_points(std::span<const ProvedPoint> of) const;

  // A^T C t, A^T C 1 and the mean of t, in floating point.
  Eigen::VectorXd of_target() const { return matrix_.col(d_ + 1).head(d_); }
  Eigen::VectorXd of_ones() const { return matrix_.col(d_).head(d_); }
  double mean_target() const { return matrix_(d_, d_ + 1); }

 private:
  GramCertifier(const Problem& problem, double curvature, const Eigen::MatrixXd& gram);

  const Problem& problem_;
  double curvature_;          // k
  double row_error_, error_;  // g_d, g_n
  Eigen::Index d_;
  Eigen::MatrixXd matrix_;        // M
  std::vector<double> norms_;     // N_j
  double largest_ = 0, all_ = 0;  // of the features: max_j N_j, F
};

}  // namespace seesaw
