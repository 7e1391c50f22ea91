#include "solvers/parts/newton/row_factor.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "support/problems.h"

namespace seesaw {
namespace row_factor_test {

Objective squared_loss_objective() {
  Objective objective;
  objective.loss = "squared";
  objective.intercept = Intercept::none;
  return objective;
}

void expect_factor(const Dataset& data) {
  const test::Matrix a = test::matrix_of(data);
  const Problem problem = make_problem(data, squared_loss_objective());
  const Eigen::MatrixXd l = row_factor(problem);
  const Eigen::MatrixXd product = l * l.transpose();
  double trace = 0;
  for (const auto& row : a)
    for (const double value : row) trace += value * value;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a.size(); ++k) {
      long double dot = 0;
      for (std::size_t j = 0; j < a[i].size(); ++j) dot += static_cast<long double>(a[i][j]) * a[k][j];
      EXPECT_NEAR(product(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)), static_cast<double>(dot),
                  1e-13 * trace / static_cast<double>(a.size()) + 1e-15 * trace)
          << i << ", " << k;
      if (k > i) {
        EXPECT_EQ(l(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)), 0);
      }
    }
}

TEST(RowFactor, times_its_transpose_is_the_products_of_all_rows) {
  for (const auto storage : test::all_storages)
    for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{1, 1}, {7, 40}, {30, 500}, {20, 5}})
      expect_factor(test::random_data(n, d, Target::number, 4, storage));
}

TEST(RowFactor, exists_for_repeated_and_empty_rows_and_is_zero_without_entries) {
  test::Matrix matrix = test::random_matrix(6, 20, 2);
  matrix.insert(matrix.end(), {matrix[0], matrix[1], std::vector<double>(20)});
  Dataset data = test::table(matrix);
  data.labels = std::vector<double>(matrix.size(), 1.0);
  data.labels[0] = 2;
  expect_factor(data);
  Dataset empty = test::table({{0, 0}, {0, 0}});
  empty.labels = {1, 2};
  EXPECT_EQ(row_factor(make_problem(empty, squared_loss_objective())), Eigen::MatrixXd::Zero(2, 2));
}

TEST(RowFactor, has_the_same_bits_for_any_number_of_threads) {
  for (const auto storage : {test::Storage::sparse, test::Storage::dense}) {
    const Dataset data = test::random_data(40, 6000, Target::number, 4, storage);
    const Problem problem = make_problem(data, squared_loss_objective());
    std::vector<Eigen::MatrixXd> factors;
    for (const std::size_t threads : {1, 2}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      factors.push_back(row_factor(problem));
    }
    EXPECT_EQ(factors[0], factors[1]);
  }
}

}  // namespace row_factor_test
}  // namespace seesaw
