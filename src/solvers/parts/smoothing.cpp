#include "solvers/parts/smoothing.h"

#include <algorithm>

namespace seesaw {
namespace {

// sum_i c_i of value(i, z_i), the blocks of z behind one another.
template <class Value>
double mean_over_rows(const Problem& problem, const std::vector<double>& z, const Value& value) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.n(); ++i) sum += problem.share[i] * value(i, &z[i * problem.outputs()]);
  return sum;
}

double mean_loss(const Problem& problem, double g, const std::vector<double>& z) {
  if (problem.block_loss)
    return std::visit(
        [&](const auto& loss) {
          return mean_over_rows(problem, z, [&](std::size_t i, const double* block) {
            return loss.value(static_cast<std::size_t>(problem.target[i]), block);
          });
        },
        smoothed(*problem.block_loss, g));
  return std::visit(
      [&](const auto& loss) {
        return mean_over_rows(
            problem, z, [&](std::size_t i, const double* score) { return loss.value(problem.target[i], *score); });
      },
      smoothed(problem.loss, g));
}

}  // namespace

Smoothing::Smoothing(const Problem& problem) : problem_(problem) {
  if (problem.gamma() > 0) return;
  const double at_zero = mean_loss(problem, 0, std::vector<double>(problem.n() * problem.outputs()));
  g_ = at_zero > 0 ? 1e-2 * at_zero : 1e-2;
}

bool Smoothing::aim(double target_gap) {
  if (target_gap > 0) g_ = 100 * target_gap;
  return target_gap > 0;
}

bool Smoothing::hear(const Checked& checked, const Point& current) {
  if (!(error(current) > 0.5 * checked.gap)) return false;
  g_ /= 2;
  return true;
}

double Smoothing::error(const Point& point) const {
  const std::size_t outputs = problem_.outputs();
  std::vector<double> z(problem_.n() * outputs);
  multiply(problem_.data->rows, point.x.data(), z.data(), outputs);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += point.intercept[i % outputs];
  const double squares = mean_over_rows(problem_, point.y, [&](std::size_t, const double* y) {
    double sum = 0;
    for (std::size_t k = 0; k < outputs; ++k) sum += y[k] * y[k];
    return sum;
  });
  return mean_loss(problem_, 0, z) - mean_loss(problem_, g_, z) - 0.5 * g_ * squares;
}

}  // namespace seesaw
