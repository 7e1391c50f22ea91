// The model of a working set: extended Gram matrices against newly assembled ones, and the two minimizers against each
// other, with and without the intercept.
#include "solvers/parts/l1/set_model.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <numeric>

#include "data/share_rows.h"
#include "support/fits_on_ranks.h"
#include "support/problems.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace set_model_test {

std::vector<double> some_weights(std::size_t n) {
  std::vector<double> weight(n);
  for (std::size_t i = 0; i < n; ++i) weight[i] = i % 7 == 0 ? 0 : 0.1 + 0.01 * double(i % 5);
  return weight;
}

// One entry in ten, as in text data: large sets are extended one column at a time.
Dataset thin_data(std::size_t n, std::size_t d, test::Storage storage) {
  test::Matrix matrix = test::random_matrix(n, d, 5);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j)
      if ((7 * i + 3 * j + i * j) % 10 != 0) matrix[i][j] = 0;
  return test::table(matrix, storage);
}

Eigen::MatrixXd slow_gram(const Dataset& data, const std::vector<std::uint32_t>& which,
                          const std::vector<double>& weight) {
  const test::Matrix a = test::matrix_of(data);
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(Eigen::Index(which.size()), Eigen::Index(which.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < which.size(); ++k)
      for (std::size_t l = 0; l < which.size(); ++l)
        h(Eigen::Index(k), Eigen::Index(l)) += weight[i] * a[i][which[k]] * a[i][which[l]];
  return h;
}

TEST(SetGram, is_the_same_extended_or_newly_assembled) {
  for (const test::Storage storage : test::all_storages) {
    const Dataset data = thin_data(60, 400, storage);
    const std::vector<double> weight = some_weights(60);
    SetGram gram;
    std::vector<std::uint32_t> set;
    for (const std::uint32_t step :
         {7u, 2u, 1u}) {  // 58, 200, 400 features, each with some that the previous set did not have
      std::vector<std::uint32_t> next;
      for (std::uint32_t j = 0; j < 400; j += step) next.push_back(j);
      set = next;
      const Rows rows = select_columns(data.rows, set);
      EXPECT_EQ(SetGram::grows(rows),
                storage == test::Storage::sparse || storage == test::Storage::sparse_float ? set.size() > 150 : false);
      gram.assemble(rows, set, weight, step != 7);
      EXPECT_LE((gram.matrix() - slow_gram(data, set, weight)).cwiseAbs().maxCoeff(), 1e-12) << step;
    }
    std::vector<double> others(weight.rbegin(), weight.rend());  // new weights: nothing is kept
    gram.assemble(select_columns(data.rows, set), set, others, false);
    EXPECT_LE((gram.matrix() - slow_gram(data, set, others)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(SetGram, has_the_same_bits_for_any_number_of_threads) {
  const Dataset data = thin_data(300, 200, test::Storage::sparse);
  const std::vector<double> weight = some_weights(300);
  std::vector<std::uint32_t> set(200);
  std::iota(set.begin(), set.end(), 0u);
  std::vector<Eigen::MatrixXd> made;
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    SetGram gram;
    gram.assemble(data.rows, set, weight, false);
    made.push_back(gram.matrix());
  }
  EXPECT_TRUE((made[0].array() == made[1].array()).all());
}

TEST(SetModel, has_the_same_minimum_with_and_without_a_matrix) {
  for (const test::Storage storage : test::all_storages)
    for (const bool intercept : {false, true})
      for (const double mu : {0.0, 0.3}) {
        const Dataset data = test::random_data(50, 12, Target::number, 3, storage);
        const std::vector<double> weight = some_weights(50);
        std::vector<std::uint32_t> set(12);
        std::iota(set.begin(), set.end(), 0u);
        Eigen::VectorXd derivative(12), x(12);
        for (Eigen::Index j = 0; j < 12; ++j) {
          derivative[j] = std::sin(double(3 * j + 1));
          x[j] = j % 3 == 0 ? std::cos(double(j)) : 0;
        }
        const double derivative_b = 0.4;
        const L1Quadratic::Penalty penalty = {0.01, 0.2};
        const Eigen::VectorXd damping = Eigen::VectorXd::Constant(12, mu);
        SetModel model(intercept);
        model.choose({data.rows, std::nullopt, set});
        model.weigh(weight, false, damping, 0.01);
        Eigen::VectorXd u = x;
        const double b = model.minimize(derivative, derivative_b, penalty, 1e-12, u);

        const Rows columns = transpose(data.rows);
        const double curvature_b = std::accumulate(weight.begin(), weight.end(), 0.01);
        Eigen::VectorXd w = x, border(12);
        multiply_transposed(data.rows, weight.data(), border.data());
        L1Columns without;
        const auto [c, solved] =
            without.minimize({&columns, weight, &derivative, &damping, &border, intercept, derivative_b, curvature_b},
                             penalty, 1e-12, 500, w);
        EXPECT_TRUE(solved);
        EXPECT_LE((u - w).cwiseAbs().maxCoeff(), 1e-9);
        EXPECT_NEAR(b, c, 1e-9);
        EXPECT_EQ(b != 0, intercept);

        // The optimality conditions: the derivative of the model at (u, b), including the intercept.
        const test::Matrix a = test::matrix_of(data);
        Eigen::VectorXd f = derivative + damping.cwiseProduct(u - x) + penalty.lambda * u;
        double f_b = derivative_b + 0.01 * b;
        for (std::size_t i = 0; i < 50; ++i) {
          double dz = b;
          for (std::size_t j = 0; j < 12; ++j) dz += a[i][j] * (u[Eigen::Index(j)] - x[Eigen::Index(j)]);
          for (std::size_t j = 0; j < 12; ++j) f[Eigen::Index(j)] += weight[i] * dz * a[i][j];
          f_b += weight[i] * dz;
        }
        EXPECT_NEAR(intercept ? f_b : 0, 0, 1e-10);
        for (Eigen::Index j = 0; j < 12; ++j) {
          if (u[j] == 0) EXPECT_LE(std::abs(f[j]), penalty.l1 + 1e-9);
          else EXPECT_NEAR(f[j], -std::copysign(penalty.l1, u[j]), 1e-9);
        }
      }
}

// Short columns are on every rank, in the order of the rows: the minimizer has the same bits.
TEST(SetModel, has_the_same_minimum_on_any_number_of_ranks) {
  Dataset data = test::generated(3000, 400, 3, test::Labels::numbers);
  std::vector<std::uint32_t> set(400);
  std::iota(set.begin(), set.end(), 0u);
  const auto minimum = [&](const Dataset& share, std::size_t before) {
    std::vector<double> weight(share.n());
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = 1e-3 * double(1 + (before + i) % 7);
    Eigen::VectorXd derivative(400), u = Eigen::VectorXd::Zero(400);
    for (Eigen::Index j = 0; j < 400; ++j) derivative[j] = 0.1 * std::sin(double(3 * j + 1));
    SetModel model(true);
    model.choose({share.rows, std::nullopt, set});
    model.weigh(weight, false, Eigen::VectorXd::Zero(400), 0);
    EXPECT_FALSE(model.has_matrix());
    const double b = model.minimize(derivative, 0.02, {0.0, 0.03}, 1e-9, u);
    EXPECT_FALSE(model.has_matrix());
    std::vector<double> found(u.data(), u.data() + u.size());
    found.push_back(b);
    return found;
  };
  const std::vector<double> alone = minimum(data, 0);
  EXPECT_GT(std::count_if(alone.begin(), alone.end(), [](double u) { return u != 0; }), 100);
  for (const int size : {2, 3, 5})
    EXPECT_TRUE(test::on_ranks(size, [&](Ranks& ranks) {
      const Dataset share = own_share(data, ranks);
      const std::size_t rank = static_cast<std::size_t>(ranks.rank());
      EXPECT_EQ(minimum(share, share.leaves().shares()->first_row[rank]), alone);
    }));
}

// Nearly equal columns: plain sweeps would take about 1 / (1 - correlation) of them.
TEST(L1Columns, extrapolation_solves_correlated_columns_in_few_sweeps) {
  const std::size_t n = 80, d = 6;
  test::Matrix matrix = test::random_matrix(n, d + 1, 3);
  for (auto& row : matrix) {
    for (std::size_t j = 0; j < d; ++j) row[j] = row[d] + 0.05 * row[j];
    row.pop_back();
  }
  const Dataset data = test::table(matrix);
  const Rows columns = transpose(data.rows);
  const std::vector<double> weight(n, 1.0 / double(n));
  Eigen::VectorXd derivative(d), damping = Eigen::VectorXd::Zero(d), border = damping, u = damping;
  for (std::size_t j = 0; j < d; ++j) derivative[Eigen::Index(j)] = -1 - 0.002 * double(j);
  L1Columns minimizer;
  const auto result =
      minimizer.minimize({&columns, weight, &derivative, &damping, &border, false, 0, 1}, {0.0, 0.01}, 1e-12, 400, u);
  EXPECT_TRUE(result.solved);
  const Eigen::MatrixXd h = slow_gram(data, {0, 1, 2, 3, 4, 5}, weight);
  const Eigen::VectorXd f = derivative + h * u;
  for (Eigen::Index j = 0; j < u.size(); ++j) {
    if (u[j] == 0) EXPECT_LE(std::abs(f[j]), 0.01 + 1e-10);
    else EXPECT_NEAR(f[j], -std::copysign(0.01, u[j]), 1e-10);
  }
}

// A set whose columns are short has no matrix, until sweeps over the columns turn out to be slow.
TEST(SetModel, changes_to_a_matrix_where_columns_are_slow) {
  const std::size_t n = 12, d = 60;
  test::Matrix matrix = test::random_matrix(n, d, 8);
  const Dataset data = test::table(matrix);
  std::vector<std::uint32_t> set(d);
  std::iota(set.begin(), set.end(), 0u);
  const std::vector<double> weight(n, 1.0 / double(n));
  Eigen::VectorXd derivative(d), u = Eigen::VectorXd::Zero(d);
  std::vector<double> residual(n);
  for (std::size_t i = 0; i < n; ++i) residual[i] = std::sin(double(i)) / double(n);
  multiply_transposed(data.rows, residual.data(), derivative.data());
  SetModel model(false);
  model.choose({data.rows, std::nullopt, set});
  model.weigh(weight, false, Eigen::VectorXd::Zero(d), 0);
  EXPECT_FALSE(model.has_matrix());
  const double l1 = 1e-6;  // nearly interpolation: 12 of 60 features
  model.minimize(derivative, 0, {0.0, l1}, 1e-13, u);
  const Eigen::VectorXd f = derivative + slow_gram(data, set, weight) * u;
  for (Eigen::Index j = 0; j < u.size(); ++j) {
    if (u[j] == 0) EXPECT_LE(std::abs(f[j]), l1 + 1e-10);
    else EXPECT_NEAR(f[j], -std::copysign(l1, u[j]), 1e-10);
  }
}

}  // namespace set_model_test
}  // namespace seesaw
