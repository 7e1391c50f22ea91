// The typed errors of include/seesaw/error.h, and the field names in their messages.
#include "seesaw/error.h"

#include <gtest/gtest.h>

namespace seesaw {
namespace error_test {

TEST(InvalidOption, has_the_field_the_value_and_what_is_allowed) {
  const InvalidOption error("gap_abs", "-1", "it must be a number that is not negative");
  EXPECT_EQ(error.field, "gap_abs");
  EXPECT_EQ(error.value, "-1");
  EXPECT_EQ(error.allowed, "it must be a number that is not negative");
  EXPECT_STREQ(error.what(), "`gap_abs` cannot be '-1': it must be a number that is not negative.");
}

TEST(ParseError, has_the_position) {
  const ParseError error("a.svm", 12, 7, "a colon is missing.");
  EXPECT_EQ(error.file, "a.svm");
  EXPECT_EQ(error.line, 12U);
  EXPECT_EQ(error.column, 7U);
  EXPECT_EQ(error.reason, "a colon is missing.");
  EXPECT_STREQ(error.what(), "a.svm:12:7: a colon is missing.");
}

TEST(ReplaceFields, gives_fields_another_name_and_leaves_the_rest) {
  const auto shout = [](const std::string& field) { return "<" + field + ">"; };
  EXPECT_EQ(replace_fields("`C` and `gap_abs`, `inner-passes`", shout), "<C> and <gap_abs>, <inner-passes>");
  EXPECT_EQ(replace_fields("no field, ``, ` alone `, `two words`", shout), "no field, ``, ` alone `, `two words`");
  EXPECT_EQ(replace_fields("`open", shout), "`open");
  EXPECT_EQ(replace_fields("", shout), "");
}

}  // namespace error_test
}  // namespace seesaw
