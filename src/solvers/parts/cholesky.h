// H = L L^T of a matrix that is positive definite but for rounding: where it is not, its diagonal grows, by 1e-14 of
// its mean to begin with, until it is. Where the run is to stop there is no factor.
#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "base/stop.h"
#include "kernels/dense.h"

namespace seesaw {

class Cholesky {
 public:
  void factor(const Eigen::MatrixXd& h) {  // reads the lower triangle
    if (stop_requested()) {
      l_.resize(0, 0);
      ready_ = false;
      return;
    }
    const double mean = h.rows() > 0 ? h.trace() / static_cast<double>(h.rows()) : 0;
    ready_ = compute(h, 0);
    for (double lift = 1e-14; !ready_ && lift < 1 && !stop_requested(); lift *= 10)
      ready_ = compute(h, lift * std::max(mean, 1e-300));
  }
  bool ready() const { return ready_ && l_.rows() > 0; }
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const {
    if (l_.rows() == 0) return Eigen::VectorXd::Zero(right.size());
    Eigen::VectorXd x = right;
    solve_cholesky(l_.data(), static_cast<std::size_t>(l_.rows()), x.data());
    return x;
  }
  const Eigen::MatrixXd& lower() const { return l_; }  // what stands above the diagonal means nothing

 private:
  bool compute(const Eigen::MatrixXd& h, double lift) {
    l_ = h;
    if (lift > 0) l_.diagonal().array() += lift;
    return factor_cholesky(l_.data(), static_cast<std::size_t>(l_.rows()));
  }

  Eigen::MatrixXd l_;
  bool ready_ = false;
};

}  // namespace seesaw
