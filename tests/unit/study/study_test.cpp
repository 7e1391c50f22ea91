// Studies give the same lines with any number of jobs, uninterrupted or resumed.
#include "study/study.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "run/lines.h"
#include "seesaw/error.h"
#include "support/scratch_folder.h"
#include "unit/study/studies.h"

namespace seesaw {
namespace study_test {

using test::competitors_of;
using test::objective_of;
using test::problem_of;

// Two problems; a random method, a deterministic one, one that does not apply, and one with unsupported options.
Plan some_plan() {
  return make_plan({problem_of(objective_of("logistic", 0.1)), problem_of(objective_of("logistic", 0.01))},
                   competitors_of({"sdca", "spdc:batch=2", "bpd", "ws", "spdc:batch=1000"}), 2,
                   {.gap = 1e-6, .max_passes = 300});
}

// Lines without the fields that differ between equal runs: clocks and threads.
std::vector<std::string> timeless(const StudyResult& result) {
  std::vector<std::string> lines;
  for (const std::string& line : result.lines()) {
    Json json = Json::parse(line);
    for (const char* name : {"solve_seconds", "check_seconds", "threads"}) json.erase(name);
    lines.push_back(json.dump());
  }
  return lines;
}

struct Counter final : StudyObserver {
  std::size_t begun = 0, checked = 0, ended = 0, refusals = 0;
  void begin(const PlannedRun&) override { ++begun; }
  void check(const PlannedRun&, const TraceRow&) override { ++checked; }
  void end(const PlannedRun&, const RunRecord&) override { ++ended; }
  void refused(const PlannedRun&, const Refused&) override { ++refusals; }
};

TEST(Study, has_one_record_per_run_and_a_reason_per_refused_method) {
  Journal journal;
  Counter counter;
  const StudyResult result = carry_out(some_plan(), journal, 1, &counter);
  EXPECT_FALSE(result.stopped);
  EXPECT_EQ(result.kept, 0);
  ASSERT_EQ(result.records.size(), 10);  // 2 problems x (2 + 2 + 1)
  for (const RunRecord& record : result.records) {
    EXPECT_EQ(record.status, "converged") << record.label;
    EXPECT_LE(record.checks.back().gap, 1e-6 * record.checks.back().primal);
    const Json header = Json::parse(record.lines.front());
    EXPECT_EQ(header["problem"], record.problem);
    EXPECT_TRUE(header["command"].get<std::string>().starts_with("seesaw train "));
  }
  EXPECT_EQ(result.records[0].label, "sdca");
  EXPECT_EQ(result.records[1].seed, 2);
  EXPECT_EQ(result.records[4].label, "bpd");
  ASSERT_EQ(result.refused.size(), 4);
  EXPECT_EQ(result.refused[0].solver, "ws");
  EXPECT_EQ(result.refused[2].label, "spdc --batch 1000");
  EXPECT_NE(result.refused[2].why.find("batch"), std::string::npos);
  EXPECT_EQ(counter.begun, 10);
  EXPECT_EQ(counter.ended, 10);
  EXPECT_GE(counter.checked, 10);
  EXPECT_EQ(counter.refusals, 4);  // per seed
}

TEST(Study, gives_the_same_lines_with_any_number_of_jobs) {
  Journal one, two;
  EXPECT_EQ(timeless(carry_out(some_plan(), one, 1)), timeless(carry_out(some_plan(), two, 3)));
}

TEST(Study, that_was_stopped_resumes_to_the_same_lines) {
  const test::ScratchFolder folder;
  Journal whole;
  const StudyResult uninterrupted = carry_out(some_plan(), whole);
  StudyResult last;
  std::size_t rounds = 0;
  do {
    Journal journal(folder.path("j.jsonl"));
    Counter counter;
    const std::size_t before = journal.finished().size();
    last = carry_out(some_plan(), journal, 1, &counter, [&] { return counter.ended >= 2; });  // in its third run
    EXPECT_EQ(last.kept, before);
    EXPECT_EQ(journal.finished().size(), before + 2);
    ASSERT_LT(++rounds, 10);
  } while (last.stopped);
  EXPECT_EQ(rounds, 5);
  EXPECT_EQ(timeless(last), timeless(uninterrupted));
  const auto lines = read_lines(folder.path("j.jsonl"));
  EXPECT_EQ(read_records(lines, "x").size(), uninterrupted.records.size());
}

TEST(Study, does_not_repeat_runs_of_the_journal) {
  Journal journal;
  const StudyResult first = carry_out(some_plan(), journal);
  Counter counter;
  const StudyResult second = carry_out(some_plan(), journal, 2, &counter);
  EXPECT_EQ(counter.begun, 0);
  EXPECT_EQ(second.kept, 10);
  EXPECT_EQ(first.lines().front(), second.lines().front());  // seconds included
}

TEST(Study, that_cannot_write_its_journal_throws) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  Journal journal("/dev/full");
  for (const unsigned jobs : {1U, 2U}) EXPECT_THROW(carry_out(some_plan(), journal, jobs), Error);
}

}  // namespace study_test
}  // namespace seesaw
