// A step on the face of the dual problem: the rows F whose y_i lie strictly inside their domain (and off the kink of
// |y|, where e > 0) move together, the others stay. On the face D is a quadratic function, and its maximum is where
//
//     (A_F C_F A_F^T / lambda + 1 1^T C_F / kb + k I) dy = g_F        g_i = z_i - b_i - e sign(y_i) - k y_i
//
// Conjugate gradients go towards it, in the symmetric unknowns sqrt(c_i) dy_i, each step two products over the rows of
// F; they stop when the residual is small, or when many rows would leave their domain, since the face then is the wrong
// one. What leaves its domain is clipped, and the step shortened, if need be to where the first row meets an end of
// its domain (which then leaves the face), until D rises, by
//
//     sum c_i dy_i (g_i - k dy_i/2) - (lambda/2)|dw|^2 - (sum c_i dy_i)^2/(2 kb),      dw = -A_F^T C_F dy/lambda,
//
// which is exact, since no y_i crosses its kink. The free intercept is the proximal point of dual_ascent.h: 1/kb = 0
// without one.
#pragma once

#include <cstdint>
#include <vector>

#include "model/problem.h"

namespace seesaw {

struct FaceLimits {
  std::size_t steps = 60;
  double precision = 0.05;  // |r| <= it |r_0|
  double crossing = 0.03;   // share of F that may leave its domain
};

struct FaceStep {
  double gain = 0;       // of D; 0: nothing moved
  bool blocked = false;  // by the first row that met an end: the rest of the face has further to go
  std::size_t steps = 0;
  double entries = 0;  // touched
};

class Face {
 public:
  Face(const Problem& problem, double inverse_kb) : problem_(problem), inverse_kb_(inverse_kb) {}

  // Where y_i lies: on the lower end of its piece of the domain, inside, on the upper end.
  enum class Place : std::uint8_t { low, inside, high };
  static Place place(const PiecewiseQuadratic& loss, double b, double y);

  // Moves y, and with it w = v/lambda and the intercept, which belong to it.
  FaceStep ascend(std::vector<double>& y, std::vector<double>& w, double& intercept, const FaceLimits& limits);

  const std::vector<std::uint32_t>& rows() const { return free_; }  // F of the last step
  // The x and the intercept that the last step would have led to without any bound: near the end the scores of free
  // rows are on their kinks there, sooner than at the x that belongs to the clipped y.
  const std::vector<double>& unbounded() const { return unbounded_; }
  double unbounded_intercept() const { return unbounded_intercept_; }

 private:
  void gather(const std::vector<double>& y);
  void set_pulls(const std::vector<double>& y, const std::vector<double>& w, double intercept);
  std::size_t conjugate_gradients(const std::vector<double>& y, const FaceLimits& limits);
  double clipped_gain(const std::vector<double>& y, double length, double& shift);
  double first_end(const std::vector<double>& y) const;
  bool too_many_leave(const std::vector<double>& y, double most) const;

  struct Row {
    double root;       // sqrt(c_i)
    double pull;       // g_i
    double low, high;  // the piece of the domain that y_i is in
    double u;          // sqrt(c_i) dy_i
    double dy;         // clipped
  };
  const Problem& problem_;
  double inverse_kb_;
  double curvature_ = 0;             // k
  std::vector<std::uint32_t> free_;  // F
  std::vector<Row> row_;
  // The rows of F side by side in memory: products over them take half the time that they take where they are.
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
