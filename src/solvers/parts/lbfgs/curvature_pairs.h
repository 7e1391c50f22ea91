// The memory of L-BFGS: pairs (s, y) of the last steps and of the changes of the gradient along them, and the direction
//
//     d = -H g,   H = V_k^T ... V_1^T (H_0) V_1 ... V_k + ...,   V_i = I - rho_i y_i s_i^T,  rho_i = 1/(s_i.y_i)
//
// of the BFGS updates by these pairs of H_0 = gamma I, gamma = s.y/|y|^2 of the newest pair (Nocedal 1980). The two-loop
// recursion runs on inner products: with those of g and of all pairs known, d = -gamma g + sum_i a_i y_i - b_i s_i has
// coefficients that cost O(m^2). A step then reads the pairs twice, for the inner products of its new vectors and for
// the sum, where the recursion on vectors reads them four times. The pairs are stored as floats, so that a step reads
// half the bytes: H is the BFGS matrix of the rounded pairs, positive definite like that of the exact ones.
//
// In parallel, with the same bits for any number of threads.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "base/buffer.h"

namespace seesaw {

class Archive;

class CurvaturePairs {
 public:
  CurvaturePairs(std::size_t size, std::size_t most);  // of vectors of `size` numbers, at most `most` pairs

  // Adds s = t d, y = after - before, in place of the oldest pair if there are `most`. Without sufficient curvature,
  // s.y <= 1e-10 |s| |y|, which convexity leaves to rounding alone, the pair is skipped: false.
  bool add(double t, const Eigen::VectorXd& d, const Eigen::VectorXd& before, const Eigen::VectorXd& after);

  // d = -H g; without pairs d = -g. `g` must be the `after` of the last add(), or forget_gradient() was called since.
  void direction(const Eigen::VectorXd& g, Eigen::VectorXd& d);
  void forget_gradient() { products_known_ = false; }

  void clear();
  std::size_t count() const { return count_; }
  void serialize(Archive& archive);

 private:
  std::size_t slot(std::size_t age) const { return (newest_ + most_ - age) % most_; }  // 0: the newest
  float* s(std::size_t at) { return stored_.data() + 2 * at * size_; }
  float* y(std::size_t at) { return stored_.data() + (2 * at + 1) * size_; }
  double& sy(std::size_t i, std::size_t j) { return sy_[i * most_ + j]; }
  double& yy(std::size_t i, std::size_t j) { return yy_[i * most_ + j]; }

  void products_with(const Eigen::VectorXd& g, std::size_t at, std::size_t pairs);
  void coefficients();

  std::size_t size_, most_;
  std::size_t count_ = 0, newest_ = 0;
  Buffer<float> stored_;         // s/|s| and y/|y| of each slot: within the range of floats
  std::vector<double> sy_, yy_;  // s_i.y_j where pair i is not newer than j; y_i.y_j
  std::vector<double> sg_, yg_;  // s_i.g, y_i.g
  std::vector<double> s_norm_, y_norm_;
  bool products_known_ = false;      // of sg and yg, for the current g
  std::vector<double> of_s_, of_y_;  // coefficients of d, of the vectors as stored
  double of_g_ = -1;
  std::vector<double> sums_;  // partial sums, per chunk
};

}  // namespace seesaw
