// Between two certified neighbours of a path, t_a > t_b, without further certificates. P* is concave in t, so it is above
// the line through D_a and D_b; P(x, b; t) is linear in t:
//
//     P*(w t_a + (1 - w) t_b) >= w D_a + (1 - w) D_b
//     P(x, b; t) = P(x, b; t_a) + (t - t_a) sum_j f_j (lambda_per x_j^2/2 + l1_per |x_j|)
//
// whatever loss, intercept, penalty factors and bounds. One-versus-rest: the sum over the classes.
#pragma once

#include <array>
#include <optional>

#include "select/path.h"

namespace seesaw {

class Segment {
 public:
  // Nothing if a certificate is not guaranteed.
  static std::optional<Segment> of(const Path& path, const PathPoint& above, const PathPoint& below);

  // The bounds at t, of the model with the lower P.
  struct At {
    Bounds bounds;
    bool above;  // it is the one of the larger t
  };
  At at(double t) const;

  // For every t of the segment the better of the two models has gap <= relative D, or <= absolute.
  bool holds(const PathTolerance& tolerance) const;
  double largest_relative_gap() const;  // gap / D; infinity if D is not positive

 private:
  double primal(std::size_t model, double t) const;
  std::array<At, 3> extremes() const;  // at both ends and where the two models have the same P

  std::array<double, 2> t_, primal_, dual_, rate_;  // of above, below; rate: dP/dt
};

}  // namespace seesaw
