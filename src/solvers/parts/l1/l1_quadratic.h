// A quadratic with an l1 penalty and an explicit matrix:
//
//     min_u  s.(u - x) + 1/2 (u - x)^T H (u - x) + (lambda/2)|u|^2 + l1 |u|_1
//
// Coordinate descent that maintains f = s + H (u - x), so that a coordinate that does not move costs O(1) and one that
// moves costs O(m):
//
//     u_j <- S(H_jj u_j - f_j, l1) / (H_jj + lambda)
//
// Sweeps over all coordinates alternate with sweeps over the nonzero ones until these are solved. If the observed rate
// predicts that this costs more than a factorization, a step to the minimum of the face is taken: the support with its
// signs fixed gives a linear system. Coordinates that would change sign are set to 0, or the step ends at the lowest
// point of the line, whichever is lower. Both decrease the objective, so each such step solves the face or removes
// coordinates from the support.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "solvers/parts/newton/cholesky.h"

namespace seesaw {

class L1Quadratic {
 public:
  struct Penalty {
    double lambda, l1;
  };

  // Input: u = x. Output: u is the minimizer up to a violation `tolerance` of the optimality conditions. Both triangles of
  // H are read.
  void minimize(const Eigen::MatrixXd& H, const Eigen::VectorXd& s, const Penalty& penalty, double tolerance,
                Eigen::VectorXd& u);

 private:
  double sweep(const std::vector<Eigen::Index>& coordinates);
  void solve_support(double tolerance);
  bool step_to_face_minimum();
  double decrease_of(const Eigen::VectorXd& move, const Eigen::VectorXd& image) const;
  double lowest_point(const Eigen::VectorXd& direction, double derivative, double curvature) const;

  const Eigen::MatrixXd* H_ = nullptr;
  Penalty penalty_ = {};
  Eigen::VectorXd f_, u_;
  std::vector<Eigen::Index> all_, support_;
  Cholesky factor_;
  double budget_ = 0;  // of multiplications: bounds the time of a call
};

}  // namespace seesaw
