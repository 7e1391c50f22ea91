// Products by segments of columns against those by rows, on one process and on several.
#include "data/column_segments.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <numeric>

#include "data/dataset.h"
#include "data/select_columns.h"
#include "data/share_rows.h"
#include "support/fits_on_ranks.h"
#include "support/problems.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace column_segments_test {

std::vector<double> numbers(std::size_t count, std::size_t before = 0) {
  std::vector<double> some(count);
  for (std::size_t i = 0; i < count; ++i) some[i] = (before + i) % 5 == 0 ? 0 : std::sin(double(before + i));
  return some;
}

std::vector<std::uint32_t> every(std::uint32_t step, std::uint32_t d) {
  std::vector<std::uint32_t> which;
  for (std::uint32_t j = 0; j < d; j += step) which.push_back(j);
  return which;
}

TEST(ColumnSegments, have_the_products_of_the_selected_columns) {
  for (const test::Storage storage : {test::Storage::sparse, test::Storage::sparse_float})
    for (const std::size_t n : {9u, 30000u}) {  // one leaf, several
      const std::uint32_t d = 23;
      const Dataset data = test::random_data(n, d, Target::number, 8, storage);
      const ColumnSegments all(data.rows);
      for (const std::uint32_t step : {1u, 2u, 7u, 30u}) {
        const std::vector<std::uint32_t> which = every(step, d);
        const ColumnSegments some = all.select(which);
        const Rows rows = select_columns(data.rows, which);
        EXPECT_EQ(some.entries(), entries_of(rows));
        const std::vector<double> y = numbers(n), x = numbers(which.size());
        std::vector<double> v(which.size()), v_of_rows = v, z(n), z_of_rows = z;
        some.multiply_transposed(y.data(), v.data());
        multiply_transposed(rows, y.data(), v_of_rows.data());
        EXPECT_EQ(v, v_of_rows);  // the same bits
        some.multiply(x.data(), z.data());
        multiply(rows, x.data(), z_of_rows.data());
        for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(z[i], z_of_rows[i], 1e-12);

        Dataset by_rows = data, selected = data;
        by_rows.rows = some.rows();
        selected.rows = rows;
        EXPECT_EQ(test::matrix_of(by_rows), test::matrix_of(selected));
      }
    }
}

TEST(ColumnSegments, have_the_same_bits_for_any_number_of_threads_and_ranks) {
  const Dataset data = test::generated(3000, 400, 3, test::Labels::numbers);
  const std::vector<std::uint32_t> which = every(3, 400);
  const auto products = [&](const Dataset& share, std::size_t before) {
    const ColumnSegments some = ColumnSegments(share.rows).select(which);
    const std::vector<double> y = numbers(share.n(), before), x = numbers(which.size());
    std::vector<double> v(which.size()), z(share.n());
    some.multiply_transposed(y.data(), v.data());
    some.multiply(x.data(), z.data());
    return std::pair(v, z);
  };
  const auto alone = products(data, 0);
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    EXPECT_EQ(products(data, 0), alone);
  }
  for (const int size : {2, 3})
    EXPECT_TRUE(test::on_ranks(size, [&](Ranks& ranks) {
      const Dataset share = own_share(data, ranks);
      const std::size_t before = share.leaves().shares()->first_row[static_cast<std::size_t>(ranks.rank())];
      const auto [v, z] = products(share, before);
      EXPECT_EQ(v, alone.first);
      EXPECT_TRUE(std::equal(z.begin(), z.end(), alone.second.begin() + static_cast<std::ptrdiff_t>(before)));
    }));
}

TEST(ColumnSegments, suit_sparse_rows_with_long_columns) {
  const auto suits = [](std::size_t n, std::size_t d, std::size_t every_th, test::Storage storage) {
    test::Matrix matrix(n, std::vector<double>(d));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i % every_th; j < d; j += every_th) matrix[i][j] = 1;
    return ColumnSegments::suit(test::table(matrix, storage).rows);
  };
  EXPECT_TRUE(suits(300, 20, 5, test::Storage::sparse));
  EXPECT_FALSE(suits(300, 20, 2, test::Storage::sparse));  // half of the entries
  EXPECT_FALSE(suits(50, 20, 5, test::Storage::sparse));   // ten entries per column
  EXPECT_FALSE(suits(300, 20, 5, test::Storage::dense));
}

}  // namespace column_segments_test
}  // namespace seesaw
