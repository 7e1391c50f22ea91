// Methods for H p = -g in a Newton step:
//
//   cholesky   H assembled and factored. An existing factor of a similar H is first tried as a preconditioner: while the
//              curvatures change little, a few products by H are cheaper than another assembly. Where they change in
//              few rows, as for piecewise quadratic losses, H is updated by these.
//   sampled    conjugate gradients, preconditioned by the factor of a Hessian of 8d rows, which is kept until a solve
//              takes more than 10 products
//   diagonal   conjugate gradients, preconditioned by the diagonal of H
//   block      the same, with the exact block of H for the columns with the largest diagonal
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>

#include "solvers/parts/newton/hessian.h"

namespace seesaw {

class Archive;

enum class SystemKind { cholesky, sampled, diagonal, block };

class NewtonSystem {
 public:
  virtual ~NewtonSystem() = default;
  // p with |H p + g| <= tolerance, up to rounding and the step limit; g.p < 0. Returns the passes over the rows: one per
  // product by H and per assembly, a fraction if it uses part of the rows.
  virtual double solve(Hessian& h, const Eigen::VectorXd& g, double tolerance, Eigen::VectorXd& p) = 0;
  virtual void serialize(Archive& archive) = 0;
  // g + H p of the last solve(); null: not known.
  virtual const Eigen::VectorXd* residual() const { return nullptr; }
  // sum_i w_i a_i (a_i.p) with the weights of the matrix M that is kept, which are returned for all rows. Nothing if none is.
  // Rounding errors are relative to the largest diagonal since M was assembled: |M_jk| <= sqrt(M_jj M_kk), so that the norm
  // of |M||p| is at most sqrt(trace M) sum_j sqrt(M_jj) |p_j|.
  struct KeptSizes {
    double root_of_trace;
    Eigen::VectorXd roots;  // sqrt(M_jj)
    double terms(const Eigen::VectorXd& p) const { return root_of_trace * roots.dot(p.cwiseAbs()); }
  };
  virtual std::optional<KeptSizes> kept_product(const Eigen::VectorXd& p, Eigen::VectorXd& product,
                                                std::span<double> w) const;
  double cg_iterations() const { return cg_iterations_; }  // of all solves

 protected:
  double cg_iterations_ = 0;
};

std::unique_ptr<NewtonSystem> make_newton_system(SystemKind kind);

}  // namespace seesaw
