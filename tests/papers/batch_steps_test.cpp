// SPDC (Zhang & Xiao 2017) and AdaSPDC (Zhu & Storkey 2015, (10), (12), (15)) with batches of m rows and any step constant
// c, for ridge regression: dense, eager, in the letters of the papers. The recipes give the same iterates. For
// phi = (z - b)^2/(2 gamma), gamma = 1 and 1/2.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "data/synthetic.h"
#include "sampling/subset.h"
#include "sampling/uniform.h"
#include "solvers/catalog.h"
#include "support/table.h"

namespace seesaw {
namespace batch_steps_test {

using Vector = Eigen::VectorXd;
constexpr double n = 60, lambda = 1e-3;

struct Variant {
  const char* solver;
  std::size_t m;
  double c;
  bool mean = false;  // AdaSPDC: the mean of the norms of a batch, in place of the largest
};

void expect_printed(const Variant& v, double gamma) {
  SynthOptions options;
  options.n = 60;
  options.d = 8;
  options.task = Task::regression;
  const Dataset data = synthesize("decay", options);
  const test::Matrix matrix = test::matrix_of(data);
  Eigen::MatrixXd A(60, 8);
  for (Eigen::Index i = 0; i < 60; ++i)
    for (Eigen::Index j = 0; j < 8; ++j) A(i, j) = matrix[std::size_t(i)][std::size_t(j)];
  const Vector R = A.rowwise().norm();
  const bool adaptive = v.solver == std::string("adaspdc");
  const double m = double(v.m);
  const auto tau = [&](double norm) { return std::sqrt(m * gamma / (n * lambda)) / (v.c * norm); };
  const auto sigma = [&](double norm) { return std::sqrt(n * lambda / (m * gamma)) / (v.c * norm); };
  const auto theta = [&](double norm) {  // c = 2: 1 - 1/(n/m + R sqrt((n/m)/(lambda gamma)))
    return 1 - 1 / (n / m + v.c / 2 * norm * std::sqrt(n / m / (lambda * gamma)));
  };

  Objective objective;
  objective.loss = gamma == 1 ? "squared" : "squared-epsilon-insensitive";
  if (gamma != 1) objective.loss_parameter = 0;
  objective.lambda = lambda;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  ASSERT_EQ(problem.gamma(), gamma);
  SolverSpec spec{v.solver, {{"step-constant", std::to_string(v.c)}}, 9};
  if (v.m > 1) spec.options["batch"] = std::to_string(v.m);
  else spec.options["draw"] = "iid";
  if (v.mean) spec.options["batch-norm"] = "mean";
  const auto solver = make_solver(problem, spec);

  std::vector<std::uint32_t> rows(60);
  for (std::uint32_t i = 0; i < 60; ++i) rows[i] = i;
  SubsetSampler subsets(rows, Rng(9));
  UniformSampler single(rows, Rng(9));
  Vector x = Vector::Zero(8), extrapolated = x, y = Vector::Zero(60), s = x;
  Point point;
  for (int pass = 1; pass <= 25; ++pass) {
    for (std::size_t step = 0; step < 60 / v.m; ++step) {
      std::vector<std::uint32_t> batch(v.m);
      if (v.m > 1) subsets.fill(batch);
      else single.fill(batch);
      double largest = 0, sum = 0;
      for (std::uint32_t i : batch) {
        largest = std::max(largest, R[i]);
        sum += R[i];
      }
      const double norm = !adaptive ? R.maxCoeff() : v.mean ? sum / m : largest;
      Vector moved = Vector::Zero(8);  // sum of dy_i a_i
      for (std::uint32_t i : batch) {
        const double sg = sigma(adaptive ? R[i] : R.maxCoeff());
        const double next = (y[i] + sg * (A.row(i).dot(extrapolated) - data.labels[i])) / (1 + gamma * sg);
        moved += (next - y[i]) * A.row(i).transpose();
        y[i] = next;
      }
      const Vector before = x;
      x = (x - tau(norm) * (s + moved / m)) / (1 + tau(norm) * lambda);
      s += moved / n;
      extrapolated = x + theta(norm) * (x - before);
    }
    solver->epoch();
    solver->read(point);
    for (Eigen::Index j = 0; j < 8; ++j)
      ASSERT_NEAR(point.x[std::size_t(j)], x[j], 1e-10) << v.solver << " m " << v.m << " c " << v.c << " pass " << pass;
    for (Eigen::Index i = 0; i < 60; ++i)
      ASSERT_NEAR(point.y[std::size_t(i)], y[i], 1e-10) << v.solver << " m " << v.m << " c " << v.c << " pass " << pass;
  }
}

TEST(BatchesAsPrinted, of_spdc) {
  for (const double gamma : {1.0, 0.5})
    for (const std::size_t m : {1, 5, 20, 60})
      for (const double c : {2.0, 3.5}) expect_printed({"spdc", m, c}, gamma);
}

TEST(BatchesAsPrinted, of_adaspdc) {
  for (const double gamma : {1.0, 0.5})
    for (const std::size_t m : {1, 5, 20, 60})
      for (const double c : {2.0, 3.5})
        for (const bool mean : {false, true}) expect_printed({"adaspdc", m, c, mean}, gamma);
}

}  // namespace batch_steps_test
}  // namespace seesaw
