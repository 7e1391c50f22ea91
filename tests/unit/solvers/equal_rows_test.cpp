#include "solvers/parts/dual/equal_rows.h"

#include <gtest/gtest.h>

#include "support/problems.h"

namespace seesaw {
namespace equal_rows_test {

const test::Matrix rows = {{1, 0, 2}, {0, 3, 0}, {1, 0, 2}, {0, 0, 0}, {1, 2, 0},
                           {0, 3, 0}, {1, 0, 2}, {0, 0, 0}, {2, 1, 0}};

Dataset data_with(std::vector<double> labels, std::vector<double> weights = {}) {
  Dataset data = test::table(rows);
  data.labels = std::move(labels);
  data.weights = std::move(weights);
  return data;
}

Problem problem_of(const Dataset& data, std::string_view loss) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = 1e-4;
  objective.intercept = Intercept::none;
  return make_problem(data, objective);
}

TEST(EqualRows, are_found_in_every_storage_and_empty_rows_are_not) {
  for (const test::Storage storage : test::all_storages)
    for (const test::Zeros zeros : {test::Zeros::left_out, test::Zeros::explicit_entries}) {
      auto groups = equal_rows(test::table(rows, storage, zeros).rows);
      std::sort(groups.begin(), groups.end());
      const std::vector<std::vector<std::uint32_t>> expected = {{0, 2, 6}, {1, 5}};
      EXPECT_EQ(groups, expected);
    }
}

TEST(EqualRows, with_opposite_labels_start_at_the_unavoidable_loss) {
  const Dataset data = data_with({1, -1, 1, 1, 1, 1, -1, 1, -1});
  for (const auto& [loss, two_to_one, even] :
       {std::tuple("hinge", 0.5, 1.0), std::tuple("squared-hinge", 4.0 / 3, 2.0)}) {
    const Problem problem = problem_of(data, loss);
    std::vector<double> y(problem.n());
    split_equal_rows(problem, equal_rows(data.rows), y);
    EXPECT_NEAR(y[0], -two_to_one, 1e-9) << loss;  // two + against one -
    EXPECT_NEAR(y[2], -two_to_one, 1e-9) << loss;
    EXPECT_NEAR(y[6], 2 * two_to_one, 1e-9) << loss;
    EXPECT_NEAR(y[1], even, 1e-9) << loss;
    EXPECT_NEAR(y[5], -even, 1e-9) << loss;
    EXPECT_EQ(y[4], 0);
    EXPECT_EQ(y[8], 0);
  }
}

// From any y: the sums of the groups are kept, D does not decrease, and moving a small amount from one row of a group to
// another does not increase it further.
TEST(EqualRows, are_split_optimally_for_every_loss_and_weight) {
  for (const LossKind& kind : loss_kinds()) {
    if (kind.name == "logistic") continue;
    const bool signs = kind.target == Target::sign;
    const Dataset data = signs ? data_with({1, -1, -1, 1, 1, 1, 1, 1, -1}, {1, 2, 3, 1, 1, 1, 0.5, 1, 1})
                               : data_with({0.3, -1, 2, 1, 0, 4, -0.7, 1, 2}, {1, 2, 3, 1, 1, 1, 0.5, 1, 1});
    const Problem problem = problem_of(data, kind.name);
    const auto& loss = std::get<PiecewiseQuadratic>(problem.scalar().loss);
    for (const double size : {0.0, 0.1, 0.6}) {
      std::vector<double> before(problem.n());
      for (std::size_t i = 0; i < before.size(); ++i)
        before[i] = loss.domain(problem.scalar().target[i]).clip(size * std::cos(3.0 * double(i)));
      std::vector<double> y = before;
      const auto groups = equal_rows(data.rows);
      split_equal_rows(problem, groups, y);
      const long double dual = test::slow_dual(problem, y);
      EXPECT_GE(double(dual - test::slow_dual(problem, before)), -1e-12) << kind.name;
      for (const auto& group : groups) {
        double change = 0;
        for (std::uint32_t i : group) {
          change += problem.normalized_weight[i] * (y[i] - before[i]);
          EXPECT_TRUE(loss.domain(problem.scalar().target[i]).contains(y[i])) << kind.name;
        }
        EXPECT_NEAR(change, 0, 1e-12) << kind.name;
        for (std::uint32_t i : group)
          for (std::uint32_t j : group) {
            std::vector<double> moved = y;
            moved[i] += 1e-4 / problem.normalized_weight[i];
            moved[j] -= 1e-4 / problem.normalized_weight[j];
            const bool feasible = loss.domain(problem.scalar().target[i]).contains(moved[i]) &&
                                  loss.domain(problem.scalar().target[j]).contains(moved[j]);
            if (feasible) {
              EXPECT_LE(double(test::slow_dual(problem, moved) - dual), 1e-12) << kind.name;
            }
          }
      }
    }
  }
}

}  // namespace equal_rows_test
}  // namespace seesaw
