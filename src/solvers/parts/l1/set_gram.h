// The Gram matrix of a working set of features, H = A_W^T diag(weight) A_W, both triangles. Where the weights stay (the
// squared loss) what is known of the set before is kept, and only what is new is computed.
//
// Small sets and dense ones go through parts/newton/weighted_gram.h. Large sets of sparse features are made a column at a
// time,
//
//     h_j = sum over the rows i of feature j of weight_i a_ij a_i
//
// twice the products, but into a column that stays in the cache, and in parallel with the same bits whatever the
// threads.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "data/rows.h"

namespace seesaw {

class SetGram {
 public:
  // `features`: the names of the columns of `rows`, ascending. `keep`: the weights are those of the last call.
  void assemble(const Rows& rows, std::span<const std::uint32_t> features, std::span<const double> weight, bool keep);

  // Whether adding features to a set of this kind costs less than making its matrix anew.
  static bool grows(const Rows& rows);

  const Eigen::MatrixXd& matrix() const { return H_; }

 private:
  std::vector<bool> keep_known(std::span<const std::uint32_t> features);
  Eigen::MatrixXd H_;
  std::vector<std::uint32_t> features_, every_row_;
};

}  // namespace seesaw
