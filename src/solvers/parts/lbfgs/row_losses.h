// The losses of all rows at the scores z = A x + b, and along a line of scores: what a method over all rows needs besides
// x and the penalty. With K outputs z, y and b have K numbers per row, x and d K numbers per feature.
//
//     F(x) = min_b sum_i c_i phi_i(a_i.x + b)              over the free intercepts, or b = 0
//
// F is convex and smooth, and its gradient is A^T C y, y_i = phi_i'(z_i), at the best b. Along x + t d the scores are
// z + t (A d + beta), beta the derivative of the best b, so that b stays the best to second order; move() then corrects
// it by Newton steps of its own, O(n) each.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "model/certificate.h"
#include "model/problem.h"
#include "solvers/parts/newton/loss_curve.h"

namespace seesaw {

class Archive;

class RowLosses {
 public:
  using At = LossCurve::At;  // value, derivative and curvature along the line
  virtual ~RowLosses() = default;

  // z = A x + b, a product by A. Optimizes the free intercepts; returns F.
  virtual double begin(const Eigen::VectorXd& x, const std::vector<double>& intercepts) = 0;
  virtual void set_direction(const Eigen::VectorXd& d) = 0;  // a product by A
  virtual At at(double t) = 0;                               // of sum_i c_i phi_i at z + t (A d + beta); O(n K)
  virtual double move(double t) = 0;                         // to the t of the last at(); returns F there
  virtual void gradient(Eigen::VectorXd& g) = 0;             // A^T C y: a product by A^T
  virtual void read(Point& point) = 0;                       // intercepts and y
  virtual void serialize(Archive& archive) = 0;              // between two steps: without the direction
};

// Both need a smooth loss; the second one softmax.
std::unique_ptr<RowLosses> make_scalar_losses(const Problem& problem);
std::unique_ptr<RowLosses> make_softmax_losses(const Problem& problem);

}  // namespace seesaw
