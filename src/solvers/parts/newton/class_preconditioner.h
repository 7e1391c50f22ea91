// The preconditioner M of the conjugate gradients in a Newton step of softmax, M^-1 r with M close to H. By size:
//
//     whole      H itself, by Cholesky: one CG step when M is new
//     classes    the diagonal blocks of the classes, by K Cholesky factors; blocks between classes are neglected
//     diagonal   the diagonal of H
//
// M may be that of an earlier point. The last two are combined with a projection onto directions whose classes sum to 0
// in every feature, a subspace that is invariant under H but not under M.
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
  ClassPreconditioner(const Problem& problem, std::optional<ClassBlocks> blocks);  // nullopt: by size

  void make(SoftmaxHessian& hessian);  // at the current point of the Hessian
  void solve(const Eigen::VectorXd& r, Eigen::VectorXd& solution) const;
  void serialize(Archive& archive);
  double cost_in_products() const { return cost_in_products_; }  // of make(), in products by H

 private:
  std::size_t classes_, features_;  // the intercept counts as a feature
  ClassBlocks blocks_;
  double cost_in_products_ = 0;
  std::vector<Cholesky> factors_;  // one for the whole, or one per class
  Eigen::VectorXd diagonal_;
};

// Subtracts from every feature the mean over its classes.
void center_classes(double* x, std::size_t features, std::size_t classes);

}  // namespace seesaw
