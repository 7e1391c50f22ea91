// H = L L^T of a matrix that is positive definite up to rounding. If the factorization fails, the diagonal is increased,
// by 1e-14 of its mean at first, until it succeeds. After a stop request there is no factor.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "base/archive.h"
#include "base/parallel_dense.h"
#include "base/stop.h"
#include "kernels/dense.h"

namespace seesaw {

class Cholesky {
 public:
  void factor(const Eigen::MatrixXd& h) {  // reads the lower triangle
    const double mean = h.rows() > 0 ? h.trace() / static_cast<double>(h.rows()) : 0;
    ready_ = !stop_requested() && compute(h, 0);
    for (double shift = 1e-14; !ready_ && shift < 1 && !stop_requested(); shift *= 10)
      ready_ = compute(h, shift * std::max(mean, 1e-300));
    if (!ready_ && stop_requested()) l_.resize(0, 0);
  }
  bool ready() const { return ready_ && l_.rows() > 0; }
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const {
    if (l_.rows() == 0) return Eigen::VectorXd::Zero(right.size());
    Eigen::VectorXd x = right;
    solve_cholesky(l_.data(), static_cast<std::size_t>(l_.rows()), x.data());
    return x;
  }
  void serialize(Archive& archive) {  // the lower triangle
    auto size = l_.rows();
    archive.numbers("size", size, ready_);
    std::vector<double> packed;
    if (archive.saving())
      for (Eigen::Index j = 0; j < size; ++j) packed.insert(packed.end(), &l_(j, j), l_.data() + (j + 1) * size);
    archive.array("factor", packed);
    if (archive.saving()) return;
    l_.setZero(size, size);
    const double* column = packed.data();
    for (Eigen::Index j = 0; j < size; column += size - j, ++j) std::copy(column, column + (size - j), &l_(j, j));
  }
  const Eigen::MatrixXd& lower() const { return l_; }  // entries above the diagonal are undefined

 private:
  bool compute(const Eigen::MatrixXd& h, double shift) {
    l_ = h;
    if (shift > 0) l_.diagonal().array() += shift;
    return factor_cholesky_in_parallel(l_.data(), static_cast<std::size_t>(l_.rows()), stop_requested);
  }

  Eigen::MatrixXd l_;
  bool ready_ = false;
};

}  // namespace seesaw
