#include "model/rigorous/unpenalized_reach.h"

#include <algorithm>
#include <cmath>

#include "data/resident.h"
#include "model/rigorous/problem_losses.h"

namespace seesaw::rigorous {
namespace {

constexpr double wide = 1 + 0x1p-30;  // makes up for a few roundings
constexpr double margin = 2;          // of the result: the verifier finds its own y'

// The rows over the unpenalized features and the intercept, dense.
Eigen::MatrixXd selected(const Problem& problem, const std::vector<std::uint32_t>& columns) {
  const auto m = static_cast<Eigen::Index>(columns.size() + (problem.free_intercept() ? 1 : 0));
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(m, static_cast<Eigen::Index>(problem.n()));
  std::visit(
      [&](const auto& rows) {
        resident(rows, 0, problem.n(), [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            for_each(rows.row(i), [&](std::size_t j, double value) {
              const auto at = std::lower_bound(columns.begin(), columns.end(), j);
              if (at != columns.end() && *at == j) a(at - columns.begin(), row) = value;
            });
            if (problem.free_intercept()) a(m - 1, row) = 1;
          }
        });
      },
      problem.data->rows);
  return a;
}

}  // namespace

std::optional<std::vector<double>> UnpenalizedReach::bound(const Problem& problem,
                                                           const std::vector<std::uint32_t>& columns,
                                                           const std::vector<double>& y, double primal,
                                                           const Evaluate& evaluate) {
  const std::size_t n = problem.n(), m = columns.size() + (problem.free_intercept() ? 1 : 0);
  if (columns.size() > most_unpenalized || !std::isfinite(primal)) return std::nullopt;
  const Eigen::MatrixXd a = selected(problem, columns);
  Eigen::VectorXd inner(static_cast<Eigen::Index>(n));  // W
  with_loss(problem, [&](const auto& loss) {
    for (std::size_t i = 0; i < n; ++i) {
      const Interval box = loss.domain(problem.scalar().target[i]);
      inner[static_cast<Eigen::Index>(i)] = std::max(0.0, std::min({1.0, y[i] - box.lo, box.hi - y[i]}));
    }
  });
  const Eigen::VectorXd cw =
      Eigen::Map<const Eigen::VectorXd>(problem.normalized_weight.data(), static_cast<Eigen::Index>(n))
          .cwiseProduct(inner);
  const Eigen::LLT<Eigen::MatrixXd> factor(a * cw.asDiagonal() * a.transpose());
  if (factor.info() != Eigen::Success || factor.rcond() < 1e-13) return std::nullopt;

  std::vector<double> reach(m), rest(m * m);  // |x_j| <= reach_j + sum_k rest_jk |x_k|
  std::vector<double> moved(n);
  for (std::size_t j = 0; j < m; ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    const Eigen::VectorXd u = factor.solve(Eigen::VectorXd::Unit(static_cast<Eigen::Index>(m), at));
    const Eigen::VectorXd along = a.transpose() * u, d = inner.cwiseProduct(along);
    const double t = std::min(0.5 / along.cwiseAbs().maxCoeff(), std::sqrt(primal / u[at]));
    if (!(t > 0 && std::isfinite(t))) return std::nullopt;
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t i = 0; i < n; ++i) moved[i] = y[i] + sign * t * d[static_cast<Eigen::Index>(i)];
      const auto found = evaluate(moved);
      if (!found) return std::nullopt;
      const double own = sign > 0 ? lower(found->w[j]) : -upper(found->w[j]);
      if (!(own > 0) || !std::isfinite(found->dual)) return std::nullopt;
      reach[j] = std::max(reach[j], std::max(0.0, primal - found->dual) * wide / own * wide);
      for (std::size_t k = 0; k < m; ++k)
        if (k != j) rest[j * m + k] = std::max(rest[j * m + k], greatest_size(found->w[k]) / own * wide);
    }
  }
  // With m = max |x_j|/reach_j:  m <= 1 + m max_j sum_k rest_jk reach_k/reach_j.
  double most = 0;
  for (std::size_t j = 0; j < m; ++j) {
    double sum = 0;
    for (std::size_t k = 0; k < m; ++k) sum += rest[j * m + k] * reach[k];
    if (sum > 0) most = std::max(most, sum / reach[j] * wide);
  }
  if (!(most < 0.5)) return std::nullopt;
  for (double& of_coordinate : reach) of_coordinate *= margin / (1 - most) * wide;
  return reach;
}

}  // namespace seesaw::rigorous
