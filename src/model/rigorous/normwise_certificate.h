// The rigorous certificate of many points of one problem, for paths: the squared loss with l1 alone. Products and sums are
// plain, and their errors are bounded by norms that are computed once, so that a point costs A x, A^T C y and one loop over
// the rows. With |.|_c the norm weighted by c (sum_i c_i = 1), u = 2^-53, T = |t|_c, N_j = |a_j|_c, F^2 = sum_j N_j^2,
// loss (z - t)^2/(2k), and g_d, g_n above d and 2n roundings of size u:
//
//     P    r = A x + b - t in floating point is within E = g_d (F |x| + |b| + T) of the truth in |.|_c:
//          P <= ((1 + g_n)|r|_c + E)^2/(2k) + l1 |x|_1
//     v    q = A^T C y is within g_n |y|_c N_j: y is scaled by f = l1/max_j (|q_j| + g_n |y|_c N_j), if that is below 1
//     D    = -sum_i c_i (t_i y_i + (k/2) y_i^2), within g_n (T |y|_c + (k/2)|y|_c^2), less |sum_i c_i y_i| B for a free
//          intercept: its optimum is sum_i c_i (t_i - a_i.x*), and l1 |x*|_1 <= P, so |b*| <= B = T + max_j N_j P/l1
//
// Where these bounds are too wide for the tolerance, the certificate of rigorous_certificate.h is needed.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/certificate.h"

namespace seesaw {

class NormwiseCertifier {
 public:
  // Null for other losses and penalties, for weights near underflow, and for rows of several processes. `problem` must
  // outlive this; l1 may change.
  static std::unique_ptr<NormwiseCertifier> make(const Problem& problem);

  // Nothing, and the point as it was, if the gap is not proved to be at most `enough`. Otherwise y is feasible.
  std::optional<Certificate> certify(Point& point, double enough);

 private:
  NormwiseCertifier(const Problem& problem, double curvature);

  const Problem& problem_;
  double curvature_;              // k
  double row_error_, error_;      // g_d, g_n
  double target_norm_;            // T
  std::vector<double> norms_;     // N_j
  double largest_ = 0, all_ = 0;  // max_j N_j, F
  std::vector<double> z_, cy_, q_;
};

}  // namespace seesaw
