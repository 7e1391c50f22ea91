#include "data/readers/feature_values.h"

#include <gtest/gtest.h>

#include <limits>

#include "files.h"
#include "seesaw/error.h"
#include "support/expectations.h"

namespace seesaw {
namespace feature_values_test {

using test::contains;
using test::sentence_of;
using testing_files::TemporaryFile;
using Numbers = std::vector<double>;

constexpr double inf = std::numeric_limits<double>::infinity();

Numbers factors(const std::string& text, std::size_t d = 3, const std::vector<std::string>& names = {}) {
  const TemporaryFile file(text);
  return read_feature_values({file.path(), "penalty factor", {1}}, d, names)[0];
}
std::vector<Numbers> bounds(const std::string& text, std::size_t first_index = 1) {
  const TemporaryFile file(text);
  return read_feature_values({file.path(), "lower and an upper bound", {-inf, inf}, first_index}, 2,
                             {"age", "city size"});
}

TEST(FeatureValues, are_read_in_order_by_index_and_by_name) {
  EXPECT_EQ(factors("0.5\n\n# two\n2\r\n+1e-3"), (Numbers{0.5, 2, 1e-3}));
  EXPECT_EQ(factors("3:0.5\n1:7\n"), (Numbers{7, 1, 0.5}));
  EXPECT_EQ(factors("b 0\n", 2, {"a", "b"}), (Numbers{1, 0}));
  EXPECT_EQ(bounds("-1 inf\n0,0.5\n"), (std::vector<Numbers>{{-1, 0}, {inf, 0.5}}));
  EXPECT_EQ(bounds("1:-inf:2\n", 0), (std::vector<Numbers>{{-inf, -inf}, {inf, 2}}));
  EXPECT_EQ(bounds("city size -1 2\n"), (std::vector<Numbers>{{-inf, -1}, {inf, 2}}));
}

TEST(FeatureValues, that_cannot_be_read_are_refused_with_their_place) {
  const auto refusal_of = [](const std::string& text) { return sentence_of<Error>([&] { factors(text); }); };
  EXPECT_TRUE(contains(refusal_of("1\n2\n"), "2 lines with a penalty factor, but the data has 3 features"));
  EXPECT_TRUE(contains(refusal_of(""), "0 lines"));
  EXPECT_TRUE(contains(refusal_of("1\n2\n3\n4\n"), ":4:1: there are more than 3 lines"));
  EXPECT_TRUE(contains(refusal_of("1\nx\n3\n"), ":2:1: 'x' is not a number"));
  EXPECT_TRUE(contains(refusal_of("1\nnan\n3\n"), ":2:1: 'nan' is not a number"));
  EXPECT_TRUE(contains(refusal_of("0:1\n"), "'0' is not the index of a feature; they go from 1 to 3"));
  EXPECT_TRUE(contains(refusal_of("4:1\n"), "'4' is not the index"));
  EXPECT_TRUE(contains(refusal_of("2:1\n2:2\n"), ":2:3: this feature has been given before"));
  EXPECT_TRUE(contains(refusal_of("2:1\n2\n"), ":2:1: line 1 names its feature"));
  EXPECT_TRUE(contains(refusal_of("weight 1\n"), "no feature named 'weight'"));
  EXPECT_TRUE(contains(refusal_of("2:\n"), "expected a penalty factor"));
  EXPECT_TRUE(
      contains(sentence_of<Error>([] { bounds("1\n2\n"); }), "expected a lower and an upper bound: LOWER UPPER"));
  EXPECT_TRUE(contains(sentence_of<Error>([] {
                         read_feature_values({"/nowhere/f", "x", {1}}, 1, {});
                       }),
                       "cannot open /nowhere/f"));
}

}  // namespace feature_values_test
}  // namespace seesaw
