// The losses of all rows at scores z, and their derivatives. In parallel, with the same bits for any number of threads.
#pragma once

#include <vector>

#include "base/parallel.h"
#include "base/tree_sum.h"
#include "model/problem.h"

namespace seesaw {

// sum_i c_i phi_i(z_i + t move_i)
template <class LossType>
double loss_along(const Problem& problem, const LossType& loss, const std::vector<double>& z, double t,
                  const std::vector<double>& move) {
  const std::vector<double>& target = problem.scalar().target;
  return tree_sum<double>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      sum += problem.normalized_weight[i] * loss.value(target[i], z[i] + t * move[i]);
    return sum;
  });
}

// y_i = phi_i'(z_i)
template <class LossType>
std::vector<double> derivatives_at(const Problem& problem, const LossType& loss, const std::vector<double>& z) {
  const std::vector<double>& target = problem.scalar().target;
  std::vector<double> y(z.size());
  parallel_chunks(chunks_of(y.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) y[i] = loss.derivative(target[i], z[i]);
  });
  return y;
}

}  // namespace seesaw
