// The second derivative of P for softmax, at the probabilities p_i of the K classes in every row:
//
//     H = sum_i c_i (diag(p_i) - p_i p_i^T) (x) a_i a_i^T + lambda I
//
// Unknowns are in the order of x, j K + k; K free intercepts come after them, as the weights of a feature that is 1
// everywhere and not penalized. Adding one number to all classes of a feature changes no probability: H leaves
// directions whose classes sum to 0 in every feature among themselves, and of the intercepts only those are determined.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "model/problem.h"

namespace seesaw {

class SoftmaxHessian {
 public:
  explicit SoftmaxHessian(const Problem& problem);

  std::size_t unknowns() const { return (problem_.d() + (problem_.free_intercept() ? 1 : 0)) * classes_; }
  void move_to(const std::vector<double>& p);  // K numbers a row

  // z = A x + b of a direction: a product by A.
  void scores(const Eigen::VectorXd& direction, std::vector<double>& z) const;
  // A^T C y, and sum_i c_i y_i for the intercepts; y is overwritten by C y. A product by A^T.
  void transposed(std::vector<double>& y, Eigen::VectorXd& sums) const;
  // H direction: two products.
  void multiply(const Eigen::VectorXd& direction, Eigen::VectorXd& product);

  // Of the free intercepts alone: sum_i c_i y_i, and their block of H, determined as in assemble().
  struct OfIntercepts {
    Eigen::VectorXd derivative;
    Eigen::MatrixXd curvature;
  };
  OfIntercepts of_intercepts(const std::vector<double>& y) const;

  // The whole of H, its lower triangle: K(K+1)/2 weighted Grams. Determined in the intercepts too: the matrix of ones,
  // which no direction above sees, is added to their block.
  void assemble(Eigen::MatrixXd& h) const;
  // The block of one class with itself: sum_i c_i p_ik (1 - p_ik) a_i a_i^T + lambda I, bordered; its lower triangle.
  // Where p is the same in all rows, as at x = 0, the Grams of all classes are multiples of one, which is made once.
  void assemble(std::size_t k, Eigen::MatrixXd& h);
  // The diagonal alone.
  void diagonal(Eigen::VectorXd& h) const;

 private:
  void gram(std::size_t k, std::size_t l, Eigen::MatrixXd& h) const;
  bool rows_agree() const;

  const Problem& problem_;
  std::size_t classes_;    // K
  std::vector<double> p_;  // p_ik at i K + k
  std::vector<double> z_;  // of the direction
  std::vector<std::uint32_t> all_;
  Eigen::MatrixXd of_shares_;  // sum_i c_i a_i a_i^T, where it was of use
};

}  // namespace seesaw
