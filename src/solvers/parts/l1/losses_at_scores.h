// The losses of all rows at scores z, and their derivatives: loops that compile to vector instructions
// (model/losses/row_terms.h), in parallel, with the same bits for any number of threads.
#pragma once

#include <array>
#include <vector>

#include "base/compensated_sum.h"
#include "base/parallel.h"
#include "base/tree_sum.h"
#include "kernels/at_level.h"
#include "model/losses/row_terms.h"
#include "model/problem.h"

namespace seesaw {

// sum_i c_i phi_i(z_i + t move_i)
template <class LossType>
double loss_along(const Problem& problem, const LossType& loss, const std::vector<double>& z, double t,
                  const std::vector<double>& move) {
  const double *const c = problem.normalized_weight.data(), *const target = problem.scalar().target.data(),
                      *const score = z.data(), *const step = move.data();
  return tree_sum<CompensatedSum>(problem.leaves(),
                                  [&](std::size_t begin, std::size_t end) {
                                    return sum_in_lanes<1>(
                                        begin, end, [ =, &loss ](std::size_t i) __attribute__((always_inline)) {
                                          return std::array{c[i] * value_of(loss, target[i], score[i] + t * step[i])};
                                        })[0];
                                  })
      .value();
}

// y_i = phi_i'(z_i)
template <class LossType>
std::vector<double> derivatives_at(const Problem& problem, const LossType& loss, const std::vector<double>& z) {
  const double *const target = problem.scalar().target.data(), *const score = z.data();
  std::vector<double> y(z.size());
  parallel_chunks(chunks_of(y.size()), [&, to = y.data()](std::size_t, std::size_t begin, std::size_t end) {
    at_level([&]() __attribute__((always_inline)) {
      for (std::size_t i = begin; i < end; ++i) to[i] = derivative_and_curvature(loss, target[i], score[i]).derivative;
    });
  });
  return y;
}

// c_i phi_i'(z_i) and c_i phi_i''(z_i)
template <class LossType>
void weighted_derivatives(const Problem& problem, const LossType& loss, const std::vector<double>& z,
                          std::vector<double>& derivative, std::vector<double>& curvature) {
  const double *const c = problem.normalized_weight.data(), *const target = problem.scalar().target.data(),
                      *const score = z.data();
  derivative.resize(z.size());
  curvature.resize(z.size());
  parallel_chunks(chunks_of(z.size()), [&, first = derivative.data(), second = curvature.data()](
                                           std::size_t, std::size_t begin, std::size_t end) {
    at_level([&]() __attribute__((always_inline)) {
      for (std::size_t i = begin; i < end; ++i) {
        const DerivativeAndCurvature at = derivative_and_curvature(loss, target[i], score[i]);
        first[i] = c[i] * at.derivative;
        second[i] = c[i] * at.curvature;
      }
    });
  });
}

}  // namespace seesaw
