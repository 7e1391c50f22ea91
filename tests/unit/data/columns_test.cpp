#include "data/columns.h"

#include <gtest/gtest.h>

#include "support/problems.h"
#include "support/table.h"

namespace seesaw {
namespace columns_test {

test::Matrix matrix_of_rows(const Rows& rows, std::size_t count) {
  Dataset data{.rows = rows, .labels = std::vector<double>(count)};
  return test::matrix_of(data);
}

TEST(Columns, are_the_transpose_in_every_storage) {
  const test::Matrix matrix = test::random_matrix(70, 130, 3);  // more than a tile both ways; row 3 is empty
  for (const test::Storage storage : test::all_storages) {
    const Dataset data = test::table(matrix, storage);
    const Rows columns = transpose(data.rows);
    EXPECT_EQ(columns.index(), data.rows.index());
    const test::Matrix found = matrix_of_rows(columns, 130);
    ASSERT_EQ(found.size(), 130u);
    for (std::size_t j = 0; j < 130; ++j)
      for (std::size_t i = 0; i < 70; ++i) ASSERT_EQ(found[j][i], matrix[i][j]) << i << " " << j;
    EXPECT_EQ(matrix_of_rows(transpose(columns), 70), matrix);
  }
}

TEST(Columns, list_their_entries_in_the_order_of_the_rows) {
  const Dataset data = test::random_data(50, 6, Target::sign, 2);
  const auto columns = std::get<SparseRows<double>>(transpose(data.rows));
  for (std::size_t j = 0; j < 6; ++j)
    for (std::size_t k = 1; k < columns.row(j).size; ++k)
      EXPECT_LT(columns.row(j).column[k - 1], columns.row(j).column[k]);
}

TEST(Columns, of_a_problem_are_built_once_and_shared_by_its_classes) {
  const Dataset data = test::random_classes(30, 4, 3, 1);
  Objective objective;
  objective.loss = "logistic";
  const Problem whole = make_problem(data, objective);
  EXPECT_EQ(&whole.columns(), &class_problem(whole, 0).columns());
  EXPECT_EQ(&class_problem(whole, 1).columns(), &class_problem(whole, 2).columns());
}

}  // namespace columns_test
}  // namespace seesaw
