// The Hessian of P for softmax, at the probabilities p_i of the K classes in every row:
//
//     H = sum_i c_i (diag(p_i) - p_i p_i^T) (x) a_i a_i^T + lambda I
//
// The unknowns are ordered as x, at j K + k, followed by K free intercepts, the coefficients of a constant feature 1
// without a penalty. Adding a constant to all classes of a feature changes no probability: directions whose classes sum
// to 0 in every feature are an invariant subspace of H, and only such intercepts are determined.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "base/archive.h"
#include "model/problem.h"

namespace seesaw {

class SoftmaxHessian {
 public:
  explicit SoftmaxHessian(const Problem& problem);

  std::size_t unknowns() const { return (problem_.d() + (problem_.free_intercept() ? 1 : 0)) * classes_; }
  void move_to(const std::vector<double>& p);  // K numbers per row
  void serialize(Archive& archive) { archive.rows("probabilities", p_, classes_); }

  // z = A x + b of a direction: a product by A.
  void scores(const Eigen::VectorXd& direction, std::vector<double>& z) const;
  // A^T C y, and sum_i c_i y_i for the intercepts; y is overwritten by C y. A product by A^T.
  void transposed(std::vector<double>& y, Eigen::VectorXd& sums) const;
  // H direction: two products.
  void multiply(const Eigen::VectorXd& direction, Eigen::VectorXd& product);

  // For the free intercepts: sum_i c_i y_i, and their block of H, made nonsingular as in assemble().
  struct OfIntercepts {
    Eigen::VectorXd derivative;
    Eigen::MatrixXd curvature;
  };
  OfIntercepts of_intercepts(const std::vector<double>& y) const;

  // The lower triangle of H: K(K+1)/2 weighted Gram matrices. A multiple of the matrix of ones, which does not act on the
  // invariant subspace, is added to the block of the intercepts to make it nonsingular.
  void assemble(Eigen::MatrixXd& h) const;
  // The lower triangle of the diagonal block of class k: sum_i c_i p_ik (1 - p_ik) a_i a_i^T + lambda I, bordered. If p is
  // equal in all rows, as at x = 0, the Gram matrices of all classes are multiples of one, which is computed once.
  void assemble(std::size_t k, Eigen::MatrixXd& h);
  // The diagonal only.
  void diagonal(Eigen::VectorXd& h) const;

 private:
  void gram(std::size_t k, std::size_t l, Eigen::MatrixXd& h) const;
  bool rows_agree() const;

  const Problem& problem_;
  std::size_t classes_;    // K
  std::vector<double> p_;  // p_ik at i K + k
  std::vector<double> z_;  // of the direction
  std::vector<std::uint32_t> all_;
  Eigen::MatrixXd weight_gram_;  // sum_i c_i a_i a_i^T, if computed
};

}  // namespace seesaw
