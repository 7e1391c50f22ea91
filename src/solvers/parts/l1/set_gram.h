// The Gram matrix of a working set of features, H = A_W^T diag(weight) A_W, both triangles. If the weights do not change
// (the squared loss), the columns of the previous set are kept and only the new ones are computed.
//
// Dense sets, small ones, and those of up to 1024 features of which most are new use parts/newton/weighted_gram.h, which
// takes each pair of entries of a row once. Large sets of sparse features, and sets of which less than half is new, are
// assembled by columns,
//
//     h_j = sum over the rows i of feature j of weight_i a_ij a_i
//
// which takes every pair twice, but only new columns. The rows are read once for as many columns as stay in the cache. In
// parallel, with the same bits for any number of threads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "base/archive.h"
#include "data/rows.h"

namespace seesaw {

class SetGram {
 public:
  // `features`: the indices of the columns of `rows`, ascending. `keep`: the weights are those of the last call.
  // `whole`: no further features will follow.
  void assemble(const Rows& rows, std::span<const std::uint32_t> features, std::span<const double> weight, bool keep,
                bool whole = false);

  void forget() { features_.clear(); }  // the weights have changed since the last call

  // Whether adding features to such a set costs less than assembling the whole matrix.
  static bool grows(const Rows& rows);

  const Eigen::MatrixXd& matrix() const { return H_; }
  void serialize(Archive& archive) {
    archive.array("gram_features", features_);
    archive.matrix("gram", H_);
  }

 private:
  std::vector<bool> keep_known(std::span<const std::uint32_t> features);
  template <class RowsOf>
  void make_columns(const RowsOf& rows, std::span<const double> weight, const std::vector<bool>& known);
  Eigen::MatrixXd H_;
  std::vector<std::uint32_t> features_, every_row_;
};

}  // namespace seesaw
