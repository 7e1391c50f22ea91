// Certificates against independent results: the objective by hand, closed forms, and optima of a slow Newton method.
#include "model/certificate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <Eigen/Dense>

#include "solvers/catalog.h"
#include "support/problems.h"

namespace seesaw {
namespace certificate_test {

using test::Matrix;

Problem problem_of(const Dataset& data, const std::string& loss, std::optional<double> lambda, std::optional<double> l1,
                   Intercept intercept) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = lambda;
  objective.l1 = l1;
  objective.intercept = intercept;
  return make_problem(data, objective);
}

Point random_point(const Problem& p, std::uint64_t seed) {
  Rng rng(seed);
  Point point;
  for (std::size_t j = 0; j < p.d(); ++j) point.x.push_back(rng.normal() / 4);
  for (std::size_t i = 0; i < p.n(); ++i) point.y.push_back(rng.normal());
  point.intercept = {rng.normal()};
  return point;
}

TEST(Certificate, equals_the_formulas_for_every_loss_penalty_intercept_and_weights) {
  for (const LossKind& kind : loss_kinds())
    for (const auto& [lambda, l1] : {std::pair{0.2, 0.0}, {0.2, 0.05}, {0.0, 0.05}, {0.0, 0.0}})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const bool weighted : {false, true}) {
          Dataset data = test::random_data(30, 4, kind.target, 11);
          if (weighted)
            for (std::size_t i = 0; i < 30; ++i) data.weights.push_back(0.25 + double(i % 5));
          const Problem p = problem_of(data, std::string(kind.name), lambda, l1, intercept);
          Point point = random_point(p, 5);
          const Certificate c = Certifier(p).certify(point);
          const std::string what = fmt::format("{} lambda {} l1 {} free {} weighted {}", kind.name, lambda, l1,
                                               intercept == Intercept::free, weighted);
          EXPECT_NEAR(c.primal, (double)test::slow_primal(p, point.x, point.intercept[0]), 1e-12 * (1 + c.primal))
              << what;
          const double dual = (double)test::slow_dual(p, point.y);
          ASSERT_TRUE(std::isfinite(dual)) << what;
          EXPECT_NEAR(c.dual, dual, 1e-10 * (1 + std::abs(c.dual))) << what;
          EXPECT_NEAR(c.gap, c.primal - c.dual, 1e-10 * (1 + c.primal)) << what;
          EXPECT_GE(c.gap, 0) << what;
          EXPECT_EQ(c.distance_bound.has_value(), lambda > 0) << what;
          if (intercept == Intercept::free) {  // the intercept is optimal, so the dual point can be used with it
            for (double move : {-0.3, -1e-3, 1e-3, 0.3})
              EXPECT_GE((double)test::slow_primal(p, point.x, point.intercept[0] + move), c.primal - 1e-13) << what;
            double sum = 0;
            for (std::size_t i = 0; i < p.n(); ++i) sum += p.normalized_weight[i] * point.y[i];
            EXPECT_NEAR(sum, 0, 1e-15) << what;
          }
        }
}

TEST(Certificate, is_the_same_for_one_thread_and_two) {
  const Dataset data = test::random_data(30000, 6, Target::sign, 2);
  const Problem p = problem_of(data, "logistic", 1e-3, 0.0, Intercept::free);
  Certificate c[2];
  for (int threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    Point point = random_point(p, 5);
    c[threads - 1] = Certifier(p).certify(point);
  }
  EXPECT_EQ(c[0].primal, c[1].primal);
  EXPECT_EQ(c[0].dual, c[1].dual);
  EXPECT_EQ(c[0].gap, c[1].gap);
}

// Ridge regression by the normal equations, with a column of ones for a free intercept.
TEST(Certificate, has_a_gap_of_0_at_the_closed_form_of_ridge_and_of_least_squares) {
  for (const double lambda : {0.3, 1e-3, 0.0})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const Dataset data = test::random_data(50, 5, Target::number, 21);
      const Problem p = problem_of(data, "squared", lambda, 0.0, intercept);
      const Matrix a = test::matrix_of(data);
      const int columns = 5 + (intercept == Intercept::free);
      Eigen::MatrixXd A = Eigen::MatrixXd::Ones(50, columns);
      for (int i = 0; i < 50; ++i)
        for (int j = 0; j < 5; ++j) A(i, j) = a[i][j];
      const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(p.scalar().target.data(), 50);
      Eigen::MatrixXd H = A.transpose() * A / 50;
      H.topLeftCorner(5, 5) += lambda * Eigen::MatrixXd::Identity(5, 5);
      const Eigen::VectorXd best = H.ldlt().solve(A.transpose() * b / 50);
      Point point;
      point.x.assign(best.data(), best.data() + 5);
      const Eigen::VectorXd residual = A * best - b;  // y_i = z_i - b_i
      point.y.assign(residual.data(), residual.data() + 50);
      const Certificate c = Certifier(p).certify(point);
      EXPECT_LE(c.gap, 1e-13) << "lambda " << lambda;
      EXPECT_NEAR(c.primal, residual.squaredNorm() / 100 + lambda / 2 * best.head(5).squaredNorm(), 1e-13);
    }
}

// lambda = l1 = 0: the projected dual point measures the true suboptimality near the optimum, for a curved loss.
TEST(Certificate, without_penalty_equals_the_suboptimality_near_the_optimum) {
  const Dataset data = test::random_data(300, 3, Target::sign, 8);
  const Problem p = problem_of(data, "logistic", 0.0, 0.0, Intercept::none);
  const Matrix a = test::matrix_of(data);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(3);
  const auto scores = [&](const Eigen::VectorXd& at) {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(300);
    for (int i = 0; i < 300; ++i)
      for (int j = 0; j < 3; ++j) z[i] += a[i][j] * at[j];
    return z;
  };
  const Logistic loss;
  for (int k = 0; k < 30; ++k) {  // plain Newton
    const Eigen::VectorXd z = scores(x);
    Eigen::VectorXd g = Eigen::VectorXd::Zero(3);
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(3, 3);
    for (int i = 0; i < 300; ++i) {
      const Eigen::VectorXd row = Eigen::Map<const Eigen::VectorXd>(a[i].data(), 3);
      g += loss.derivative(p.scalar().target[i], z[i]) * row / 300;
      H += loss.second_derivative(p.scalar().target[i], z[i]) * row * row.transpose() / 300;
    }
    x -= H.ldlt().solve(g);
  }
  const double optimum = (double)test::slow_primal(p, {x[0], x[1], x[2]}, 0);
  for (const double away : {1e-2, 1e-3}) {
    Eigen::VectorXd near = x;
    near[0] += away;
    near[1] -= 2 * away;
    const Eigen::VectorXd z = scores(near);
    Point point;
    point.x.assign(near.data(), near.data() + 3);
    for (int i = 0; i < 300; ++i) point.y.push_back(loss.derivative(p.scalar().target[i], z[i]));
    const Certificate c = Certifier(p).certify(point);
    const double truth = c.primal - optimum;
    EXPECT_EQ(c.dual_point, DualPoint::projected);
    EXPECT_GE(c.gap, truth * (1 - 1e-6));
    EXPECT_LE(c.gap, 1.2 * truth);
  }
}

// l1 alone: proximal gradient to rounding accuracy; the scaled dual point has a gap of 0.
TEST(Certificate, has_a_gap_of_0_at_the_lasso_by_scaling_the_dual_point) {
  const Dataset data = test::random_data(40, 6, Target::number, 4);
  const Problem p = problem_of(data, "squared", 0.0, 0.1, Intercept::none);
  const Matrix a = test::matrix_of(data);
  Point point;
  point.x.assign(6, 0.0);
  point.y.assign(40, 0.0);
  const auto residuals = [&] {
    for (int i = 0; i < 40; ++i) {
      point.y[i] = -p.scalar().target[i];
      for (int j = 0; j < 6; ++j) point.y[i] += a[i][j] * point.x[j];
    }
  };
  for (int k = 0; k < 20000; ++k) {
    residuals();
    for (int j = 0; j < 6; ++j) {
      double g = 0;
      for (int i = 0; i < 40; ++i) g += a[i][j] * point.y[i] / 40;
      point.x[j] = soft_threshold(point.x[j] - 0.1 * g, 0.1 * p.penalty.l1());
    }
  }
  residuals();
  EXPECT_LE(Certifier(p).certify(point).gap, 1e-12);
  point.y.assign(40, 5.0);  // far outside the box: must be scaled into it and remain valid
  Point other = point;
  const Certificate loose = Certifier(p).certify(other);
  EXPECT_EQ(loose.dual_point, DualPoint::scaled);
  EXPECT_TRUE(std::isfinite((double)test::slow_dual(p, other.y)));
}

TEST(Certificate, distance_bound_contains_the_optimum) {
  const Dataset data = test::random_data(60, 5, Target::sign, 9);
  const Problem p = problem_of(data, "squared-hinge", 0.05, 0.0, Intercept::none);
  const auto solver = make_solver(p, {"sdca", {}, 1});
  Point early, late;
  solver->epoch();
  solver->read(early);
  for (int k = 0; k < 500; ++k) solver->epoch();
  solver->read(late);
  const Certificate nearly = Certifier(p).certify(late);  // the optimum itself is within its own bound
  ASSERT_LE(nearly.gap, 1e-11);
  double distance = 0;
  for (std::size_t j = 0; j < 5; ++j) distance += (early.x[j] - late.x[j]) * (early.x[j] - late.x[j]);
  const double bound = *Certifier(p).certify(early).distance_bound;
  EXPECT_GT(distance, 0);
  EXPECT_LE(std::sqrt(distance), bound + *nearly.distance_bound);
  EXPECT_LT(*nearly.distance_bound, 1e-3 * bound);
}

}  // namespace certificate_test
}  // namespace seesaw
