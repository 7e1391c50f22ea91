#include "model/intercept.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/compensated_sum.h"
#include "base/elementary.h"
#include "base/parallel_elements.h"
#include "base/tree_sum.h"
#include "model/losses/row_terms.h"

namespace seesaw {
namespace {

// The rows of h(b) = sum c_i phi_i(z_i + b).
struct Scores {
  std::span<const double> normalized_weight, target, z;
  using Sums = std::array<CompensatedSum, 3>;
  const Leaves& leaves;

  // h'(b), h''(b), and sum |c_i phi_i'|, to which the rounding of h' is relative.
  Sums derivatives(const Loss& loss_of_rows, double b) const {
    return std::visit(
        [&](const auto& loss) {
          return tree_sum<Sums>(leaves, [&](std::size_t begin, std::size_t end) {
            const double *c = normalized_weight.data(), *to = target.data(), *score = z.data();
            return sum_in_lanes<3>(
                begin, end, [=](std::size_t i) __attribute__((always_inline)) {
                  const auto [derivative, curvature] = derivative_and_curvature(loss, to[i], score[i] + b);
                  return std::array{c[i] * derivative, c[i] * curvature, c[i] * std::abs(derivative)};
                });
          });
        },
        loss_of_rows);
  }

  // The rows whose derivatives change between two intercepts, and the sums of the others: losses that are linear between
  // a few points have few of the former.
  struct Changing {
    double width = infinity;  // hi - lo; infinity: all rows
    std::vector<std::uint32_t> rows = {};
    Sums others = {};
  };
  void narrow(const Loss& loss_of_rows, double lo, double hi, Changing& changing) const {
    if (std::isinf(changing.width)) {
      changing.rows.resize(z.size());
      std::iota(changing.rows.begin(), changing.rows.end(), 0u);
    }
    changing.width = hi - lo;
    std::visit(
        [&](const auto& loss) {
          const auto at = [&](std::uint32_t i, double b) {
            return derivative_and_curvature(loss, target[i], z[i] + b).derivative;
          };
          const std::vector<std::uint32_t> all = std::move(changing.rows);
          std::vector<char> is_constant(all.size());
          parallel_elements(all.size(), [&](std::size_t k) { is_constant[k] = at(all[k], lo) == at(all[k], hi); });
          const auto rows_where = [&](bool value) {
            std::vector<std::uint32_t> selected;
            select_in_order(
                all.size(), [&](std::size_t k) { return (is_constant[k] != 0) == value; },
                [&](std::size_t count) { selected.resize(count); },
                [&](std::size_t place, std::size_t k) { selected[place] = all[k]; });
            return selected;
          };
          const std::vector<std::uint32_t> constant = rows_where(true);
          changing.others += tree_sum<Sums>(leaves.of_list(constant), [&](std::size_t begin, std::size_t end) {
            Sums part;
            for (std::size_t k = begin; k < end; ++k) add(part, constant[k], at(constant[k], lo));
            return part;
          });
          changing.rows = rows_where(false);
        },
        loss_of_rows);
  }
  Sums derivatives(const Loss& loss_of_rows, double b, const Changing& changing) const {
    if (std::isinf(changing.width)) return derivatives(loss_of_rows, b);
    Sums sums = std::visit(
        [&](const auto& loss) {
          return tree_sum<Sums>(leaves.of_list(changing.rows), [&](std::size_t begin, std::size_t end) {
            Sums part;
            for (std::size_t k = begin; k < end; ++k) {
              const std::uint32_t i = changing.rows[k];
              add(part, i, derivative_and_curvature(loss, target[i], z[i] + b).derivative);
            }
            return part;
          });
        },
        loss_of_rows);
    sums += changing.others;
    return sums;
  }
  void add(Sums& sums, std::uint32_t i, double derivative) const {
    sums[0] += normalized_weight[i] * derivative;
    sums[2] += normalized_weight[i] * std::abs(derivative);
  }

  // No minimizer is further away: beyond it the derivatives of all classes have the same sign up to terms of e^-700.
  double reach(double from) const {
    double reach = 700 + std::abs(from);
    for (std::size_t i = 0; i < z.size(); ++i) reach = std::max(reach, 700 + std::abs(z[i]) + std::abs(target[i]));
    return largest_of_ranks(leaves, reach);
  }
};

// h(b) - min h <= it, where the curvature at b bounds the curvature nearby: for the logistic loss
// |phi'''| <= phi'', so that h''(b + t) >= h''(b) e^-|t|; strongly convex losses have one bound everywhere.
double excess_by_curvature(const Loss& loss, double derivative, double curvature) {
  if (const double delta = delta_of(loss); delta > 0) return derivative * derivative / (2 * delta);
  const bool logistic = std::holds_alternative<Logistic>(loss);
  return logistic && std::abs(derivative) <= 0.25 * curvature ? derivative * derivative / curvature : infinity;
}

// h' is increasing. Newton where there is curvature, it stays between the known signs and its moves shrink, else widen
// or halve. Where all losses are nearly linear (scores far from 0) the remaining curvature is not used. Losses without
// curvature are summed over the rows that have a breakpoint between the known signs.
double minimize(const Scores& rows, const Loss& loss, double from, double accuracy) {
  double lo = -infinity, hi = infinity, moved = infinity, moved_before = infinity;
  double b = from, stride = 1e-3 * (1 + std::abs(from));
  Scores::Changing changing;
  const bool linear = gamma_of(loss) == 0;
  for (int round = 0; round < 200; ++round) {
    const auto [first, second, size] = rows.derivatives(loss, b, changing);
    const double derivative = first.value(), curvature = second.value();
    if (std::abs(derivative) <= 1e-16 * size.value()) return b;  // zero up to rounding
    (derivative > 0 ? hi : lo) = b;
    const double width = hi - lo;
    if (std::abs(derivative) * width <= accuracy) return b;  // h(b) - min <= |h'| width
    if (linear && std::isfinite(width) && width <= 0.1 * changing.width) rows.narrow(loss, lo, hi, changing);
    if (excess_by_curvature(loss, derivative, curvature) <= accuracy) return b;
    double next = b - derivative / curvature;
    const double move = std::abs(next - b);
    const bool too_long = std::isinf(width) ? move > 1400 && move > 2 * rows.reach(from) : move > 0.5 * moved_before;
    if (!(curvature > 0 && lo < next && next < hi) || too_long) {
      if (std::isinf(width)) {
        next = derivative > 0 ? b - stride : b + stride;
        stride *= 4;
      } else {
        next = lo + 0.5 * width;
      }
    }
    if (next == b || next == lo || next == hi) return b;  // no number between
    moved_before = moved;
    moved = std::abs(next - b);
    b = next;
  }
  return b;
}

// The best intercept where all other weights are 0. With binary targets the rows of a class have equal terms: h is a
// sum of two terms.
double intercept_alone(const Problem& problem) {
  if (problem.kind->target != Target::sign) return best_intercept(problem, std::vector<double>(problem.n()), 0, 0);
  const ScalarForm& scalar = problem.scalar();
  using Signs = std::array<CompensatedSum, 2>;  // the weights of the negative and of the positive rows
  const auto signs = tree_sum<Signs>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    Signs part;
    for (std::size_t i = begin; i < end; ++i) part[scalar.target[i] > 0 ? 1 : 0] += problem.normalized_weight[i];
    return part;
  });
  const double normalized_weight[] = {signs[0].value(), signs[1].value()}, target[] = {-1, 1}, z[] = {0, 0};
  return minimize({normalized_weight, target, z, Leaves({0, 2})}, scalar.loss, 0, 0);
}

}  // namespace

std::vector<double> class_totals(const Problem& problem) {
  const std::vector<std::uint32_t>& class_of_row = problem.block().class_of_row;
  std::vector<double> totals(problem.outputs());
  tree_sum(problem.leaves().grouped(problem.all_rows() / (4 * totals.size())), totals.size(), totals.data(),
           [&](std::size_t begin, std::size_t end, double* part) {
             for (std::size_t i = begin; i < end; ++i) part[class_of_row[i]] += problem.normalized_weight[i];
           });
  return totals;
}

double best_intercept(const Problem& problem, const std::vector<double>& z, double from, double accuracy) {
  const ScalarForm& scalar = problem.scalar();
  return minimize({problem.normalized_weight, scalar.target, z, problem.leaves()}, scalar.loss, from, accuracy);
}

std::vector<double> intercepts_alone(const Problem& problem) {
  std::vector<double> result(problem.outputs());
  if (!problem.free_intercept()) return result;
  if (!problem.is_block()) {
    result[0] = intercept_alone(problem);
    return result;
  }
  if (problem.gamma() == 0) return result;
  result = class_totals(problem);
  double mean = 0;
  for (double& b : result) mean += (b = log_of(b)) / static_cast<double>(result.size());
  for (double& b : result) b -= mean;
  return result;
}

}  // namespace seesaw
