// The Hessian of P for loss curvatures w_i = c_i phi_i'':
//
//     H = sum_i w_i a_i a_i^T + lambda I            bordered for a free intercept: a_i becomes (a_i, 1)
//
// The sum is over rows with w_i > 0. The intercept has no penalty; `floor` replaces lambda there so that H is positive
// definite if no row is curved. In parallel, with the same bits for any number of threads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "data/rows.h"

namespace seesaw {

class Hessian {
 public:
  // The rows must outlive this. `unpenalized`: columns with `floor` in the place of lambda, as the border.
  Hessian(const Rows& rows, double lambda, bool border, double floor, std::vector<std::uint32_t> unpenalized = {});

  void set(std::span<const double> curvature);  // w_i of every row
  Eigen::Index size() const { return size_; }
  Eigen::Index features() const { return size_ - (border_ ? 1 : 0); }
  const Rows& rows() const { return rows_; }
  std::span<const std::uint32_t> curved() const { return curved_; }  // rows with w_i > 0 ...
  std::span<const double> weights() const { return weights_; }       // ... and their w_i
  double lambda() const { return lambda_; }
  void set_lambda(double lambda) { lambda_ = lambda; }

  // H p in one pass: each row is read once, for its product with p and for its term of the sum.
  void multiply(const Eigen::VectorXd& p, Eigen::VectorXd& result);
  void diagonal(Eigen::VectorXd& result) const;
  // The lower triangle of H, summed over all curved rows, or over the rows `which` with the given weights.
  void assemble(Eigen::MatrixXd& h) const { assemble(curved_, weights_, h); }
  void assemble(std::span<const std::uint32_t> which, std::span<const double> weight, Eigen::MatrixXd& h) const {
    assemble_rows(which, weight, h);
    add_diagonal(h);
  }
  // The two terms of H: the sum over the rows `which`, and lambda I.
  void assemble_rows(std::span<const std::uint32_t> which, std::span<const double> weight, Eigen::MatrixXd& h) const;
  void add_diagonal(Eigen::MatrixXd& h) const;
  // The block of H of the listed columns, ascending, without the border.
  void assemble_block(std::span<const std::uint32_t> columns, Eigen::MatrixXd& h) const;

 private:
  const Rows& rows_;
  double lambda_, floor_;
  bool border_;
  Eigen::Index size_;
  std::vector<std::uint32_t> unpenalized_;
  std::vector<std::uint32_t> curved_;
  std::vector<double> weights_;
  Leaves leaves_;               // of the curved rows
  std::vector<double> scaled_;  // w_i a_i.p of the curved rows
};

}  // namespace seesaw
