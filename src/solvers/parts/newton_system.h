// Ways to solve H p = -g for a Newton step:
//
//   cholesky   H assembled and factored. A factor that is still near H serves as a preconditioner first: while the
//              curvatures hardly move a few products by H are cheaper than another assembly.
//   sampled    conjugate gradients, preconditioned by the factor of a Hessian of 8d rows, which is kept from step to
//              step until a solve takes more than 10 products
//   diagonal   conjugate gradients, preconditioned by the diagonal of H
//   block      the same, with the exact block of the heaviest columns in the place of their diagonal
#pragma once

#include <Eigen/Core>
#include <memory>

#include "solvers/parts/hessian.h"

namespace seesaw {

enum class SystemKind { cholesky, sampled, diagonal, block };

class NewtonSystem {
 public:
  virtual ~NewtonSystem() = default;
  // p with |H p + g| <= tolerance, as far as rounding and a limit of steps allow; g.p < 0. Gives the passes over the
  // rows that it took: one for each product by H and for an assembly, in proportion where it is of a part of the rows.
  virtual double solve(Hessian& h, const Eigen::VectorXd& g, double tolerance, Eigen::VectorXd& p) = 0;
  double cg_iterations() const { return cg_iterations_; }  // of all solves

 protected:
  double cg_iterations_ = 0;
};

std::unique_ptr<NewtonSystem> make_newton_system(SystemKind kind);

}  // namespace seesaw
