// Subsets of rows with their labels and weights; rows of weight 0.
#include "data/select_rows.h"

#include <gtest/gtest.h>

#include "support/problems.h"

namespace seesaw {
namespace select_rows_test {

Dataset three_rows() {
  Dataset data = test::table({{1, 0}, {0, 0}, {3, 4}});
  data.labels = {5, 6, 7};
  data.weights = {2, 3, 4};
  data.source = "some.svm";
  return data;
}

TEST(SelectRows, keeps_labels_weights_and_the_number_of_entries) {
  const std::vector<std::uint32_t> which = {0, 2};
  const Dataset some = select_rows(three_rows(), which);
  EXPECT_EQ(some.labels, (std::vector<double>{5, 7}));
  EXPECT_EQ(some.weights, (std::vector<double>{2, 4}));
  EXPECT_EQ(squared_row_norms(some), (std::vector<double>{1, 25}));
  EXPECT_EQ(some.nnz, 3u);
  EXPECT_EQ(some.d(), 2u);
  EXPECT_EQ(some.source, "some.svm");
}

TEST(RowWeights, remove_rows_of_weight_0) {
  const Dataset data = with_row_weights(three_rows(), {0, 0.5, 2});
  EXPECT_EQ(data.labels, (std::vector<double>{6, 7}));
  EXPECT_EQ(data.weights, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(squared_row_norms(data), (std::vector<double>{0, 25}));
}

TEST(RowWeights, that_are_all_1_are_not_stored) {
  EXPECT_TRUE(with_row_weights(three_rows(), {1, 1, 1}).weights.empty());
  const Dataset data = with_row_weights(three_rows(), {1, 0, 1});
  EXPECT_TRUE(data.weights.empty());
  EXPECT_EQ(data.labels, (std::vector<double>{5, 7}));
}

}  // namespace select_rows_test
}  // namespace seesaw
