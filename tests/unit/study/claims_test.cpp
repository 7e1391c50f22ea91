// Verdicts on constructed records: every measure, every verdict.
#include "study/claims.h"

#include <gtest/gtest.h>

#include <cmath>

namespace seesaw {
namespace claims_test {

// A run of P = 1 + above[k] after 10 k passes, with a gap twice as high; P* = 1.
RunRecord run_of(const std::vector<double>& above, const std::string& status = "converged") {
  RunRecord run;
  run.status = status;
  for (std::size_t k = 0; k < above.size(); ++k) {
    TraceRow row;
    row.passes = 10 * static_cast<double>(k);
    row.solve_seconds = row.passes / 100;
    row.entry_passes = 2 * row.passes;
    row.primal = row.latest_primal = 1 + above[k];
    row.gap = 2 * above[k];
    run.checks.push_back(row);
  }
  return run;
}

const std::vector<double> quick = {1, 1e-2, 1e-4, 1e-6, 1e-8}, slow = {1, 1e-1, 1e-2, 1e-3, 1e-4};

struct Setting {
  Experiment experiment;
  Evidence evidence;

  explicit Setting(const std::vector<std::string>& panels = {"one"}) {
    for (const std::string& name : panels) {
      experiment.panels.push_back({name, "set", {}});
      evidence.optima[name] = {1, 1e-12};
    }
  }
  Setting& runs(const std::string& panel, const std::string& label, std::vector<RunRecord> seeds) {
    evidence.methods.push_back({panel, label, std::move(seeds), Criteria{.gap = 0, .gap_abs = 1e-12}});
    return *this;
  }
  ClaimVerdict judged(const Claim& claim) const { return judge(claim, experiment, evidence); }
};

Claim faster(double factor = 1, const char* measure = "passes") {
  Claim claim;
  claim.says = "a is faster than b";
  claim.measure = {.name = measure, .of = "suboptimality", .to = 1e-4, .after = {}};
  claim.methods = {"a"};
  claim.against = {"b"};
  claim.at_most = factor;
  return claim;
}

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

TEST(Claims, a_straight_line_of_logarithms_is_linear_convergence) {
  Claim claim;
  claim.says = "linear";
  claim.measure = {.name = "linear", .of = "suboptimality", .to = {}, .after = {}};
  claim.methods = {"a"};
  std::vector<double> straight, bent, rising;
  for (int k = 1; k <= 20; ++k) {
    straight.push_back(std::pow(10, -0.4 * k));
    bent.push_back(k < 15 ? 0.1 : 1e-3);
    rising.push_back(std::pow(10, -10 + 0.4 * k));
  }
  EXPECT_EQ(Setting().runs("one", "a", {run_of(straight)}).judged(claim).finding, Finding::holds);
  EXPECT_EQ(Setting().runs("one", "a", {run_of(bent)}).judged(claim).finding, Finding::does_not_hold);
  EXPECT_EQ(Setting().runs("one", "a", {run_of(rising)}).judged(claim).finding, Finding::does_not_hold);
  EXPECT_EQ(Setting().runs("one", "a", {run_of({1, 0.1, 0.01})}).judged(claim).finding, Finding::not_testable);
}

TEST(Claims, every_check_is_compared_with_a_bound) {
  Claim claim;
  claim.says = "below the bound";
  claim.measure = {.name = "bound", .of = "gap", .to = {}, .after = {}};
  claim.series = "theorem";
  claim.methods = {"a"};
  Setting one;
  one.runs("one", "a", {run_of(slow)});
  one.evidence.curves.push_back({"theorem", "one", "dashed", {0, 40}, {4, 4e-4}});
  EXPECT_EQ(one.judged(claim).finding, Finding::holds);  // a straight line of logarithms, twice the gaps
  EXPECT_NE(one.judged(claim).measured.find("at most 0.5 times it"), std::string::npos) << one.judged(claim).measured;
  one.evidence.curves[0].y = {4, 1e-5};
  EXPECT_EQ(one.judged(claim).finding, Finding::does_not_hold);
  one.evidence.curves[0] = {"theorem", "one", "dashed", {}, {}, "it needs another loss."};
  EXPECT_EQ(one.judged(claim).finding, Finding::not_testable);
  EXPECT_NE(one.judged(claim).measured.find("it needs another loss"), std::string::npos);
}

// Bounds of randomized methods are bounds of expectations: gaps of (2 + 6)/2 and so on, where both runs have a check.
TEST(Claims, the_mean_over_seeds_is_compared_with_a_bound) {
  Claim claim;
  claim.says = "below the bound";
  claim.measure = {.name = "bound", .of = "gap", .to = {}, .after = {}};
  claim.series = "theorem";
  claim.methods = {"a"};
  Setting one;
  one.runs("one", "a", {run_of({1, 0.1, 0.01}), run_of({3, 0.3, 0.03, 1})});
  one.evidence.curves.push_back({"theorem", "one", "dashed", {0, 40}, {5, 5}});
  EXPECT_EQ(one.judged(claim).finding, Finding::holds);
  EXPECT_NE(one.judged(claim).measured.find("a, mean of 2 runs, is above it in 0 of 3 checks and at most 0.8 times it"),
            std::string::npos)
      << one.judged(claim).measured;
  one.evidence.curves[0].y = {3, 3};
  EXPECT_EQ(one.judged(claim).finding, Finding::does_not_hold);
}

TEST(Claims, fractions_and_minima_are_computed_from_series) {
  Setting one;
  one.evidence.curves.push_back({"theta_t", "one", "line", {1, 2, 3, 4}, {0.5, 0.9, 0.7, 0.8}});
  one.evidence.curves.push_back({"theta", "one", "dashed", {1, 4}, {0.85, 0.85}});
  Claim claim;
  claim.says = "theta_t is below theta";
  claim.measure = {.name = "share-below", .of = "gap", .to = {}, .after = {}};
  claim.series = "theta_t";
  claim.against = {"theta"};
  claim.at_least = 0.75;
  EXPECT_EQ(one.judged(claim).finding, Finding::holds);
  EXPECT_EQ(one.judged(claim).measured, "Share of theta_t below theta: one: 75.0 % of 4 points.");
  claim.at_least = 0.76;
  EXPECT_EQ(one.judged(claim).finding, Finding::does_not_hold);
  claim.against.clear();
  claim.against_number = 1;
  EXPECT_EQ(one.judged(claim).finding, Finding::holds);

  Claim least = claim;
  least.measure.name = "minimum";
  least.at_least = 0.7;
  EXPECT_EQ(one.judged(least).finding, Finding::holds);  // 0.5 is in the first half
  least.at_least = 0.71;
  EXPECT_EQ(one.judged(least).finding, Finding::does_not_hold);
  least.at_least = 0.4;
  least.at_most = 0.71;
  EXPECT_EQ(one.judged(least).finding, Finding::holds);
  least.at_most = 0.69;
  EXPECT_EQ(one.judged(least).finding, Finding::does_not_hold);
  least.measure.after = 0;  // all points: 0.5
  EXPECT_EQ(one.judged(least).finding, Finding::holds);
  EXPECT_EQ(one.judged(least).measured, "Least theta_t of all points: one: 0.5.");
  least.at_least = 0.51;
  EXPECT_EQ(one.judged(least).finding, Finding::does_not_hold);
  least.series = "another";
  EXPECT_EQ(one.judged(least).finding, Finding::not_testable);
}

TEST(Claims, printed_numbers_agree_within_a_factor) {
  Setting one;
  one.runs("one", "a", {run_of(quick)});
  PrintedTable table;
  table.caption = "Table 1";
  table.measure = faster().measure;
  table.columns = {"a"};
  table.rows = {{"one", "one", {{"a", "15"}}}};
  one.experiment.printed.push_back(table);
  Claim claim;
  claim.says = "as printed";
  claim.measure = {.name = "printed", .of = "gap", .to = {}, .after = {}};
  claim.within = 1.5;
  EXPECT_EQ(one.judged(claim).finding, Finding::holds);
  claim.within = 1.3;
  EXPECT_EQ(one.judged(claim).finding, Finding::does_not_hold);
  one.experiment.printed[0].rows[0].values["a"] = "-";
  EXPECT_EQ(one.judged(claim).finding, Finding::not_testable);
}

TEST(Claims, an_untestable_claim_has_a_reason) {
  Claim claim;
  claim.says = "better in practice";
  claim.untestable = "No data.";
  EXPECT_EQ(Setting().judged(claim).finding, Finding::not_testable);
  EXPECT_EQ(Setting().judged(claim).measured, "No data.");
  EXPECT_EQ(Setting().judged(faster()).measured, "Its panels or methods were not run.");
}

TEST(Claims, of_many_panels_the_failing_ones_are_in_the_sentence_and_all_in_the_figures) {
  const std::vector<std::string> panels = {"1", "2", "3", "4", "5", "6"};
  Setting many(panels);
  for (const std::string& panel : panels)
    many.runs(panel, "a", {run_of(panel == "6" ? slow : quick)})
        .runs(panel, "b", {run_of(panel == "6" ? quick : slow)});
  const ClaimVerdict verdict = many.judged(faster());
  EXPECT_NE(verdict.measured.find("6: a 40, b 20; and 2 more."), std::string::npos) << verdict.measured;
  EXPECT_EQ(verdict.figures.size(), 6u);
}

}  // namespace claims_test
}  // namespace seesaw
