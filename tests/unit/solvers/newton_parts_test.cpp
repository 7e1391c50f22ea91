// The parts of Newton's method against slow, simple versions.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <Eigen/Cholesky>

#include <numeric>

#include "data/select_rows.h"
#include "model/losses/logistic_kernel.h"
#include "solvers/parts/newton/conjugate_gradient.h"
#include "solvers/parts/newton/hessian.h"
#include "solvers/parts/newton/loss_curve.h"
#include "solvers/parts/newton/newton_descent.h"
#include "solvers/parts/newton/newton_plan.h"
#include "solvers/parts/newton/newton_system.h"
#include "support/problems.h"

namespace seesaw {
namespace newton_parts_test {

TEST(LogisticTerms, are_within_a_few_units_in_the_last_place) {
  Rng rng(5);
  const auto near = [](double ours, long double exact, double units) {
    return std::abs(ours - exact) <= units * 0x1p-53L * std::abs(exact) + 1e-307L;
  };
  for (int k = 0; k < 200000; ++k) {
    const double m = k < 100000 ? 40 * (rng.uniform() - 0.5) : rng.normal() * std::pow(10.0, 5 * rng.uniform() - 3);
    if (std::abs(m) > 700) continue;
    const LogisticTerms at = logistic_terms(m);
    const long double e = std::exp(-std::abs((long double)m)), large = m < 0 ? -(long double)m : 0;
    ASSERT_TRUE(near(at.value, large + std::log1p(e), 4)) << m << " " << at.value;
    ASSERT_TRUE(near(at.p, (m >= 0 ? e : 1.0L) / (1 + e), 6)) << m;
    ASSERT_TRUE(near(at.curvature, e / ((1 + e) * (1 + e)), 8)) << m;
  }
}

// The same bits where the vectorized and the scalar exp agree: |m| <= 708.
TEST(LogisticTerms, have_the_value_of_the_loss_bit_for_bit) {
  Rng rng(6);
  for (int k = 0; k < 100000; ++k) {
    const double m = rng.normal() * std::pow(10.0, 5 * rng.uniform() - 3);
    if (std::abs(m) > 708) continue;
    for (const double b : {-1.0, 1.0}) ASSERT_EQ(Logistic().value(b, b * m), logistic_terms(m).value) << m;
  }
}

TEST(LogisticTerms, stay_finite_for_large_margins) {
  for (const double m : {-1e300, -1e5, -709.0, -0.0, 0.0, 709.0, 1e5, 1e300}) {
    const LogisticTerms at = logistic_terms(m);
    EXPECT_DOUBLE_EQ(at.value, m >= 700 ? at.value : std::max(-m, 0.0) + std::log1p(std::exp(-std::abs(m))));
    EXPECT_GE(at.value, 0);
    EXPECT_LE(at.value, m > 700 ? 1e-300 : 1e300);
    EXPECT_TRUE(at.p >= 0 && at.p <= 1 && at.curvature >= 0 && at.curvature <= 0.25) << m;
  }
}

TEST(LossCurve, agrees_with_every_smooth_loss_and_its_derivatives_along_a_line) {
  for (const LossKind& kind : loss_kinds()) {
    if (kind.gamma() == 0) continue;
    const Loss loss = kind.make(kind.parameter.standard);
    const std::size_t n = 20011;
    Rng rng(3);
    std::vector<double> b(n), c(n), z(n), q(n), derivative(n), curvature(n), derivative_again(n), curvature_again(n);
    for (std::size_t i = 0; i < n; ++i) {
      b[i] = kind.target == Target::sign ? (rng.uniform() < 0.4 ? -1 : 1) : rng.normal();
      c[i] = rng.uniform() / double(n);
      z[i] = i % 7 == 0 ? b[i] : 2 * rng.normal();
      q[i] = rng.normal();
    }
    const double t = 0.75;
    const Leaves leaves({0, 5000, 5000, 12345, n});
    const LossCurve::At at = LossCurve(loss, b, c, leaves).evaluate(z, q, t, derivative, curvature);
    double value = 0, first = 0, second = 0;
    std::visit(
        [&](const auto& phi) {
          for (std::size_t i = 0; i < n; ++i) {
            const double score = z[i] + t * q[i];
            EXPECT_NEAR(derivative[i], c[i] * phi.derivative(b[i], score), 1e-14 * c[i] * (1 + std::abs(score)))
                << kind.name;
            EXPECT_NEAR(curvature[i], c[i] * phi.second_derivative(b[i], score), 1e-14 * c[i]) << kind.name;
            value += c[i] * phi.value(b[i], score);
            first += c[i] * phi.derivative(b[i], score) * q[i];
            second += c[i] * phi.second_derivative(b[i], score) * q[i] * q[i];
          }
        },
        loss);
    EXPECT_NEAR(at.value, value, 1e-12 * value) << kind.name;
    EXPECT_NEAR(at.derivative, first, 1e-12) << kind.name;
    EXPECT_NEAR(at.curvature, second, 1e-12) << kind.name;
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    const LossCurve::At again = LossCurve(loss, b, c, leaves).evaluate(z, q, t, derivative_again, curvature_again);
    EXPECT_EQ(again.value, at.value);
    EXPECT_EQ(again.derivative, at.derivative);
    EXPECT_EQ(derivative_again, derivative);
  }
}

TEST(Hessian, multiplies_as_the_assembled_matrix_does_in_every_storage_and_for_any_number_of_threads) {
  for (const auto storage : test::all_storages)
    for (const bool border : {false, true}) {
      const std::size_t n = 3000, d = 9;
      const Dataset data = test::random_data(n, d, Target::sign, 4, storage);
      std::vector<double> curvature(n);
      for (std::size_t i = 0; i < n; ++i) curvature[i] = i % 3 == 0 ? 0 : 0.001 * double(i % 11);
      Hessian h(data.rows, 0.3, border, 0.05);
      h.set(curvature);
      Eigen::MatrixXd matrix, block;
      h.assemble(matrix);
      const Eigen::MatrixXd full = matrix.selfadjointView<Eigen::Lower>();
      ASSERT_EQ(full.rows(), Eigen::Index(d + border));
      Eigen::VectorXd p = Eigen::VectorXd::LinSpaced(h.size(), -1, 2), product, again, diagonal;
      h.multiply(p, product);
      {
        const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
        h.multiply(p, again);
      }
      h.diagonal(diagonal);
      EXPECT_LE((product - full * p).cwiseAbs().maxCoeff(), 1e-11);
      EXPECT_EQ(product, again);
      EXPECT_LE((diagonal - full.diagonal()).cwiseAbs().maxCoeff(), 1e-11);
      const std::vector<std::uint32_t> columns = {1, 4, 8};
      h.assemble_block(columns, block);
      for (Eigen::Index j = 0; j < 3; ++j)
        for (Eigen::Index k = 0; k <= j; ++k) EXPECT_NEAR(block(j, k), full(columns[j], columns[k]), 1e-11);
    }
}

TEST(NewtonSystem, every_kind_solves_the_same_equations) {
  const Dataset data = test::random_data(900, 12, Target::sign, 4);
  std::vector<double> curvature(data.n(), 1.0 / 900);
  Hessian h(data.rows, 1e-3, true, 1e-10);
  h.set(curvature);
  Eigen::MatrixXd matrix;
  h.assemble(matrix);
  const Eigen::MatrixXd full = matrix.selfadjointView<Eigen::Lower>();
  const Eigen::VectorXd g = Eigen::VectorXd::LinSpaced(h.size(), 1, -3);
  const Eigen::VectorXd exact = -full.ldlt().solve(g);
  for (const SystemKind kind : {SystemKind::cholesky, SystemKind::sampled, SystemKind::diagonal, SystemKind::block}) {
    const auto system = make_newton_system(kind);
    Eigen::VectorXd p;
    EXPECT_GT(system->solve(h, g, 1e-10 * g.norm(), p), 0);
    EXPECT_LE((p - exact).norm(), 1e-8 * exact.norm()) << int(kind);
    for (double& w : curvature) w *= 1.1;  // the previous factor is used as a preconditioner
    h.set(curvature);
    h.assemble(matrix);
    system->solve(h, g, 1e-10 * g.norm(), p);
    EXPECT_LE((Eigen::MatrixXd(matrix.selfadjointView<Eigen::Lower>()) * p + g).norm(), 1e-9 * g.norm()) << int(kind);
    std::fill(curvature.begin(), curvature.end(), 1.0 / 900);
    h.set(curvature);
  }
}

// Weights of 0 or 1/n, as those of a squared hinge: few rows change from one system to the next.
TEST(NewtonSystem, a_matrix_is_updated_by_the_rows_that_change) {
  for (const auto storage : {test::Storage::sparse, test::Storage::dense})
    for (const bool border : {false, true}) {
      const Dataset data = test::random_data(2000, 12, Target::sign, 4, storage);
      std::vector<double> curvature(data.n());
      for (std::size_t i = 0; i < data.n(); ++i) curvature[i] = i % 3 == 0 ? 0 : 1.0 / 2000;
      Hessian h(data.rows, 1e-3, border, 1e-10);
      const auto system = make_newton_system(SystemKind::cholesky);
      const Eigen::VectorXd g = Eigen::VectorXd::LinSpaced(h.size(), 1, -3);
      Rng rng(9);
      int assembled = 0;
      for (int round = 0; round < 120; ++round) {
        const double lambda = 1e-3 / (1 + round);
        h.set_lambda(lambda);
        h.set(curvature);
        Eigen::MatrixXd matrix;
        h.assemble(matrix);
        const Eigen::MatrixXd full = matrix.selfadjointView<Eigen::Lower>();
        Eigen::VectorXd p, product, w(data.n());
        const double passes = system->solve(h, g, 1e-10 * g.norm(), p);
        EXPECT_LE((full * p + g).norm(), 1e-9 * g.norm()) << round;
        EXPECT_TRUE(passes == 1 || passes < 0.1) << round;
        assembled += passes == 1;
        ASSERT_TRUE(system->kept_product(g, product, {w.data(), data.n()}));
        EXPECT_TRUE(std::equal(w.begin(), w.end(), curvature.begin()));
        Eigen::MatrixXd rows;
        h.assemble_rows(h.curved(), h.weights(), rows);
        const Eigen::MatrixXd of_rows = rows.selfadjointView<Eigen::Lower>();
        EXPECT_LE((product - of_rows * g).norm(), 1e-12 * product.norm()) << round;
        for (int k = 0; k < 40; ++k) {
          double& one = curvature[static_cast<std::size_t>(rng.uniform() * 2000)];
          one = one > 0 ? 0 : 1.0 / 2000;
        }
      }
      EXPECT_GE(assembled, 2);  // rounding errors do not accumulate without end
      EXPECT_LE(assembled, 4);
    }
}

// The gradient that follows from the matrix and the rows that changed, against the one of the data.
TEST(NewtonDescent, updates_of_the_gradient_agree_with_products) {
  for (const LossKind& kind : loss_kinds()) {
    if (kind.gamma() == 0) continue;
    const Loss loss = kind.make(kind.parameter.standard);
    for (const bool free : {false, true}) {
      const Dataset data = test::random_data(3000, 8, kind.target, 5);
      const std::vector<double> c(data.n(), 1.0 / 3000);
      const test::Matrix matrix = test::matrix_of(data);
      std::vector<double> target;
      Rng rng(2);
      for (std::size_t i = 0; i < data.n(); ++i) {
        const double z = 2 * matrix[i][0] + rng.normal();
        target.push_back(kind.target == Target::sign ? (z > 0 ? 1 : -1) : z);
      }
      const auto descent_at = [&](double lambda) {
        return NewtonDescent({data.rows, target, c}, loss, lambda, free, SystemKind::cholesky);
      };
      NewtonDescent descent = descent_at(1);
      const Eigen::Index size = 8 + free;
      descent.begin(Eigen::VectorXd::Zero(size));
      for (const double lambda : {1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4}) {
        if (lambda < 1) descent.follow(lambda);
        for (int step = 0; step < 3; ++step) {
          descent.step(0);
          NewtonDescent again = descent_at(lambda);
          again.begin(descent.x());
          EXPECT_NEAR(descent.primal(), again.primal(), 1e-13) << kind.name;
          const auto size_of_g = [&](NewtonDescent& of) { return std::sqrt(2 * lambda * of.gap(0)); };
          EXPECT_NEAR(size_of_g(descent), size_of_g(again), 3e-14) << kind.name << lambda;
        }
      }
      if (kind.name == "squared-hinge") {
        EXPECT_LT(descent.passes(), 1.9 * descent.steps());
      }
    }
  }
}

TEST(ConjugateGradient, needs_no_more_steps_than_unknowns_and_stops_at_its_limit) {
  const Eigen::VectorXd diagonal = Eigen::VectorXd::LinSpaced(5, 1, 9), g = Eigen::VectorXd::Ones(5);
  const auto apply = [&](const Eigen::VectorXd& p, Eigen::VectorXd& r) { r = diagonal.cwiseProduct(p); };
  const auto nothing = [](const Eigen::VectorXd& r, Eigen::VectorXd& m) { m = r; };
  Eigen::VectorXd p;
  const auto [steps, converged] = conjugate_gradient(g, 1e-12, 50, apply, nothing, p);
  EXPECT_LE(steps, 6);
  EXPECT_TRUE(converged);
  EXPECT_LE((diagonal.cwiseProduct(p) + g).norm(), 1e-11);
  EXPECT_EQ(conjugate_gradient(g, 1e-12, 2, apply, nothing, p).steps, 2);
  EXPECT_LT(g.dot(p), 0);
}

TEST(SelectRows, gives_the_rows_in_their_order_and_storage) {
  for (const auto storage : test::all_storages) {
    const Dataset data = test::random_data(40, 6, Target::sign, 8, storage);
    const std::vector<std::uint32_t> which = {0, 3, 4, 39};
    Dataset some = data;
    some.rows = select_rows(data.rows, which);
    some.labels.resize(which.size());
    EXPECT_EQ(some.rows.index(), data.rows.index());
    const test::Matrix all = test::matrix_of(data), chosen = test::matrix_of(some);
    ASSERT_EQ(chosen.size(), which.size());
    for (std::size_t k = 0; k < which.size(); ++k) EXPECT_EQ(chosen[k], all[which[k]]);
  }
}

TEST(NewtonPlan, depends_on_shape_and_conditioning) {
  const auto plan = [](double n, double d, double r, double s) {
    return plan_newton({{n, d, n * r, 0.5 * n * r * r}, s, true});
  };
  EXPECT_EQ(plan(30000, 120, 14, 10).system, SystemKind::cholesky);
  EXPECT_TRUE(plan(30000, 120, 14, 10).sampled_start);
  EXPECT_FALSE(plan(30000, 120, 14, 1e5).sampled_start);                                  // a sample would overfit
  EXPECT_TRUE(plan(300000, 120, 14, 1e5).sampled_start);                                  // a larger sample does not
  EXPECT_FALSE(plan(3000, 120, 14, 10).sampled_start);                                    // too few rows for a sample
  EXPECT_FALSE(plan_newton({{30000, 120, 420000, 3e6}, 10, false, true}).sampled_start);  // one step is enough
  EXPECT_EQ(plan(50000, 500, 500, 10).system, SystemKind::sampled);
  EXPECT_EQ(plan(50000, 500, 20, 10).system, SystemKind::cholesky);  // a sample would miss rare features
  EXPECT_EQ(plan(16000, 60000, 80, 10).system, SystemKind::diagonal);
  EXPECT_EQ(plan(16000, 60000, 80, 1e4).system, SystemKind::block);
  EXPECT_LT(plan(16000, 60000, 80, 1).nanoseconds, plan(16000, 60000, 80, 100).nanoseconds);
}

}  // namespace newton_parts_test
}  // namespace seesaw
