#include "data/readers/row_groups.h"

#include <gtest/gtest.h>

#include "data/readers/read.h"
#include "files.h"
#include "seesaw/error.h"
#include "support/expectations.h"

namespace seesaw {
namespace row_groups_test {

using test::contains;
using test::sentence_of;
using testing_files::TemporaryFile;
using Numbers = std::vector<std::uint32_t>;

TEST(RowGroups, are_any_text_one_line_per_row) {
  const RowGroups groups = read_row_groups(TemporaryFile("patient 7\n  B-2\t\r\npatient 7\n#x\n0\nB-2").path());
  EXPECT_EQ(groups.count, 4u);
  EXPECT_EQ(groups.of_row, (Numbers{0, 1, 0, 2, 3, 1}));
  EXPECT_TRUE(contains(sentence_of<ParseError>([] { read_row_groups(TemporaryFile("a\n \nb\n").path()); }),
                       ":2:1: this line is empty"));
}

TEST(RowGroups, need_a_line_per_row) {
  const Dataset data = read_dataset(TemporaryFile("2 1:1\n2 1:2\n1 1:3\n").path());
  EXPECT_TRUE(contains(sentence_of<Error>([&] {
                         require_rows(RowGroups{1, {0, 0}}, data, "g.txt");
                       }),
                       "g.txt: has 2 lines with groups for the 3 rows"));
}

TEST(RowGroups, of_pairs_are_in_the_order_of_the_pairs) {
  const Dataset data = read_dataset(TemporaryFile("2 1:1\n1 1:7\n1 2:3\n1 1:5\n0 3:2\n4 1:2\n").path());
  const Groups groups = {1, 2, 1, 1, 2, 3};
  EXPECT_EQ(groups_of_pairs(data.labels, groups).of_row, (Numbers{0, 0, 1}));
  EXPECT_EQ(groups_of_pairs(data.labels, groups).count, 2u);
  EXPECT_EQ(groups_of_pairs(data.labels, groups).of_row.size(), pair_rows(data, groups).n());
}

TEST(RowGroups, rows_of_weight_zero_are_left_out_and_numbers_are_those_of_the_rest) {
  const RowGroups kept = with_positive_weights(numbered({7, 8, 9, 8, 7}), {0, 1, 2, 1, 0});
  EXPECT_EQ(kept.count, 2u);
  EXPECT_EQ(kept.of_row, (Numbers{0, 1, 0}));
}

TEST(RowGroups, hash_depends_on_the_partition_and_not_on_names) {
  const Dataset data = read_dataset(TemporaryFile("2 1:1\n2 1:2\n1 1:3\n").path());
  EXPECT_EQ(content_hash(data, numbered({5, 9, 5})), content_hash(data, numbered({1, 2, 1})));
  EXPECT_NE(content_hash(data, numbered({5, 9, 5})), content_hash(data, numbered({1, 2, 2})));
  EXPECT_NE(content_hash(data, numbered({1, 1, 1})), content_hash(data));
}

}  // namespace row_groups_test
}  // namespace seesaw
