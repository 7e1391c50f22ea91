#include "data/readers/targets.h"

#include <gtest/gtest.h>

#include "data/readers/read.h"
#include "files.h"
#include "seesaw/error.h"
#include "support/expectations.h"

namespace seesaw {
namespace targets_test {

using test::contains;
using test::sentence_of;
using testing_files::TemporaryFile;
using Numbers = std::vector<double>;

Targets targets_of(const std::string& text) { return read_targets(TemporaryFile(text).path()); }

TEST(TargetFile, has_a_line_per_row) {
  const Targets targets = targets_of("1 2 -3\n# comment\n\n4,5e-1,6 # the second row\n7\t8\t9\n");
  EXPECT_EQ(targets.count, 3u);
  EXPECT_EQ(targets.rows(), 3u);
  EXPECT_EQ(targets.numbers, (Numbers{1, 2, -3, 4, 0.5, 6, 7, 8, 9}));
  EXPECT_EQ(targets.column(1), (Numbers{2, 0.5, 8}));
}

TEST(TargetFile, refuses_other_text_with_its_position) {
  const auto refusal = [](const std::string& text) { return sentence_of<ParseError>([&] { targets_of(text); }); };
  EXPECT_TRUE(contains(refusal("1 2\n3 x\n"), ":2:3: the target 'x' is not a finite number"));
  EXPECT_TRUE(contains(refusal("1 nan\n"), "is not a finite number"));
  EXPECT_TRUE(contains(refusal("1 2\n3 4\n5\n"), ":3:1: this line has 1 target, and the first one 2"));
}

TEST(TargetFile, needs_a_line_for_each_row) {
  const Dataset data = read_dataset(TemporaryFile("1 1:1\n2 1:2\n").path());
  EXPECT_TRUE(contains(sentence_of<Error>([&] { require_rows(targets_of("1 2\n"), data, "t"); }),
                       "t: has 1 line with targets for the 2 rows of"));
  EXPECT_NO_THROW(require_rows(targets_of("1 2\n3 4\n"), data, "t"));
}

TEST(TargetFile, loses_the_rows_of_weight_0) {
  EXPECT_EQ(with_positive_weights(targets_of("1 2\n3 4\n5 6\n"), {1, 0, 2}).numbers, (Numbers{1, 2, 5, 6}));
}

TEST(TargetColumns, are_no_features) {
  ReadOptions options;
  options.format = Format::csv;
  options.label_column = "none";
  const Dataset data = read_dataset(TemporaryFile("a,u,b,v\n1,10,0,20\n2,30,3,0\n").path(), options);
  const auto [rows, targets] = split_targets(data, {"v", "2"});
  EXPECT_EQ(rows.feature_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(testing_files::matrix_of(rows), (std::vector<Numbers>{{1, 0}, {2, 3}}));
  EXPECT_EQ(targets.numbers, (Numbers{20, 10, 0, 30}));
  EXPECT_EQ(rows.label_column, "columns 4 'v', 2 'u'");
  const auto refusal = [&](const std::vector<std::string>& names) {
    return sentence_of<Error>([&] { split_targets(data, names); });
  };
  EXPECT_TRUE(contains(refusal({"v", "w"}), "has no column 'w'"));
  EXPECT_TRUE(contains(refusal({"v", "4"}), "column '4' is named twice"));
  EXPECT_TRUE(contains(refusal({"a", "u", "b", "v"}), "there are no features"));
}

TEST(TargetHash, depends_on_rows_weights_and_targets_but_not_on_labels) {
  const Dataset data = read_dataset(TemporaryFile("1 1:1\n2 1:2\n").path());
  const Targets targets{2, {1, 2, 3, 4}};
  EXPECT_EQ(content_hash(data, targets), content_hash(with_labels(data, {5, 6}), targets));
  EXPECT_NE(content_hash(data, targets), content_hash(data, Targets{2, {1, 2, 3, 5}}));
  EXPECT_NE(content_hash(data, targets), content_hash(data, Targets{4, {1, 2, 3, 4}}));
  Dataset weighted = data;
  weighted.weights = {1, 2};
  EXPECT_NE(content_hash(data, targets), content_hash(weighted, targets));
}

}  // namespace targets_test
}  // namespace seesaw
