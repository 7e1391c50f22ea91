// H = L L^T of a matrix that is positive definite but for rounding: where it is not, its diagonal grows, by 1e-14 of
// its mean to begin with, until it is. Where the run is to stop there is no factor.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>

#include "base/stop.h"

namespace seesaw {

class Cholesky {
 public:
  void factor(const Eigen::MatrixXd& h) {  // reads the lower triangle
    if (stop_asked()) {
      factor_ = {};
      return;
    }
    const double mean = h.rows() > 0 ? h.trace() / static_cast<double>(h.rows()) : 0;
    factor_.compute(h.selfadjointView<Eigen::Lower>());
    for (double lift = 1e-14; factor_.info() != Eigen::Success && lift < 1 && !stop_asked(); lift *= 10) {
      Eigen::MatrixXd lifted = h;
      lifted.diagonal().array() += lift * std::max(mean, 1e-300);
      factor_.compute(lifted.selfadjointView<Eigen::Lower>());
    }
  }
  bool ready() const { return factor_.rows() > 0 && factor_.info() == Eigen::Success; }
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const {
    if (factor_.rows() == 0) return Eigen::VectorXd::Zero(right.size());
    return factor_.solve(right);
  }
  const Eigen::LLT<Eigen::MatrixXd>& factored() const { return factor_; }

 private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace seesaw
