// The Hessian of P where the losses have the curvatures w_i = c_i phi_i'':
//
//     H = sum_i w_i a_i a_i^T + lambda I            bordered where the intercept is free: a_i becomes (a_i, 1)
//
// over the rows with w_i > 0 alone. The intercept has no penalty; `floor` stands in its place so that H stays positive
// definite where no row is curved. In parallel, with the same bits for any number of threads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "data/rows.h"

namespace seesaw {

class Hessian {
 public:
  // The rows must outlive this. `unpenalized`: columns with `floor` in the place of lambda, as the border.
  Hessian(const Rows& rows, double lambda, bool border, double floor, std::vector<std::uint32_t> unpenalized = {});

  void set(std::span<const double> bend);  // w_i of every row
  Eigen::Index size() const { return size_; }
  Eigen::Index features() const { return size_ - (border_ ? 1 : 0); }
  const Rows& rows() const { return rows_; }
  std::span<const std::uint32_t> curved() const { return curved_; }  // rows with w_i > 0 ...
  std::span<const double> weights() const { return weights_; }       // ... and their w_i
  double lambda() const { return lambda_; }

  // H p in one pass: each row is read once, for its product and for its share of the sum.
  void multiply(const Eigen::VectorXd& p, Eigen::VectorXd& result);
  void diagonal(Eigen::VectorXd& result) const;
  // The lower triangle of H; or, of the rows `which` with weights of their own, of what the sum is over them.
  void assemble(Eigen::MatrixXd& h) const { assemble(curved_, weights_, h); }
  void assemble(std::span<const std::uint32_t> which, std::span<const double> weight, Eigen::MatrixXd& h) const;
  // The block of H that belongs to the listed columns, which are ascending; the border is not among them.
  void assemble_block(std::span<const std::uint32_t> columns, Eigen::MatrixXd& h) const;

 private:
  const Rows& rows_;
  double lambda_, floor_;
  bool border_;
  Eigen::Index size_;
  std::vector<std::uint32_t> unpenalized_;
  std::vector<std::uint32_t> curved_;
  std::vector<double> weights_;
  Buffer<double> parts_;  // sums of the chunks but the first
};

}  // namespace seesaw
