#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "data/rows_builder.h"
#include "solvers/parts/primal/batch_primal.h"
#include "solvers/parts/steps/data_curvature.h"
#include "solvers/parts/steps/spectral_norm.h"
#include "solvers/parts/steps/step_rule.h"
#include "support/problems.h"

namespace seesaw {
namespace batch_parts_test {

using test::Storage;

Problem ridge(const Dataset& data, Intercept intercept = Intercept::none) {
  Objective objective;
  objective.loss = "squared";
  objective.lambda = 0.1;
  objective.intercept = intercept;
  return make_problem(data, objective);
}

// Singular values of C^(1/2) [A t], the largest first.
Eigen::VectorXd singular_values(const Problem& problem, double t) {
  const test::Matrix matrix = test::matrix_of(*problem.data);
  Eigen::MatrixXd a(problem.n(), problem.d() + (t > 0 ? 1 : 0));
  for (std::size_t i = 0; i < problem.n(); ++i) {
    for (std::size_t j = 0; j < problem.d(); ++j) a(i, j) = std::sqrt(problem.normalized_weight[i]) * matrix[i][j];
    if (t > 0) a(i, problem.d()) = std::sqrt(problem.normalized_weight[i]) * t;
  }
  return Eigen::JacobiSVD<Eigen::MatrixXd>(a).singularValues();
}

TEST(SpectralNorm, is_1_percent_above_the_largest_singular_value) {
  for (const auto& [n, d] : {std::pair{1, 1}, {40, 5}, {60, 60}, {7, 30}, {200, 80}})
    for (const Storage storage : test::all_storages)
      for (const bool weighted : {false, true})
        for (const double t : {0.0, 0.7, 30.0}) {
          Dataset data = test::random_data(n, d, Target::number, 3 + n, storage);
          if (weighted)
            for (int i = 0; i < n; ++i) data.weights.push_back(0.25 + i % 5);
          const Problem problem = ridge(data);
          const double truth = singular_values(problem, t)[0];
          const double norm = spectral_norm(problem, t);
          EXPECT_GE(norm, 1.009 * truth) << n << " x " << d << " storage " << int(storage) << " t " << t;
          EXPECT_LE(norm, 1.01 * truth * (1 + 1e-12)) << n << " x " << d << " storage " << int(storage) << " t " << t;
        }
}

// Clustered singular values, whose singular vectors are hard to separate, and one larger value.
TEST(SpectralNorm, is_not_below_the_largest_of_clustered_singular_values) {
  for (const double top : {1.0, 1.001, 1.1, 3.0}) {
    test::Matrix matrix(400, std::vector<double>(400));
    for (std::size_t j = 0; j < 400; ++j) matrix[j][j] = j == 200 ? top : 1 - 1e-4 * double(j);
    const Dataset data = test::table(matrix);
    const double truth = top / 20;  // sqrt(1/n)
    EXPECT_GE(spectral_norm(ridge(data), 0), truth) << top;
    EXPECT_LE(spectral_norm(ridge(data), 0), 1.01 * truth * (1 + 1e-12)) << top;
  }
}

// All singular values are equal except one, whose singular vector is a small component of the starting vector.
TEST(SpectralNorm, finds_one_larger_value_among_many_equal_ones) {
  constexpr std::size_t n = 3000;
  for (const std::size_t heavy : {0u, 259u, 333u, 518u, 740u, 1295u, 1406u, 2999u}) {
    RowsBuilder builder;
    for (std::uint32_t j = 0; j < n; ++j)
      builder.add_row(std::vector<std::uint32_t>{j}, std::vector<double>{j == heavy ? 1.3 : 1.0});
    const Dataset data{.rows = std::move(builder).finish(n, Precision::exact), .labels = std::vector<double>(n)};
    EXPECT_GE(spectral_norm(ridge(data), 0), 1.3 / std::sqrt(double(n))) << heavy;
  }
}

TEST(SpectralNorm, of_data_without_any_entry_is_zero) {
  const Dataset data = test::table({{0, 0}, {0, 0}});
  EXPECT_EQ(spectral_norm(ridge(data), 0), 0);
}

TEST(DataCurvature, is_the_smallest_eigenvalue) {
  for (const Storage storage : test::all_storages)
    for (const bool weighted : {false, true})
      for (const double t : {0.0, 0.7}) {
        Dataset data = test::random_data(150, 12, Target::number, 3, storage);
        if (weighted)
          for (int i = 0; i < 150; ++i) data.weights.push_back(0.25 + i % 5);
        const Problem problem = ridge(data);
        const Eigen::VectorXd values = singular_values(problem, t);
        const double smallest = values[values.size() - 1];
        EXPECT_NEAR(data_curvature(problem, t), smallest * smallest, 1e-12) << int(storage) << " t " << t;
      }
}

// Too wide for a decomposition: diagonal matrices, whose eigenvalues are s_j^2/n, with one or many smallest.
TEST(DataCurvature, of_wide_data_is_the_smallest_eigenvalue) {
  constexpr std::size_t n = 500;
  for (const std::size_t others : {1u, 2u, 250u}) {
    RowsBuilder builder;
    double smallest = 9;
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t hundreds = j / 100;
      const double s = j % others == 0 ? 1 + 0.001 * j : 0.7 + 1e-4 * hundreds;
      smallest = std::min(smallest, s);
      builder.add_row(std::vector<std::uint32_t>{j}, std::vector<double>{s});
    }
    const Dataset data{.rows = std::move(builder).finish(n, Precision::exact), .labels = std::vector<double>(n)};
    EXPECT_NEAR(data_curvature(ridge(data), 0) * n, smallest * smallest, 1e-6 * smallest) << others;
  }
  test::Matrix matrix = test::random_matrix(520, 450, 8);
  EXPECT_GT(data_curvature(ridge(test::table(matrix)), 0), 0);
  for (auto& row : matrix) row[7] = row[31] - row[300];
  EXPECT_EQ(data_curvature(ridge(test::table(matrix)), 0), 0);
}

TEST(DataCurvature, is_zero_where_columns_depend_on_each_other) {
  test::Matrix matrix = test::random_matrix(50, 4, 8);
  for (auto& row : matrix) row.push_back(row[0] - 2 * row[2]);
  const Dataset dependent = test::table(matrix);
  EXPECT_EQ(data_curvature(ridge(dependent), 0), 0);
  const Dataset wide = test::random_data(5, 9, Target::number, 8);
  EXPECT_EQ(data_curvature(ridge(wide), 0), 0);
  test::Matrix constant = test::random_matrix(50, 4, 8);
  for (auto& row : constant) row.push_back(2);
  const Dataset with_constant = test::table(constant);
  EXPECT_GT(data_curvature(ridge(with_constant), 0), 0);
  EXPECT_EQ(data_curvature(ridge(with_constant), 1), 0);  // the intercept's column is the same
}

TEST(BatchPrimal, maintains_the_scores_of_its_point_without_another_product) {
  const Dataset data = test::random_data(60, 9, Target::number, 4);
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    const Problem problem = ridge(data, intercept);
    BatchPrimal x(problem, RowFacts(problem).bias_entry);
    x.begin({});
    Rng rng(2);
    Point point;
    for (int k = 0; k < 200; ++k) {
      for (std::size_t i = 0; i < data.n(); ++i) x.weighted_dual()[i] = rng.normal() / 60;
      x.step(0.5, k % 3 == 0 ? BatchPrimal::From::last : BatchPrimal::From::extrapolated);
      x.extrapolate(rng.uniform());
      x.read(point);
      std::vector<double> z(data.n());
      multiply(data.rows, point.x.data(), z.data());
      for (std::size_t i = 0; i < z.size(); ++i)
        ASSERT_NEAR(x.scores()[i], z[i] + point.intercept[0], 1e-12) << "iteration " << k;
    }
  }
}

}  // namespace batch_parts_test
}  // namespace seesaw
