// P and D of a fixed point (x, b, y) along a path, for a scalar or block problem:
//
//     P(t) = L(x, b) + g_t(x)                        L = sum_i c_i phi_i(a_i.x + b)
//     D(t) = -Phi*(s y) - g_t*(s v)                  Phi*(y) = sum_i c_i phi_i*(y_i),  v = -A^T C y
//
// The dual domain does not depend on t, except for l1 alone, where g_t* demands |v|_inf <= l1(t): there y is scaled into
// it, also by s > 1 where l1(t) and the domains of the losses permit that and D gains. Otherwise s = 1. These are plain
// sums, which propose an interval; coverage.h proves it.
#pragma once

#include <optional>
#include <vector>

#include "model/certificate.h"
#include "select/path_line.h"

namespace seesaw {

// gap <= relative D + absolute. With one of the two numbers 0, what a point covers is an interval: P(t) - (1 + relative)
// D(t) - absolute is convex in t.
struct Tolerance {
  double relative = 0, absolute = 0;
  bool holds(const Bounds& at) const { return at.primal - at.dual <= relative * at.dual + absolute; }
};

// The lambda with |x|^2 lambda^2/2 + (L + (1+eps) Phi* - delta) lambda + (1+eps)|v|^2/2 <= 0, eps and delta the
// tolerance's numbers: what a point covers with the penalty (lambda/2)|x|^2. Nothing where there are none.
struct RidgeSums {
  double loss, conjugate;       // L, Phi*
  double x_squared, v_squared;  // |x|^2, |v|^2
};
std::optional<Interval> covered_ridge(const RidgeSums& sums, const Tolerance& tolerance);

// The products of a point: z = A x + b, v = -A^T C y. Linear in the point. known_z: z, where it is known.
struct PointProducts {
  std::vector<double> z, v;
};
PointProducts products_of(const Problem& problem, const Point& point, const std::vector<double>* known_z = nullptr);

class GapCurve {
 public:
  // Costs a product by A and one by A^T. y must be in the dual domain of the losses; problem and point must outlive it.
  GapCurve(const Problem& problem, const PathLine& line, const Point& point);
  GapCurve(const Problem& problem, const PathLine& line, const Point& point, PointProducts products);
  // The penalty (t/2)|x|^2 with known sums: without a product.
  GapCurve(const Problem& problem, const PathLine& line, const Point& point, const RidgeSums& sums);
  static bool is_ridge(const Problem& problem, const PathLine& line);

  Bounds at(double t) const;
  double dual_scale(double t) const;  // s

  // The largest interval around t, within `range`, in which the tolerance holds, to about 1 % of its logarithmic length
  // from inside; nothing if it does not hold at t. O(d) per trial, l1 alone O(n + d); l2 in closed form.
  std::optional<Interval> covered(double t, const Tolerance& tolerance, const Interval& range) const;

 private:
  double conjugate_of(double s) const;  // Phi*(s y)
  double end_of(double t, const Tolerance& tolerance, double limit) const;

  const Problem& problem_;
  PathLine line_;
  const Point& point_;
  double loss_ = 0, conjugate_ = 0;
  double largest_scale_ = 1;  // for which s y is in the dual domain of the losses
  std::vector<double> v_;
  std::optional<RidgeSums> sums_;
};

}  // namespace seesaw
