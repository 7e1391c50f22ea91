#include "data/readers/pairs.h"

#include <gtest/gtest.h>

#include "data/readers/read.h"
#include "files.h"
#include "seesaw/error.h"
#include "support/expectations.h"

namespace seesaw {
namespace pairs_test {

using test::contains;
using test::sentence_of;
using testing_files::TemporaryFile;
using Numbers = std::vector<double>;

TEST(Groups, are_whole_numbers_one_per_row) {
  EXPECT_EQ(read_groups(TemporaryFile("7\n-3 7 # two rows\n\n12\n").path()), (Groups{7, -3, 7, 12}));
  EXPECT_TRUE(contains(sentence_of<ParseError>([] { read_groups(TemporaryFile("7\n1.5\n").path()); }),
                       ":2:1: the group '1.5' is not a whole number"));
}

TEST(Groups, are_the_qids_of_libsvm_text) {
  EXPECT_EQ(read_qids(TemporaryFile("# head\n2 qid:1 1:0.5\n\n1\tqid:10 2:1 # note\n0 qid:1\n").path()),
            (Groups{1, 10, 1}));
  const auto refusal = [](const char* text) {
    return sentence_of<ParseError>([&] { read_qids(TemporaryFile(text).path()); });
  };
  EXPECT_TRUE(contains(refusal("2 qid:1 1:1\n1 1:1\n"), ":2:3: this row has no qid after its label"));
  EXPECT_TRUE(contains(refusal("2 qid:1 1:1\n1\n"), ":2:1: this row has no qid after its label"));
  EXPECT_TRUE(contains(refusal("2 qid:x 1:1\n"), ":1:3: the group 'x' is not a whole number"));
}

TEST(Pairs, are_differences_of_rows_of_a_group_with_different_labels) {
  const Dataset data = read_dataset(
      TemporaryFile("2 qid:1 1:1 2:5\n1 qid:2 1:7\n1 qid:1 2:3 3:1\n1 qid:1 1:1 2:5\n0 qid:2 1:7 3:2\n").path());
  const Dataset pairs = pair_rows(data, {1, 2, 1, 1, 2});
  // Rows 1 and 3, 1 and 4 (swapped, and equal rows: an empty one), then 2 and 5 of the other group.
  EXPECT_EQ(testing_files::matrix_of(pairs), (std::vector<Numbers>{{1, 2, -1}, {0, 0, 0}, {0, 0, -2}}));
  EXPECT_EQ(pairs.labels, (Numbers{1, -1, 1}));
  EXPECT_EQ(pairs.nnz, 4u);
  EXPECT_EQ(pairs.d(), data.d());
}

TEST(Pairs, refuse_data_without_pairs_and_other_sizes) {
  const Dataset data = read_dataset(TemporaryFile("2 1:1\n2 1:2\n1 1:3\n").path());
  EXPECT_TRUE(contains(sentence_of<Error>([&] { pair_rows(data, {1, 1, 2}); }), "there are no pairs"));
  EXPECT_TRUE(contains(sentence_of<Error>([&] {
                         pair_rows(data, {1, 1});
                       }),
                       "there are 2 group numbers for the 3 rows"));
  Dataset weighted = data;
  weighted.weights = {1, 2, 3};
  EXPECT_TRUE(contains(sentence_of<Error>([&] { pair_rows(weighted, {1, 1, 1}); }), "have no weights"));
}

}  // namespace pairs_test
}  // namespace seesaw
