#include "model/mean_loss.h"

namespace seesaw {

double mean_loss(const Problem& problem, const std::vector<double>& z, double g) {
  double sum = 0;
  if (problem.is_block())
    std::visit(
        [&, &class_of_row = problem.block().class_of_row, K = problem.outputs()](const auto& loss) {
          for (std::size_t i = 0; i < problem.n(); ++i)
            sum += problem.normalized_weight[i] * loss.value(class_of_row[i], &z[i * K]);
        },
        smoothed(problem.block().loss, g));
  else
    std::visit(
        [&, &target = problem.scalar().target](const auto& loss) {
          for (std::size_t i = 0; i < problem.n(); ++i)
            sum += problem.normalized_weight[i] * loss.value(target[i], z[i]);
        },
        smoothed(problem.scalar().loss, g));
  return sum;
}

double primal_at_zero(const Problem& problem) {
  return mean_loss(problem, std::vector<double>(problem.n() * problem.outputs()));
}

}  // namespace seesaw
