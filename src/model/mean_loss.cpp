#include "model/mean_loss.h"

#include <array>

#include "base/compensated_sum.h"
#include "base/tree_sum.h"
#include "model/losses/row_terms.h"

namespace seesaw {

double mean_loss(const Problem& problem, const std::vector<double>& z, double g) {
  const auto weighted_sum = [&](const auto& value) {
    return tree_sum<double>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += problem.normalized_weight[i] * value(i);
      return sum;
    });
  };
  if (problem.is_block())
    return std::visit(
        [&, &class_of_row = problem.block().class_of_row, K = problem.outputs()](const auto& loss) {
          return weighted_sum([&](std::size_t i) { return loss.value(class_of_row[i], &z[i * K]); });
        },
        smoothed(problem.block().loss, g));
  return std::visit(
      [&, &target = problem.scalar().target](const auto& loss) {
        return weighted_sum([&](std::size_t i) { return loss.value(target[i], z[i]); });
      },
      smoothed(problem.scalar().loss, g));
}

double primal_at_zero(const Problem& problem) {
  if (problem.is_scalar())
    return std::visit(
        [&, c = problem.normalized_weight.data(), target = problem.scalar().target.data()](const auto& loss) {
          return tree_sum<CompensatedSum>(problem.leaves(),
                                          [&](std::size_t begin, std::size_t end) {
                                            return sum_in_lanes<1>(
                                                begin, end, [=](std::size_t i) __attribute__((always_inline)) {
                                                  return std::array{c[i] * value_of(loss, target[i], 0)};
                                                })[0];
                                          })
              .value();
        },
        problem.scalar().loss);
  return mean_loss(problem, std::vector<double>(problem.n() * problem.outputs()));
}

}  // namespace seesaw
