// The losses of all rows at scores z, and their derivatives: loops that compile to vector instructions
// (model/losses/row_terms.h), in parallel, with the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/compensated_sum.h"
#include "base/elementary.h"
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

// A bound on sum_i c_i (phi_i(z_i + move_i) - phi_i(z_i) - phi_i'(z_i) move_i) from `curvature`, c_i phi_i''(z_i), without
// evaluating the losses. The logistic loss has |phi'''| <= phi'', so phi''(z + t) <= phi''(z) e^|t|, and the sum is at most
//
//     sum_i curvature_i move_i^2 (e^m - 1 - m)/m^2        m = max_i |move_i|
inline double largest_remainder(const Problem& problem, const Logistic&, const std::vector<double>& curvature,
                                const std::vector<double>& move) {
  struct Moments {
    double square = 0, largest = 0;
    Moments& operator+=(const Moments& other) {
      square += other.square;
      largest = std::max(largest, other.largest);
      return *this;
    }
  };
  constexpr std::size_t lanes = 8;
  const auto [square, m] = tree_sum<Moments>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    const double *const w = curvature.data(), *const by = move.data();
    return at_level([=]() __attribute__((always_inline)) {
      double sum[lanes] = {}, largest[lanes] = {};
      const auto add = [&](std::size_t i, std::size_t lane) __attribute__((always_inline)) {
        const double size = std::abs(by[i]);
        sum[lane] += w[i] * size * size;
        largest[lane] = size > largest[lane] ? size : largest[lane];
      };
      std::size_t i = begin;
      for (; i + lanes <= end; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) add(i + lane, lane);
      for (; i < end; ++i) add(i, 0);
      Moments total;
      for (std::size_t lane = 0; lane < lanes; ++lane) total += {sum[lane], largest[lane]};
      return total;
    });
  });
  if (!(m < 3)) return infinity;
  return square * (m > 1e-3 ? (exp_of(m) - 1 - m) / (m * m) : 0.5 + m);
}
inline double largest_remainder(const Problem&, const PiecewiseQuadratic&, const std::vector<double>&,
                                const std::vector<double>&) {
  return infinity;
}

}  // namespace seesaw
