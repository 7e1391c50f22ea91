// A step on a face of the dual problem: the rows F whose y_i are strictly inside their domain (and nonzero if e > 0,
// where |y| is nonsmooth) move together, the others are fixed. On the face D is quadratic, with its maximum at
//
//     (A_F C_F A_F^T / lambda + 1 1^T C_F / kappa_b + k I) dy = g_F        g_i = z_i - b_i - e sign(y_i) - k y_i
//
// Solved by conjugate gradients in the symmetric unknowns sqrt(c_i) dy_i, two products over the rows of F per step,
// until the residual is small or too many rows would leave their domain (the face is then the wrong one). The y_i are
// clipped to their domains and the step is shortened, at the end to where the first row reaches a bound (which then
// leaves the face), until D increases. The increase
//
//     sum c_i dy_i (g_i - k dy_i/2) - (lambda/2)|dw|^2 - (sum c_i dy_i)^2/(2 kappa_b),      dw = -A_F^T C_F dy/lambda,
//
// is exact, since no y_i crosses 0. The free intercept is the proximal point of dual_ascent.h: 1/kappa_b = 0 without
// one.
#pragma once

#include <cstdint>
#include <vector>

#include "model/problem.h"

namespace seesaw {

struct FaceLimits {
  std::size_t steps = 60;
  double precision = 0.05;  // |r| <= precision |r_0|
  double crossing = 0.03;   // fraction of F that may leave its domain
};

struct FaceStep {
  double gain = 0;       // increase of D; 0: nothing moved
  bool blocked = false;  // shortened to the first bound: the rest of the face is not optimal yet
  std::size_t steps = 0;
  double entries = 0;  // read
};

class Face {
 public:
  Face(const Problem& problem, double inverse_kappa_b) : problem_(problem), inverse_kappa_b_(inverse_kappa_b) {}

  // Position of y_i in its piece of the domain: at the lower bound, inside, at the upper bound.
  enum class Place : std::uint8_t { low, inside, high };
  static Place place(const PiecewiseQuadratic& loss, double b, double y);

  // Updates y, and with it w = v/lambda and the intercept.
  FaceStep ascend(std::vector<double>& y, std::vector<double>& w, double& intercept, const FaceLimits& limits);

  const std::vector<std::uint32_t>& rows() const { return free_; }  // F of the last step
  // x and the intercept after the last step without clipping. Close to the optimum the scores of free rows reach the
  // nonsmooth points of their losses at this x earlier than at the x of the clipped y.
  const std::vector<double>& unbounded() const { return unbounded_; }
  double unbounded_intercept() const { return unbounded_intercept_; }

 private:
  void gather(const std::vector<double>& y);
  void set_gradients(const std::vector<double>& y, const std::vector<double>& w, double intercept);
  std::size_t conjugate_gradients(const std::vector<double>& y, const FaceLimits& limits);
  double clipped_gain(const std::vector<double>& y, double length, double& shift);
  double step_to_first_bound(const std::vector<double>& y) const;
  bool too_many_leave(const std::vector<double>& y, double most) const;

  struct Row {
    double root;       // sqrt(c_i)
    double gradient;   // g_i
    double low, high;  // the piece of the domain that contains y_i
    double u;          // sqrt(c_i) dy_i
    double dy;         // clipped
  };
  const Problem& problem_;
  double inverse_kappa_b_;
  double curvature_ = 0;             // k
  std::vector<std::uint32_t> free_;  // F
  std::vector<Row> row_;
  // The rows of F copied contiguously: products over them take half the time.
  SparseRow<double> a(std::size_t k) const {
    return {columns_.data() + offsets_[k], values_.data() + offsets_[k], offsets_[k + 1] - offsets_[k]};
  }
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
  std::vector<double> residual_, direction_, image_, back_;  // of conjugate gradients; back_ = -A_F^T C_F .../lambda
  std::vector<double> dw_, trial_, unbounded_;
  double db_ = 0, unbounded_intercept_ = 0;
};

}  // namespace seesaw
