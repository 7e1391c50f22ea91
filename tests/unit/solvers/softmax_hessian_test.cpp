// The Hessian of softmax against differences of the gradient, and its blocks against the whole.
#include "solvers/parts/newton/softmax_hessian.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "solvers/parts/newton/class_preconditioner.h"
#include "support/multiclass.h"
#include "support/problems.h"

namespace seesaw {
namespace softmax_hessian_test {

using Long = std::vector<long double>;

// Scores and probabilities at (x, b), b after x, in long double.
Long probabilities(const Problem& p, const Long& x) {
  const test::Matrix a = test::matrix_of(*p.data);
  const std::size_t K = p.outputs();
  Long result;
  for (const auto& row : a) {
    Long z(K);
    long double sum = 0;
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t j = 0; j < p.d(); ++j) z[k] += row[j] * x[j * K + k];
      if (p.free_intercept()) z[k] += x[p.d() * K + k];
      sum += z[k] = std::exp(z[k]);
    }
    for (const long double e : z) result.push_back(e / sum);
  }
  return result;
}

Long gradient(const Problem& p, const Long& x) {
  const test::Matrix a = test::matrix_of(*p.data);
  const std::size_t K = p.outputs();
  const Long probability = probabilities(p, x);
  Long g(x.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < K; ++k) {
      const long double y = probability[i * K + k] - (p.block().class_of_row[i] == k ? 1 : 0);
      for (std::size_t j = 0; j < p.d(); ++j) g[j * K + k] += p.normalized_weight[i] * y * a[i][j];
      if (p.free_intercept()) g[p.d() * K + k] += p.normalized_weight[i] * y;
    }
  for (std::size_t at = 0; at < p.d() * K; ++at) g[at] += p.penalty.l2() * x[at];
  return g;
}

template <class Check>
void for_every_case(const Check& check) {
  for (const std::size_t classes : {2, 3, 5})
    for (const Intercept intercept : {Intercept::none, Intercept::free})
      for (const bool weighted : {false, true})
        for (const auto storage : test::all_storages) {
          Dataset data = test::random_classes(60, 4, classes, 7, storage);
          if (weighted) test::add_weights(data);
          const Problem problem = make_problem(data, test::objective_of("softmax", 0.03, 0, intercept));
          SoftmaxHessian hessian(problem);
          Rng rng(classes);
          Long x(hessian.unknowns());
          for (long double& at : x) at = rng.normal() / 2;
          const Long p = probabilities(problem, x);
          hessian.move_to({p.begin(), p.end()});
          check(problem, hessian, x);
        }
}

TEST(SoftmaxHessian, is_the_derivative_of_the_gradient) {
  for_every_case([](const Problem& problem, SoftmaxHessian& hessian, const Long& x) {
    Rng rng(3);
    Eigen::VectorXd direction(static_cast<Eigen::Index>(x.size())), product;
    for (double& at : direction) at = rng.normal();
    hessian.multiply(direction, product);
    constexpr long double h = 1e-5L;
    Long before = x, after = x;
    for (std::size_t at = 0; at < x.size(); ++at) {
      before[at] -= h * direction[static_cast<Eigen::Index>(at)];
      after[at] += h * direction[static_cast<Eigen::Index>(at)];
    }
    const Long g0 = gradient(problem, before), g1 = gradient(problem, after);
    for (std::size_t at = 0; at < x.size(); ++at)
      EXPECT_NEAR(product[static_cast<Eigen::Index>(at)], static_cast<double>((g1[at] - g0[at]) / (2 * h)), 1e-8)
          << "classes " << problem.outputs() << " unknown " << at;
  });
}

// The assembled matrix differs from the products only by the matrix of ones on the intercepts.
TEST(SoftmaxHessian, is_the_same_assembled_as_a_whole_by_classes_and_on_its_diagonal) {
  for_every_case([](const Problem& problem, SoftmaxHessian& hessian, const Long&) {
    const auto K = static_cast<Eigen::Index>(problem.outputs()), d = static_cast<Eigen::Index>(problem.d());
    Eigen::MatrixXd lower;
    hessian.assemble(lower);
    const Eigen::MatrixXd whole = lower.selfadjointView<Eigen::Lower>();
    Eigen::MatrixXd by_products(whole.rows(), whole.cols());
    Eigen::VectorXd column, diagonal;
    for (Eigen::Index at = 0; at < whole.cols(); ++at) {
      hessian.multiply(Eigen::VectorXd::Unit(whole.cols(), at), column);
      by_products.col(at) = column;
    }
    double lift = 0;
    if (problem.free_intercept()) {
      lift = by_products.bottomRightCorner(K, K).trace() / static_cast<double>(K);
      EXPECT_GT(lift, 0);
      const std::vector<double> none(problem.n() * problem.outputs());
      const auto alone = hessian.of_intercepts(none);
      EXPECT_LE((alone.curvature - whole.bottomRightCorner(K, K)).norm(), 1e-14);
    }
    Eigen::MatrixXd lifted = by_products;
    lifted.bottomRightCorner(whole.rows() - d * K, whole.rows() - d * K).array() += lift;
    EXPECT_LE((whole - lifted).norm(), 1e-14 * whole.norm());
    hessian.diagonal(diagonal);
    EXPECT_LE((diagonal - by_products.diagonal()).norm(), 1e-14 * diagonal.norm());
    for (Eigen::Index k = 0; k < K; ++k) {
      Eigen::MatrixXd block;
      hessian.assemble(static_cast<std::size_t>(k), block);
      for (Eigen::Index j = 0; j < block.rows(); ++j)
        for (Eigen::Index m = 0; m <= j; ++m) EXPECT_NEAR(block(j, m), by_products(j * K + k, m * K + k), 1e-14);
    }
  });
}

TEST(SoftmaxHessian, computes_one_gram_matrix_if_all_rows_have_equal_probabilities) {
  Dataset data = test::random_classes(60, 4, 3, 7);
  test::add_weights(data);
  const Problem problem = make_problem(data, test::objective_of("softmax", 0.03, 0, Intercept::free));
  SoftmaxHessian hessian(problem);
  std::vector<double> p;
  for (std::size_t i = 0; i < problem.n(); ++i) p.insert(p.end(), {0.2, 0.5, 0.3});
  hessian.move_to(p);
  std::vector<Eigen::MatrixXd> together(3);
  for (std::size_t k = 0; k < 3; ++k) hessian.assemble(k, together[k]);
  p[1] += 1e-9;  // nearly equal, but computed separately
  hessian.move_to(p);
  for (std::size_t k = 0; k < 3; ++k) {
    Eigen::MatrixXd apart;
    hessian.assemble(k, apart);
    const Eigen::MatrixXd difference = (apart - together[k]).triangularView<Eigen::Lower>();
    EXPECT_LE(difference.norm(), 1e-8);
  }
}

TEST(SoftmaxHessian, has_the_same_bits_for_any_number_of_threads) {
  const Dataset data = test::random_classes(5000, 30, 4, 9);
  const Problem problem = make_problem(data, test::objective_of("softmax", 0.03, 0, Intercept::free));
  SoftmaxHessian hessian(problem);
  Rng rng(1);
  std::vector<double> p(problem.n() * 4);
  for (double& at : p) at = rng.uniform() / 4;
  hessian.move_to(p);
  Eigen::VectorXd direction(static_cast<Eigen::Index>(hessian.unknowns()));
  for (double& at : direction) at = rng.normal();
  std::vector<Eigen::VectorXd> products(2);
  std::vector<Eigen::MatrixXd> wholes(2);
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    hessian.multiply(direction, products[threads - 1]);
    hessian.assemble(wholes[threads - 1]);
  }
  EXPECT_EQ(products[0], products[1]);
  EXPECT_EQ(wholes[0], wholes[1]);
}

// M^-1 r is a descent direction in the invariant subspace of H, and exact if M is the whole H.
TEST(ClassPreconditioner, keeps_classes_summing_to_zero_and_is_positive) {
  for_every_case([](const Problem& problem, SoftmaxHessian& hessian, const Long&) {
    Rng rng(8);
    Eigen::VectorXd r(static_cast<Eigen::Index>(hessian.unknowns())), solution, product;
    for (double& at : r) at = rng.normal();
    const std::size_t features = hessian.unknowns() / problem.outputs();
    center_classes(r.data(), features, problem.outputs());
    for (const auto blocks : {ClassBlocks::whole, ClassBlocks::classes, ClassBlocks::diagonal}) {
      ClassPreconditioner preconditioner(problem, blocks);
      preconditioner.make(hessian);
      preconditioner.solve(r, solution);
      EXPECT_GT(r.dot(solution), 0);
      Eigen::VectorXd centered = solution;
      center_classes(centered.data(), features, problem.outputs());
      EXPECT_LE((centered - solution).norm(), 1e-11 * solution.norm());
      if (blocks != ClassBlocks::whole) continue;
      hessian.multiply(solution, product);
      EXPECT_LE((product - r).norm(), 1e-11 * r.norm());
    }
  });
}

}  // namespace softmax_hessian_test
}  // namespace seesaw
