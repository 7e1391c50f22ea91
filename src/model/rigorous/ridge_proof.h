// Bounds of P and D of one point for every lambda, for paths: nonsmooth losses, phi*(y) = b y + e|y| on an interval with
// |y| <= M, and l2 alone. Products and sums are plain, and their errors are bounded by norms that are computed once. With
// |.|_c the norm weighted by c (sum_i c_i = 1), F^2 = sum_i c_i |a_i|^2, T = |b_i|_c the norm of the targets, X = |x|, b
// the intercept, v = -A^T C y, and g_d, g_n above d + 16 and 3n + 256 roundings of size u = 2^-53:
//
//     z     in floating point is within g_d (|a_i| X + |b|) of a_i.x + b, and phi_i has derivatives of at most M:
//     L     <= (1 + g_n) sum_i c_i phi_i(z_i) + M g_d (F X + |b| + T + e)
//     Phi*  <= sum_i c_i (b_i y_i + e|y_i|) + g_n M (T + e)
//     |v|   is within g_n M F of the truth
//     P(lambda) <= L + (lambda/2) X^2        D(lambda) >= -Phi* - |v|^2/(2 lambda)
//
// D with a free intercept: less what sum_i c_i y_i costs (intercept_bounds.h).
//
// A convex combination of two points has z and v that are combined as well: their errors are at most those of the larger
// point, and x, y, z and v are rounded three times. Twice g_d and g_n with the larger X and |b| cover both.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/certificate.h"
#include "model/rigorous/bounded.h"
#include "model/rigorous/intercept_bounds.h"
#include "model/rigorous/row_weights.h"

namespace seesaw {

// Of one point. Each number is a bound from above, r excepted.
struct RidgeProof {
  double loss = 0, conjugate = 0;          // L, Phi*
  double x_squared = 0, v_squared = 0;     // |x|^2, |v|^2
  double x_norm = 0, intercept = 0;        // |x|, |b|; of a combination: the larger ones of its parts
  rigorous::Bounded<rigorous::Twofold> r;  // sum_i c_i y_i, with a free intercept
};

class RidgeProver {
 public:
  // Null for other losses and penalties, for weights near underflow, and for rows of several processes. `problem` must
  // outlive this; lambda may change.
  static std::unique_ptr<RidgeProver> make(const Problem& problem);

  // Clips y into its domain, before its product is computed.
  void make_feasible(Point& point) const;
  // `z`: A x + b, and `v`: -A^T C y of a feasible point, as multiply() and multiply_transposed() compute them.
  // Nothing where numbers are out of range.
  std::optional<RidgeProof> prove(const Point& point, const std::vector<double>& z, const std::vector<double>& v) const;
  // The same for theta a + (1 - theta) b, rounded, with z and v combined alike from those of a and b.
  std::optional<RidgeProof> prove(const Point& point, const std::vector<double>& z, const std::vector<double>& v,
                                  const RidgeProof& a, const RidgeProof& b) const;

  // With the lambda of the problem; nothing where D is not proved to be above 0.
  std::optional<Certificate> certify(const RidgeProof& of);

 private:
  RidgeProver(const Problem& problem, const PiecewiseQuadratic& loss);
  std::optional<RidgeProof> prove(const Point& point, const std::vector<double>& z, const std::vector<double>& v,
                                  RidgeProof sums, double roundings) const;
  rigorous::Bounded<rigorous::Twofold> sum_of(const std::vector<double>& values) const;  // sum_i s_i y_i

  const Problem& problem_;
  PiecewiseQuadratic loss_;
  double row_error_, error_;               // g_d, g_n
  double steepest_ = 0;                    // M
  double row_norm_ = 0, target_norm_ = 0;  // F, T
  rigorous::RowWeights weights_;
  rigorous::Bounded<rigorous::Twofold> total_;                 // sum s
  std::optional<rigorous::InterceptBounds> intercept_bounds_;  // made when first needed
};

}  // namespace seesaw
