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
// signs fixed, without coordinates at a bound, gives a linear system. Coordinates that would change sign are set to 0, or the step ends at the lowest
// point of the line, whichever is lower. Both decrease the objective, so each such step solves the face or removes
// coordinates from the support.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "base/scalar.h"
#include "model/penalty/coordinate.h"
#include "solvers/parts/newton/cholesky.h"

namespace seesaw {

class L1Quadratic {
 public:
  struct Penalty {
    double lambda, l1;
    std::span<const Coordinate> features = {};  // one per coordinate, instead of the two numbers; empty: uniform

    bool uniform() const { return features.empty(); }
    Coordinate at(Eigen::Index j) const {
      return uniform() ? Coordinate{lambda, l1} : features[static_cast<std::size_t>(j)];
    }
    // argmin_u (curvature/2) u^2 - t u + g(u), 0 for an empty column.
    double minimizer(Eigen::Index j, double t, double curvature) const {
      if (uniform()) return curvature + lambda > 0 ? soft_threshold(t, l1) / (curvature + lambda) : 0;
      const Coordinate g = at(j);
      return curvature + g.l2 > 0 ? g.clip(soft_threshold(t, g.l1) / (curvature + g.l2)) : 0;
    }
  };

  // Input: u = x. Output: u is the minimizer up to a violation `tolerance` of the optimality conditions. Both triangles of
  // H are read.
  void minimize(const Eigen::MatrixXd& H, const Eigen::VectorXd& s, const Penalty& penalty, double tolerance,
                Eigen::VectorXd& u);
  const Eigen::VectorXd& derivative() const { return f_; }  // s + H (u - x) of the last call

 private:
  double sweep(const std::vector<Eigen::Index>& coordinates);
  void solve_support(double tolerance);
  bool step_to_face_minimum();
  bool is_inside(Eigen::Index j) const;  // its bounds
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
