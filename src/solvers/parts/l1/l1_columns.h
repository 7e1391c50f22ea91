// The quadratic of parts/l1/l1_quadratic.h without its matrix, for working sets too large for one:
// H = A^T diag(weight) A + diag(damping), with the free intercept eliminated. Coordinate descent that maintains
// e = diag(weight) A (u - x):
//
//     f_j = s_j + a_j.e + db (A^T weight)_j + damping_j (u_j - x_j)        db = -(s_b + sum_i e_i)/h_b
//
// A coordinate costs the entries of its column, twice if it moves. Sweeps over all coordinates alternate with sweeps over
// the nonzero ones until these are solved.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "data/rows.h"
#include "solvers/parts/l1/l1_quadratic.h"

namespace seesaw {

class L1Columns {
 public:
  struct Model {
    const Rows* columns;  // A^T
    std::span<const double> weight;
    const Eigen::VectorXd *derivative, *damping;
    bool intercept;
    double derivative_b, curvature_b;  // s_b, and h_b = sum of the weights, > 0
  };

  // Input: u = x. Output: u is the minimizer up to `tolerance`. Returns the change of the intercept.
  double minimize(const Model& model, const L1Quadratic::Penalty& penalty, double tolerance, Eigen::VectorXd& u);

  double entries_used() const { return used_; }  // by the last call

 private:
  double sweep(const std::vector<std::uint32_t>& coordinates);
  double intercept_move() const { return model_.intercept ? -(model_.derivative_b + sum_e_) / model_.curvature_b : 0; }

  Model model_ = {};
  L1Quadratic::Penalty penalty_ = {};
  Eigen::VectorXd x_, u_, diagonal_, border_;
  std::vector<double> e_;
  double sum_e_ = 0, used_ = 0;
};

}  // namespace seesaw
