#include "solvers/ridge_targets.h"

#include <algorithm>

#include "base/tree_sum.h"
#include "solvers/parts/newton/cholesky.h"
#include "solvers/parts/newton/hessian.h"

namespace seesaw {
namespace {

constexpr std::size_t most_features = 2500;  // for which Newton's method factors a matrix (newton_plan.cpp)
constexpr double floor_of_intercept = 1e-10;
constexpr int most_refinements = 3;

}  // namespace

bool ridge_targets_supported(const Problem& problem) {
  return problem.kind->name == "squared" && problem.penalty.l2() > 0 && problem.penalty.l1() == 0 &&
         problem.penalty.uniform() && problem.d() <= most_features;
}

RidgeTargets solve_ridge_targets(const Problem& problem, const Targets& targets) {
  const std::size_t K = targets.count, n = problem.n(), d = problem.d();
  const bool free = problem.free_intercept();
  const double lambda = problem.penalty.l2();
  Hessian hessian(problem.data->rows, lambda, free, floor_of_intercept);
  hessian.set(problem.normalized_weight);
  Eigen::MatrixXd matrix;
  hessian.assemble(matrix);
  Cholesky factor;
  factor.factor(matrix);

  RidgeTargets result;
  result.passes = 1;
  auto& [x, b, y] = result.point;
  x.assign(d * K, 0.0);
  b.assign(K, 0.0);
  y.resize(n * K);
  std::vector<double> cy(n * K), gradient(d * K), sums(K);
  Eigen::VectorXd right(static_cast<Eigen::Index>(d + (free ? 1 : 0)));
  double before = infinity;
  for (int round = 0;; ++round) {
    // y = phi'(z) = z - b_k, its gradient and the sums of the intercepts
    if (round > 0) multiply(problem.data->rows, x.data(), y.data(), K);
    else std::fill(y.begin(), y.end(), 0.0);
    for (std::size_t at = 0; at < y.size(); ++at) {
      y[at] += b[at % K] - targets.numbers[at];
      cy[at] = problem.normalized_weight[at / K] * y[at];
    }
    multiply_transposed(problem.data->rows, cy.data(), gradient.data(), K);
    result.passes += round > 0 ? 2 : 1;
    tree_sum(problem.leaves(), K, sums.data(), [&](std::size_t begin, std::size_t end, double* part) {
      for (std::size_t at = begin * K; at < end * K; ++at) part[at % K] += cy[at];
    });
    double squares = 0;
    for (std::size_t at = 0; at < gradient.size(); ++at) {
      gradient[at] += lambda * x[at];
      squares += gradient[at] * gradient[at];
    }
    if (round == most_refinements || !factor.ready() || !(squares < 0.01 * before)) return result;
    before = squares;
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t j = 0; j < d; ++j) right[static_cast<Eigen::Index>(j)] = -gradient[j * K + k];
      if (free) right[static_cast<Eigen::Index>(d)] = -sums[k];
      const Eigen::VectorXd step = factor.solve(right);
      for (std::size_t j = 0; j < d; ++j) x[j * K + k] += step[static_cast<Eigen::Index>(j)];
      if (free) b[k] += step[static_cast<Eigen::Index>(d)];
    }
  }
}

}  // namespace seesaw
