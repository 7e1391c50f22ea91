// Runs read back from their lines, from files that were cut off as well.
#include "study/record.h"

#include <gtest/gtest.h>

#include "seesaw/error.h"

namespace seesaw {
namespace record_test {

using Lines = std::vector<std::string>;

const std::string header =
    R"({"type":"header","trace":3,"solver":"spdc","seed":3,"key":"k","label":"spdc --batch 4","problem":"p"})";
const std::string check =
    R"({"type":"check","passes":2,"solve_seconds":0.5,"primal":1.5,"dual":null,"gap":null,"nonzeros":7})";
const std::string end = R"({"type":"end","status":"converged","primal":1.5,"method":"newton"})";

// Version 2 had no types.
std::string untyped(const std::string& line) { return "{" + line.substr(line.find(',') + 1); }

TEST(Records, of_a_trace_have_a_problem_made_of_its_fields) {
  const std::string trace =
      R"({"type":"header","trace":3,"solver":"sdca","data":"sets/a9a","loss":"hinge","lambda":0.001,"l1":0.0})";
  EXPECT_EQ(read_records({trace, check, end}, "x").front().problem, "a9a, hinge, lambda 0.001");
  EXPECT_EQ(read_records({R"({"type":"header","trace":3,"solver":"sdca"})"}, "x").front().problem, "");
}

TEST(Records, have_the_fields_of_the_lines) {
  const auto records = read_records({header, check, R"({"type":"message","message":"a sentence"})", end}, "x");
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

TEST(Records, are_consecutive_and_skip_lines_outside_of_runs) {
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

TEST(Records, that_are_truncated_are_not_finished) {
  for (const std::size_t cut : {std::size_t{1}, end.size() / 2, end.size() - 1}) {
    const auto records = read_records({header, check, end.substr(0, cut)}, "x");
    ASSERT_EQ(records.size(), 1);
    EXPECT_FALSE(records[0].finished());
    EXPECT_EQ(records[0].lines, (Lines{header, check}));
  }
  EXPECT_FALSE(read_records({header, R"({"status":"interrupted"})"}, "x")[0].finished());
}

TEST(Records, report_the_number_of_a_line_that_is_not_json) {
  for (const std::string& bad : Lines{"1 1:0.5", "[1]", "{\"trace\":2"}) {
    try {
      read_records({header, "", bad, check}, "some.jsonl");
      FAIL() << bad;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("some.jsonl:3: ")) << error.what();
    }
  }
}

TEST(Records, of_version_2_are_read_by_their_fields) {
  const Lines old = {untyped(header), untyped(check), R"({"news":"a sentence"})", untyped(end)};
  EXPECT_EQ(old[0].rfind(R"({"trace":3,)", 0), 0u);
  const auto records = read_records(old, "x");
  ASSERT_EQ(records.size(), 1);
  EXPECT_EQ(records[0].lines, old);
  EXPECT_EQ(records[0].checks.size(), 1);
  EXPECT_TRUE(records[0].finished());
  EXPECT_EQ(type_of(old[1]), LineType::check);
  EXPECT_EQ(type_of(check), LineType::check);
  EXPECT_EQ(type_of(R"({"type":"machine","machine":{}})"), LineType::other);
  EXPECT_EQ(type_of("1 1:0.5"), LineType::other);
}

TEST(Records, ignore_fields_of_the_wrong_type) {
  const auto records =
      read_records({R"({"trace":2,"solver":5,"seed":"x","label":null,"reference":1})", R"({"passes":"x"})"}, "x");
  ASSERT_EQ(records.size(), 1);
  EXPECT_EQ(records[0].solver, "");
  EXPECT_EQ(records[0].seed, 1);
  EXPECT_FALSE(records[0].reference);
  EXPECT_EQ(records[0].checks[0].passes, 0);
}

}  // namespace record_test
}  // namespace seesaw
