// The quadratic of parts/l1/l1_quadratic.h without its matrix, for working sets whose columns have fewer entries than the
// matrix: H = A^T diag(weight) A + diag(damping), with the free intercept eliminated. Coordinate descent that maintains
// e = diag(weight) A (u - x):
//
//     f_j = s_j + a_j.e + db (A^T weight)_j + damping_j (u_j - x_j)        db = -(s_b + sum_i e_i)/h_b
//
// A coordinate costs the entries of its column, twice if it moves. Sweeps over all coordinates alternate with sweeps over
// the nonzero ones until these are solved. On a fixed support a sweep is a linear map, so every few sweeps the iterates
// are extrapolated (Anderson): u <- sum_i w_i u_i with sum_i w_i = 1 and |sum_i w_i (u_i - u_(i-1))| minimal, where that
// decreases the objective.
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
    const Eigen::VectorXd *derivative, *damping, *border;  // border: A^T weight, with an intercept
    bool intercept;
    double derivative_b, curvature_b;  // s_b, and h_b = sum of the weights, > 0
  };

  // Input: u = x. Output: u is the minimizer up to `tolerance`, unless that takes more than so many sweeps.
  struct Result {
    double intercept_move;
    bool solved;
  };
  Result minimize(const Model& model, const L1Quadratic::Penalty& penalty, double tolerance, int sweeps,
                  Eigen::VectorXd& u);

  double entries_used() const { return used_; }  // by the last call

 private:
  double sweep(const std::vector<std::uint32_t>& coordinates);
  void extrapolate(const std::vector<std::uint32_t>& support);
  double objective(const std::vector<std::uint32_t>& support, const std::vector<double>& e, double sum_e) const;
  double intercept_move() const { return model_.intercept ? -(model_.derivative_b + sum_e_) / model_.curvature_b : 0; }

  Model model_ = {};
  L1Quadratic::Penalty penalty_ = {};
  double diagonal(std::size_t j);
  bool one_weight_ = false;  // all weights are the same

  Eigen::VectorXd x_, u_, diagonal_;  // diagonal: of H, NaN where it was not needed yet
  std::vector<double> e_;
  double sum_e_ = 0, used_ = 0;
  struct Iterate {
    std::vector<double> u, e;  // u: of the support
    double sum_e;
  };
  std::vector<Iterate> iterates_;  // of the last sweeps over one support
};

}  // namespace seesaw
