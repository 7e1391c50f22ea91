// The terms of the rows in P and D, from their scores.
#include <algorithm>

#include "verify/block.h"
#include "verify/passes.h"

namespace seesaw::verifier {
namespace {

// log(sum_k exp(z_k)) - z_own, its derivative in each z_k being a probability; and max_k (z_k + [k != own]) - z_own.
SEESAW_INLINE Ball block_value(LossName loss, const Ball* z, std::size_t K, std::size_t own) {
  if (loss == LossName::multiclass_hinge) {
    Ball most = 0;
    for (std::size_t k = 0; k < K; ++k)
      if (k != own) most = larger(most, Ball(1) + (z[k] - z[own]));
    return most;
  }
  std::size_t largest = own;
  double radius = 0;
  for (std::size_t k = 0; k < K; ++k) {
    if (z[k].high > z[largest].high) largest = k;
    if (!(z[k].radius <= radius)) radius = z[k].radius;
  }
  const Ball top(z[largest].high, z[largest].low, 0);
  Ball others = 0;  // sum of exp(z_k - top) over k != largest
  for (std::size_t k = 0; k < K; ++k)
    if (k != largest) others = others + exp_of(Ball(z[k].high, z[k].low, 0) - top);
  const Ball log = others.high < 0x1p-110 ? others.widened(rounded_up(others.high * 0x1p-110 + smallest))
                   : others.high < 0.01   ? log_near_one(others / (Ball(2) + others))
                                          : log_of(Ball(1) + others);
  const Ball value = log + (top - Ball(z[own].high, z[own].low, 0));
  // |dphi| <= 2 (1 - p_own) max |dz_k|, where 1 - p_own <= sum exp(z_k - z_own) grows by at most e^(2 radius) < 3.
  const double derivative = 6 * others.magnitude();
  if (largest == own && radius <= 0.5 && derivative < 1) return value.widened(rounded_up(derivative * radius));
  return value.widened(rounded_up(radius + z[own].radius));
}

// sum p_k log p_k, and y_own = -others.
SEESAW_INLINE Ball block_conjugate(LossName loss, const double* y, const Block& block, std::size_t K, std::size_t own) {
  if (loss == LossName::multiclass_hinge) return -block.others;
  Ball sum = p_log_p(block.probability);
  for (std::size_t k = 0; k < K; ++k)
    if (k != own) sum = sum + p_log_p(Ball(y[k]));
  return sum;
}

SEESAW_INLINE void mark_infeasible(RowResults& results, std::size_t k, std::size_t i) {
  if (results.outside[k]++ == 0) results.first_row[k] = i;
}

SEESAW_INLINE void add_losses(const StatedProblem& problem, std::size_t begin, std::size_t end, const Ball* score,
                              RowResults& results) {
  const std::size_t K = problem.outputs;
  const LossName loss = problem.loss.loss;
  const bool blocks = problem.loss.of_blocks(), of_sign = problem.loss.of_sign, weighted = !problem.weight.empty();
  for (std::size_t i = begin; i < end; ++i, score += K) {
    const double* const y = problem.y + i * K;
    const Ball s = weighted ? problem.weight[i] : Ball(1);
    const auto add = [&](RowSums & sums, const Ball& phi, const Ball& conjugate) __attribute__((always_inline)) {
      sums.primal.add(weighted ? s * phi : phi);
      sums.dual.add(weighted ? s * conjugate : conjugate);
    };
    if (blocks) {
      const std::size_t own = problem.group[i];
      const Block block = block_of(y, K, own);
      if (!block.inside) mark_infeasible(results, 0, i);
      add(results.of[0], block_value(loss, score, K, own),
          block.inside ? block_conjugate(loss, y, block, K, own) : unbounded());
      for (std::size_t k = 0; k < K; ++k) {
        const Ball yk = k == own ? -block.others : Ball(y[k]);
        results.balance[k].add(weighted ? s * yk : yk);
      }
      continue;
    }
    for (std::size_t k = 0; k < K; ++k) {
      const double b = K == 1 ? problem.target[i] : problem.group[i] == k ? 1 : -1;
      const double p = of_sign ? -b * y[k] : y[k];
      const bool inside = in_domain(loss, p, problem.t);
      if (!inside) mark_infeasible(results, k, i);
      const Ball u = !of_sign ? score[k] - Ball(b) : b > 0 ? score[k] : -score[k];
      Ball conjugate = inside ? loss_conjugate(loss, p, problem.t) : unbounded();
      if (!of_sign) conjugate = conjugate + Ball(b) * Ball(y[k]);
      add(results.of[k], loss_value(loss, u, problem.t), conjugate);
      if (weighted) results.balance[k].add(s * Ball(y[k]));
      else results.balance[k].add(y[k]);
    }
  }
}

#if defined(__x86_64__)
[[gnu::target("fma")]] void add_with_fma(const StatedProblem& problem, std::size_t begin, std::size_t end,
                                         const Ball* score, RowResults& results) {
  add_losses(problem, begin, end, score, results);
}
#endif

}  // namespace

void add_row_losses(const StatedProblem& problem, std::size_t begin, std::size_t end, const Ball* score,
                    RowResults& results) {
#if defined(__x86_64__)
  if (has_fma()) return add_with_fma(problem, begin, end, score, results);
#endif
  add_losses(problem, begin, end, score, results);
}

}  // namespace seesaw::verifier
