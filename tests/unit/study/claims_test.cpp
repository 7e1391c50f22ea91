// Verdicts on comparisons of methods, on constructed records.
#include "study/claims.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/study/constructed_records.h"

namespace seesaw {
namespace claims_test {

using namespace test;

TEST(Claims, a_comparison_holds_fails_or_holds_in_part) {
  Setting both({"one", "two"});
  both.runs("one", "a", {run_of(quick)}).runs("one", "b", {run_of(slow)});
  both.runs("two", "a", {run_of(slow)}).runs("two", "b", {run_of(quick)});
  const ClaimVerdict part = both.judged(faster());
  EXPECT_EQ(part.finding, Finding::holds_in_part);
  EXPECT_EQ(part.measured,
            "Holds in 1 of 2 comparisons, not in two, a against b. Passes to suboptimality 1e-04: one: a 20, b 40; "
            "two: a 40, b 20.");
  Claim first = faster(), second = faster();
  first.panels = {"one"};
  second.panels = {"two"};
  EXPECT_EQ(both.judged(first).finding, Finding::holds);
  EXPECT_EQ(both.judged(first).measured, "Passes to suboptimality 1e-04: one: a 20, b 40.");
  EXPECT_EQ(both.judged(second).finding, Finding::does_not_hold);
}

TEST(Claims, the_factor_and_its_direction_count) {
  Setting one;
  one.runs("one", "a", {run_of(quick)}).runs("one", "b", {run_of(slow)});
  EXPECT_EQ(one.judged(faster(0.5)).finding, Finding::holds);
  EXPECT_EQ(one.judged(faster(0.49)).finding, Finding::does_not_hold);
  Claim at_least = faster();
  at_least.at_most.reset();
  at_least.at_least = 0.5;
  EXPECT_EQ(one.judged(at_least).finding, Finding::holds);
  at_least.at_least = 0.51;
  EXPECT_EQ(one.judged(at_least).finding, Finding::does_not_hold);
}

TEST(Claims, seconds_entries_heights_and_seconds_per_pass_are_computed_from_the_checks) {
  Setting one;
  one.runs("one", "a", {run_of(quick)}).runs("one", "b", {run_of(slow)});
  EXPECT_EQ(one.judged(faster(1, "seconds")).measured, "Seconds to suboptimality 1e-04: one: a 0.2 s, b 0.4 s.");
  EXPECT_EQ(one.judged(faster(1, "entries")).measured, "Entries to suboptimality 1e-04: one: a 40, b 80.");
  Claim height = faster(1, "suboptimality");
  height.measure.after = 25;
  EXPECT_EQ(one.judged(height).measured, "Suboptimality after 25 passes: one: a 1.0e-04, b 1.0e-02.");
  height.measure.name = "gap";
  EXPECT_EQ(one.judged(height).measured, "Gap after 25 passes: one: a 2.0e-04, b 2.0e-02.");
  Claim pace = faster(1, "seconds-per-pass");
  EXPECT_EQ(
      one.judged(pace).measured,
      "1 of 1 comparisons are within the spread of the times and decide nothing. Seconds per pass: one: a 1.00e-02 "
      "s, b 1.00e-02 s.");
  pace.at_most = 1.1;  // equal times, and a tenth of noise
  EXPECT_EQ(one.judged(pace).finding, Finding::holds);
}

// A run of 10 passes that takes this many seconds.
RunRecord lasting(double seconds) {
  RunRecord run = run_of({1, 1e-12});
  run.checks.back().solve_seconds = seconds;
  return run;
}

TEST(Claims, times_within_a_tenth_or_within_their_quartiles_are_undecided) {
  const auto finding = [](const std::vector<double>& a, const std::vector<double>& b) {
    Setting one;
    std::vector<RunRecord> mine, other;
    for (const double seconds : a) mine.push_back(lasting(seconds));
    for (const double seconds : b) other.push_back(lasting(seconds));
    one.runs("one", "a", mine).runs("one", "b", other);
    return one.judged(faster(1, "seconds-per-pass"));
  };
  EXPECT_EQ(finding({1}, {1.09}).finding, Finding::undecided);
  EXPECT_EQ(finding({1}, {1.11}).finding, Finding::holds);
  EXPECT_EQ(finding({1.09}, {1}).finding, Finding::undecided);
  EXPECT_EQ(finding({1.11}, {1}).finding, Finding::does_not_hold);
  // Of five runs the second and the fourth: 1.1 * 1.2 <= 1.4 although one run of a took 9, but not 1.1 * 1.3 <= 1.4.
  EXPECT_EQ(finding({9, 1, 1.1, 1.1, 1.2}, {1.4, 1.4, 1.5, 1.6, 0.2}).finding, Finding::holds);
  EXPECT_EQ(finding({9, 1, 1.1, 1.1, 1.3}, {1.4, 1.4, 1.5, 1.6, 0.2}).finding, Finding::undecided);
  EXPECT_EQ(finding({9, 1, 1.1, 1.1, 1.2}, {1.4, 1.4, 1.5, 1.6, 0.2}).measured,
            "Seconds per pass: one: a 1.10e-01 s (1.10e-01 to 1.20e-01), b 1.40e-01 s (1.40e-01 to 1.50e-01).");
  // With other panels that decide, those within the spread do not count.
  Setting two({"one", "two"});
  two.runs("one", "a", {lasting(1)}).runs("one", "b", {lasting(1)});
  two.runs("two", "a", {lasting(1)}).runs("two", "b", {lasting(2)});
  EXPECT_EQ(two.judged(faster(1, "seconds-per-pass")).finding, Finding::holds);
  EXPECT_EQ(two.judged(faster(1, "seconds-per-pass")).measured.rfind("1 of 2 comparisons are within the spread", 0),
            0u);
}

Claim faster_at_the_end(double factor) {
  Claim claim = faster(factor);
  claim.measure.to.reset();
  claim.measure.to_end = true;
  return claim;
}

TEST(Claims, the_end_of_the_figure_decides_by_the_passes_to_the_higher_end) {
  Setting one;  // b ends at 1e-4 after 40 passes; a is there after 20
  one.runs("one", "a", {run_of(quick, "pass-limit")}).runs("one", "b", {run_of(slow, "pass-limit")});
  EXPECT_EQ(one.judged(faster_at_the_end(0.5)).finding, Finding::holds);
  EXPECT_EQ(one.judged(faster_at_the_end(0.49)).finding, Finding::does_not_hold);
  EXPECT_EQ(
      one.judged(faster_at_the_end(0.5)).measured,
      "Suboptimality at the end of the figure, and passes to the higher one: one: a 1.0e-08, b 1.0e-04; ratios of "
      "passes 0.5.");
  Setting resolved;  // both reach 1e-12: the higher end is the resolution, after 20 and after 30 passes
  resolved.runs("one", "a", {run_of({1, 1e-6, 1e-13})}).runs("one", "b", {run_of({1, 1e-6, 1e-9, 1e-14})});
  EXPECT_EQ(resolved.judged(faster_at_the_end(0.67)).finding, Finding::holds);
  EXPECT_EQ(resolved.judged(faster_at_the_end(0.66)).finding, Finding::does_not_hold);
  Setting seeds;  // the end of the worst seed, 1e-3: every seed reaches it
  seeds.runs("one", "a", {run_of(quick, "pass-limit"), run_of({1, 1e-1, 1e-3, 1e-3, 1e-3}, "pass-limit")});
  seeds.runs("one", "b", {run_of(slow, "pass-limit")});
  EXPECT_EQ(seeds.judged(faster_at_the_end(0.67)).finding, Finding::holds);  // (20 + 20)/2 of 30
  Setting rising;  // a was below its end, 1e-3, after 10 passes, and is so for good after 40; b after 30
  rising.runs("one", "a", {run_of({1, 1e-4, 1e-2, 1e-2, 1e-3}, "pass-limit")});
  rising.runs("one", "b", {run_of(slow, "pass-limit")});
  EXPECT_EQ(rising.judged(faster_at_the_end(1.34)).finding, Finding::holds);
  EXPECT_EQ(rising.judged(faster_at_the_end(1.33)).finding, Finding::does_not_hold);
  Setting diverged;
  diverged.runs("one", "a", {run_of(slow, "diverged")}).runs("one", "b", {run_of(slow, "pass-limit")});
  EXPECT_EQ(diverged.judged(faster_at_the_end(3)).finding, Finding::does_not_hold);
}

TEST(Claims, heights_at_the_resolution_do_not_show_which_is_lower) {
  Setting one;
  one.runs("one", "a", {run_of({1, 3e-13})}).runs("one", "b", {run_of({1, 1e-14})});
  Claim lower = faster(0.5, "suboptimality");
  lower.measure.after = infinity;
  EXPECT_EQ(one.judged(lower).finding, Finding::not_testable);
  lower.at_most = 2;
  EXPECT_EQ(one.judged(lower).finding, Finding::holds);
  EXPECT_EQ(one.judged(lower).measured, "Suboptimality at the end of the figure: one: a 1.0e-12, b 1.0e-12.");
  Setting half;  // a is somewhere below 1e-12, b at 5e-12: at most a fifth, perhaps less
  half.runs("one", "a", {run_of({1, 3e-13})}).runs("one", "b", {run_of({1, 5e-12}, "pass-limit")});
  lower.at_most = 0.3;
  EXPECT_EQ(half.judged(lower).finding, Finding::holds);
  lower.at_most = 0.1;
  EXPECT_EQ(half.judged(lower).finding, Finding::not_testable);
  std::swap(lower.methods, lower.against);
  EXPECT_EQ(half.judged(lower).finding, Finding::does_not_hold);
}

TEST(Claims, the_paper_s_data_have_a_verdict_of_their_own) {
  Setting three({"own", "stand-in", "chosen"});
  for (const char* panel : {"own", "stand-in", "chosen"}) {
    const bool holds = std::string(panel) == "own";
    three.runs(panel, "a", {run_of(holds ? quick : slow)}).runs(panel, "b", {run_of(holds ? slow : quick)});
  }
  const DataOfPanels data = {{"stand-in", PanelData::substituted}, {"chosen", PanelData::ours}};
  const auto verdict = [&](std::vector<std::string> panels, bool ours = false) {
    Claim claim = faster();
    claim.panels = std::move(panels);
    claim.ours = ours;
    return judge(claim, three.experiment, three.evidence, data);
  };
  EXPECT_EQ(verdict({}).finding, Finding::holds_in_part);
  EXPECT_EQ(verdict({}).basis, Basis::stand_ins);
  EXPECT_EQ(verdict({}).on_paper_data, Finding::holds);
  EXPECT_NE(verdict({}).measured.find(" With the paper's data alone: holds (1 of 1 comparisons)."), std::string::npos);
  EXPECT_EQ(verdict({"own"}).basis, Basis::paper_data);
  EXPECT_EQ(verdict({"own"}).on_paper_data, std::nullopt);
  EXPECT_EQ(verdict({"stand-in"}).basis, Basis::stand_ins);
  EXPECT_EQ(verdict({"stand-in"}).on_paper_data, std::nullopt);
  EXPECT_EQ(verdict({"own", "chosen"}).basis, Basis::stand_ins);
  EXPECT_EQ(verdict({"own", "chosen"}).on_paper_data, Finding::holds);
  EXPECT_EQ(verdict({"chosen"}).basis, Basis::ours);
  EXPECT_EQ(verdict({"own"}, true).basis, Basis::ours);
}

TEST(Claims, seeds_count_by_their_median) {
  Setting one;
  one.runs("one", "a", {run_of(quick), run_of(slow), run_of(quick)}).runs("one", "b", {run_of(slow)});
  EXPECT_EQ(one.judged(faster(0.5)).finding, Finding::holds);
  Setting other;
  other.runs("one", "a", {run_of(quick), run_of(slow), run_of(slow)}).runs("one", "b", {run_of(slow)});
  EXPECT_EQ(other.judged(faster(0.5)).finding, Finding::does_not_hold);
}

TEST(Claims, a_method_that_does_not_converge_is_slower_if_that_is_certain) {
  const std::vector<double> never = {1, 0.9, 0.8, 0.7, 0.6};
  Setting one;
  one.runs("one", "a", {run_of(quick)}).runs("one", "b", {run_of(never, "pass-limit")});
  EXPECT_EQ(one.judged(faster(1)).finding, Finding::holds);
  EXPECT_EQ(one.judged(faster(0.5)).finding, Finding::holds);  // b needs more than 40
  EXPECT_EQ(one.judged(faster(0.4)).finding, Finding::not_testable);
  Setting turned;
  turned.runs("one", "a", {run_of(never, "pass-limit")}).runs("one", "b", {run_of(quick)});
  EXPECT_EQ(turned.judged(faster(2)).finding, Finding::does_not_hold);
  EXPECT_EQ(turned.judged(faster(3)).finding, Finding::not_testable);
  Setting diverged;
  diverged.runs("one", "a", {run_of(never, "diverged")}).runs("one", "b", {run_of(quick)});
  EXPECT_EQ(diverged.judged(faster(3)).finding, Finding::does_not_hold);
  Setting neither;
  neither.runs("one", "a", {run_of(never, "pass-limit")}).runs("one", "b", {run_of(never, "pass-limit")});
  EXPECT_EQ(neither.judged(faster()).finding, Finding::not_testable);
  EXPECT_EQ(neither.judged(faster()).measured,
            "Nothing to compare (passes to suboptimality 1e-04): one: all not reached.");
}

TEST(Claims, heights_after_the_end_of_a_run_are_not_testable_unless_it_converged) {
  Claim late = faster(1, "suboptimality");
  late.measure.after = 100;
  Setting cut;
  cut.runs("one", "a", {run_of(quick, "pass-limit")}).runs("one", "b", {run_of(slow, "pass-limit")});
  EXPECT_EQ(cut.judged(late).finding, Finding::not_testable);
  Setting converged;
  converged.runs("one", "a", {run_of(quick)}).runs("one", "b", {run_of(slow)});
  EXPECT_EQ(converged.judged(late).finding, Finding::holds);
}

TEST(Claims, heights_below_the_tolerance_are_equal) {
  Setting one;
  one.runs("one", "a", {run_of({1, 3e-13})}).runs("one", "b", {run_of({1, 1e-14})});
  Claim claim = faster(1, "suboptimality");
  claim.measure.after = 10;
  EXPECT_EQ(one.judged(claim).finding, Finding::holds);
}

TEST(Claims, an_optimum_that_is_too_uncertain_is_not_testable) {
  Setting one;
  one.runs("one", "a", {run_of(quick)}).runs("one", "b", {run_of(slow)});
  one.evidence.optima["one"].uncertain = 1e-3;
  const ClaimVerdict verdict = one.judged(faster());
  EXPECT_EQ(verdict.finding, Finding::not_testable);
  EXPECT_NE(verdict.measured.find("P* is known only to 1e-03"), std::string::npos) << verdict.measured;
  Claim of_gap = faster();
  of_gap.measure.of = "gap";
  EXPECT_EQ(one.judged(of_gap).finding, Finding::holds);
}

TEST(Claims, without_another_method_the_number_itself_is_tested) {
  Setting one;
  one.runs("one", "a", {run_of(quick)});
  Claim claim = faster(20);
  claim.against.clear();
  EXPECT_EQ(one.judged(claim).finding, Finding::holds);
  claim.at_most = 19;
  EXPECT_EQ(one.judged(claim).finding, Finding::does_not_hold);
}

}  // namespace claims_test
}  // namespace seesaw
