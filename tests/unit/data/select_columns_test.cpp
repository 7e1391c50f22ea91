#include "data/select_columns.h"

#include <gtest/gtest.h>

#include "data/dataset.h"
#include "support/problems.h"

namespace seesaw {
namespace select_columns_test {

TEST(SelectColumns, keeps_the_listed_columns_of_every_row_in_order) {
  const std::vector<std::vector<std::uint32_t>> lists = {{0, 2, 3}, {4}, {}, {0, 1, 2, 3, 4}};
  for (const test::Storage storage : test::all_storages)
    for (const std::size_t n : {9u, 1500u})  // several chunks
      for (const auto& which : lists) {
        const Dataset data = test::random_data(n, 5, Target::number, 8, storage);
        Dataset chosen = data;
        chosen.rows = select_columns(data.rows, which);
        EXPECT_EQ(width_of(chosen.rows), which.size());
        if (which.empty()) continue;
        const test::Matrix a = test::matrix_of(data), b = test::matrix_of(chosen);
        std::size_t entries = 0;
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t k = 0; k < which.size(); ++k) {
            ASSERT_EQ(b[i][k], a[i][which[k]]) << i << " " << k;
            entries += data.dense() || b[i][k] != 0;
          }
        EXPECT_EQ(entries_of(chosen.rows), entries);
      }
}

}  // namespace select_columns_test
}  // namespace seesaw
