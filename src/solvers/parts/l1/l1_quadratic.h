// A quadratic with an l1 penalty, its matrix at hand:
//
//     min_u  s.(u - x) + 1/2 (u - x)^T H (u - x) + (lambda/2)|u|^2 + l1 |u|_1
//
// by coordinate descent that keeps f = s + H (u - x), so that a coordinate that stays costs O(1) and one that moves
// O(m):
//
//     u_j <- S(H_jj u_j - f_j, l1) / (H_jj + lambda)
//
// First all coordinates, then those that are not 0 until they are solved, then all again. Where the rate of descent
// says that this takes longer than a factorization, a step to the minimum of the face: the support with its signs fixed
// is a linear system. Coordinates that would change sign on the way stop at 0, or the step ends at the lowest point of
// the line, whichever is lower; both fall, so each such step solves the face or leaves coordinates behind.
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

  // u comes as x and goes as the minimizer, up to `tolerance` in what its optimality conditions miss. H has both
  // triangles.
  void minimize(const Eigen::MatrixXd& H, const Eigen::VectorXd& s, const Penalty& penalty, double tolerance,
                Eigen::VectorXd& u);

 private:
  double sweep(const std::vector<Eigen::Index>& coordinates);
  void solve_support(double tolerance);
  bool step_to_face_minimum();
  double fall_of(const Eigen::VectorXd& move, const Eigen::VectorXd& image) const;
  double lowest_point(const Eigen::VectorXd& direction, double derivative, double curvature) const;

  const Eigen::MatrixXd* H_ = nullptr;
  Penalty penalty_ = {};
  Eigen::VectorXd f_, u_;
  std::vector<Eigen::Index> all_, support_;
  Cholesky factor_;
  double budget_ = 0;  // of multiplications, so that a call ends
};

}  // namespace seesaw
