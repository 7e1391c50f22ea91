// The rigorous certificate of many points of one problem by its Gram matrix: the squared loss, l1 and l2 with the same
// coefficients for all features, few features. With the columns alpha = (A, 1, t) of n numbers, t the targets,
// M = alpha^T C alpha and w = (x, b, -1), the residual is r = alpha w, and everything that P and D need of the rows is in
// p = M w: O(d^2) per point.
//
// With |.|_c the norm weighted by c (sum_i c_i = 1), u = 2^-53, N_j = |alpha_j|_c, S = sum_j N_j |w_j| >= |r|_c, loss
// (z - t)^2/(2k), g_d above d + 16 and g_n above the roundings of an entry of M, both of size u, and g = g_n + g_d:
//
//     M    is within g_n N_j N_k, and so p_j within g N_j S of (alpha_j, r)_c
//     R^2  = w.p + 2 g S^2 >= |r|_c^2:        P <= R^2/(2k) + l1 |x|_1 + (l2/2)|x|^2
//     y    = s r/k, computed by one product A x, is within (s/k) E of that in |.|_c, E = g_d (F |x| + |b| + T),
//          F^2 = sum_j |a_j|_c^2, T = |t|_c
//     v    |v_j| <= V_j = (s/k) (|p_j| + N_j (g S + E)): with l1 alone s is the largest number <= 1 with V_j <= l1,
//          otherwise s = 1
//     D    >= -(s/k) (p_t + g T S) - (s^2/2k) R^2, less (s/k) E (T + s R + s E) for the rounding of y, less
//          sum_j (V_j - l1)_+^2/(2 l2), and less (s/k) (|p_1| + g S + E) B for a free intercept:
//          |b*| <= B = T + max_j N_j P/l1 (normwise_certificate.h), or T + F sqrt(2 P/l2)
//
// Where these bounds are too wide for the tolerance, another certificate is needed.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/rigorous/point_proof.h"

namespace seesaw {

// alpha^T C alpha, its lower triangle, alpha = (A, t), or (A, 1, t) where the intercept is free. Each product of an entry
// has gone through at most `additions` additions, and up to 32 other roundings.
struct SecondMoments {
  Eigen::MatrixXd matrix;
  double additions = 0;
};

class GramCertifier {
 public:
  // Whether there are such certificates of the problem: not for other losses and penalties.
  static bool applies(const Problem& problem);
  // Null where it does not apply, numbers are out of range or weights near underflow. `problem` must outlive this; l1 and
  // l2 may change.
  static std::unique_ptr<GramCertifier> make(const Problem& problem, const SecondMoments& moments);

  // Nothing if D is not proved to be at least 0, or numbers are out of range.
  std::optional<PointProof> certify(const std::vector<double>& x, double intercept) const;
  // The dual points of some proofs, in one read of the data.
  struct ProvedPoint {
    std::vector<double> x;
    double intercept, scale;
  };
  std::vector<std::vector<double>> dual_points(std::span<const ProvedPoint> of) const;

  // M in floating point, both triangles, and its parts A^T C A, A^T C t, A^T C 1 (free intercept), t^T C t and the mean of t.
  const Eigen::MatrixXd& matrix() const { return matrix_; }
  auto of_features() const { return matrix_.topLeftCorner(d_, d_); }
  Eigen::VectorXd of_target() const { return matrix_.col(target_).head(d_); }
  Eigen::VectorXd of_ones() const { return matrix_.col(d_).head(d_); }
  double squared_target() const { return matrix_(target_, target_); }
  double mean_target() const { return matrix_(d_, target_); }

 private:
  GramCertifier(const Problem& problem, double curvature, const SecondMoments& moments);

  const Problem& problem_;
  bool free_;
  double curvature_;                 // k
  double row_error_, error_;         // g_d, g_n
  Eigen::Index d_, target_;          // the position of t
  Eigen::MatrixXd matrix_;           // M
  std::vector<double> norms_;        // N_j
  double largest_ = 0, all_ = 0;     // of the features: max_j N_j, F
  rigorous::Bounded<double> total_;  // sum s
};

}  // namespace seesaw
