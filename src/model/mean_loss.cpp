#include "model/mean_loss.h"

namespace seesaw {

double mean_loss(const Problem& problem, const std::vector<double>& z, double g) {
  double sum = 0;
  if (problem.block_loss)
    std::visit(
        [&](const auto& loss) {
          for (std::size_t i = 0; i < problem.n(); ++i)
            sum += problem.normalized_weight[i] *
                   loss.value(static_cast<std::size_t>(problem.target[i]), &z[i * problem.outputs()]);
        },
        smoothed(*problem.block_loss, g));
  else
    std::visit(
        [&](const auto& loss) {
          for (std::size_t i = 0; i < problem.n(); ++i)
            sum += problem.normalized_weight[i] * loss.value(problem.target[i], z[i]);
        },
        smoothed(problem.loss, g));
  return sum;
}

double primal_at_zero(const Problem& problem) {
  return mean_loss(problem, std::vector<double>(problem.n() * problem.outputs()));
}

}  // namespace seesaw
