#include "solvers/parts/steps/column_facts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/entry.h"
#include "support/problems.h"

namespace seesaw {
namespace column_facts_test {

TEST(Entry, is_found_at_every_position_and_0_elsewhere) {
  const test::Matrix matrix = test::random_matrix(20, 9, 3);
  for (const test::Storage storage : test::all_storages) {
    const Dataset data = test::table(matrix, storage);
    std::visit(
        [&](const auto& rows) {
          for (std::size_t i = 0; i < matrix.size(); ++i)
            for (std::uint32_t j = 0; j < 9; ++j) EXPECT_EQ(entry(rows.row(i), j), matrix[i][j]);
        },
        data.rows);
  }
}

TEST(ColumnFacts, have_weighted_norms_and_no_empty_columns) {
  test::Matrix matrix = test::random_matrix(20, 6, 3);  // row 3 is empty
  for (auto& row : matrix) row[4] = 0;
  matrix[7][1] = -50;
  for (const bool weighted : {false, true})
    for (const test::Zeros zeros : {test::Zeros::left_out, test::Zeros::explicit_entries}) {
      Dataset data = test::table(matrix, test::Storage::sparse, zeros);
      data.labels = test::random_labels(matrix, Target::sign, 3);
      for (std::size_t i = 0; i < 20; ++i) data.weights.push_back(weighted ? 1 + double(i % 3) : 1);
      Objective objective;
      objective.loss = "logistic";
      objective.intercept = Intercept::none;
      const Problem problem = make_problem(data, objective);
      const ColumnFacts facts(problem, RowFacts(problem));
      EXPECT_EQ(facts.drawable, (std::vector<std::uint32_t>{0, 1, 2, 3, 5}));
      EXPECT_EQ(facts.k, 5);
      const double total = weighted ? 7 * 1 + 7 * 2 + 6 * 3 : 20;  // 19 rows are drawn
      EXPECT_NEAR(facts.largest_entry, std::sqrt(19 * (weighted ? 2 : 1) / total) * 50, 1e-12);
      for (std::size_t j = 0; j < 6; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < 20; ++i) sum += 19 * data.weights[i] / total * matrix[i][j] * matrix[i][j];
        EXPECT_NEAR(facts.norm[j], std::sqrt(sum), 1e-12) << j;
      }
    }
}

}  // namespace column_facts_test
}  // namespace seesaw
