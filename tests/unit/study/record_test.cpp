// Runs read back from their lines, from files that were cut off as well.
#include "study/record.h"

#include <gtest/gtest.h>

#include "seesaw/error.h"

namespace seesaw {
namespace {

using Lines = std::vector<std::string>;

const std::string header = R"({"trace":2,"solver":"spdc","seed":3,"key":"k","label":"spdc --batch 4","problem":"p"})";
const std::string check = R"({"passes":2,"solve_seconds":0.5,"primal":1.5,"dual":null,"gap":null,"nonzeros":7})";
const std::string end = R"({"status":"converged","primal":1.5,"method":"newton"})";

TEST(Records, have_what_the_lines_say) {
  const auto records = read_records({header, check, R"({"news":"a sentence"})", end}, "x");
  ASSERT_EQ(records.size(), 1);
  const RunRecord& run = records.front();
  EXPECT_EQ(run.key, "k");
  EXPECT_EQ(run.solver, "spdc");
  EXPECT_EQ(run.label, "spdc --batch 4");
  EXPECT_EQ(run.problem, "p");
  EXPECT_EQ(run.seed, 3);
  EXPECT_EQ(run.status, "converged");
  EXPECT_EQ(run.method, "newton");
  EXPECT_TRUE(run.finished());
  EXPECT_EQ(run.lines.size(), 4);
  ASSERT_EQ(run.checks.size(), 1);
  EXPECT_EQ(run.checks[0].passes, 2);
  EXPECT_EQ(run.checks[0].solve_seconds, 0.5);
  EXPECT_EQ(run.checks[0].primal, 1.5);
  EXPECT_EQ(run.checks[0].dual, -infinity);
  EXPECT_EQ(run.checks[0].gap, infinity);
  EXPECT_EQ(run.checks[0].nonzeros, 7);
}

TEST(Records, follow_each_other_and_leave_out_what_is_no_run) {
  const auto records = read_records({R"({"machine":{}})", header, check, end, "", R"({"refused":"ws"})", check, header,
                                     check, R"({"experiment":"e"})", check},
                                    "x");
  ASSERT_EQ(records.size(), 2);
  EXPECT_EQ(records[0].first_line, 1);
  EXPECT_EQ(records[0].lines, (Lines{header, check, end}));
  EXPECT_EQ(records[1].first_line, 7);
  EXPECT_EQ(records[1].lines, (Lines{header, check}));
  EXPECT_FALSE(records[1].finished());
}

TEST(Records, that_were_cut_off_are_not_finished) {
  for (const std::size_t cut : {std::size_t{1}, end.size() / 2, end.size() - 1}) {
    const auto records = read_records({header, check, end.substr(0, cut)}, "x");
    ASSERT_EQ(records.size(), 1);
    EXPECT_FALSE(records[0].finished());
    EXPECT_EQ(records[0].lines, (Lines{header, check}));
  }
  EXPECT_FALSE(read_records({header, R"({"status":"interrupted"})"}, "x")[0].finished());
}

TEST(Records, tell_where_a_line_is_that_is_none) {
  for (const std::string& bad : Lines{"1 1:0.5", "[1]", "{\"trace\":2"}) {
    try {
      read_records({header, "", bad, check}, "some.jsonl");
      FAIL() << bad;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("some.jsonl:3: ")) << error.what();
    }
  }
}

TEST(Records, take_fields_of_another_kind_for_none) {
  const auto records =
      read_records({R"({"trace":2,"solver":5,"seed":"x","label":null,"reference":1})", R"({"passes":"x"})"}, "x");
  ASSERT_EQ(records.size(), 1);
  EXPECT_EQ(records[0].solver, "");
  EXPECT_EQ(records[0].seed, 1);
  EXPECT_FALSE(records[0].reference);
  EXPECT_EQ(records[0].checks[0].passes, 0);
}

}  // namespace
}  // namespace seesaw
