// What makes a few steps of conjugate gradients enough for a Newton step of softmax: M^-1 r, M near H. By size:
//
//     whole      H itself, by Cholesky: one step where M is new
//     classes    the blocks of each class with itself, by K Choleskys; what one class owes to another is left out
//     diagonal   of H
//
// M may belong to an earlier point. The last two are applied between projections onto directions whose classes sum to 0
// in every feature, which H leaves among themselves and M does not.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "solvers/parts/newton/cholesky.h"
#include "solvers/parts/newton/softmax_hessian.h"

namespace seesaw {

enum class ClassBlocks { whole, classes, diagonal };

class ClassPreconditioner {
 public:
  ClassPreconditioner(const Problem& problem, std::optional<ClassBlocks> blocks);  // nothing: by size

  void make(SoftmaxHessian& hessian);  // of the point at which the Hessian is
  void solve(const Eigen::VectorXd& r, Eigen::VectorXd& solution) const;
  double steps_worth() const { return steps_worth_; }  // what make() costs, in products by H

 private:
  std::size_t classes_, features_;  // the intercept counts as a feature
  ClassBlocks blocks_;
  double steps_worth_ = 0;
  std::vector<Cholesky> factors_;  // one for the whole, or one a class
  Eigen::VectorXd diagonal_;
};

// Subtracts from every feature the mean over its classes.
void center_classes(double* x, std::size_t features, std::size_t classes);

}  // namespace seesaw
