// Verdicts on curves, bounds, series and printed numbers, on constructed records.
#include "study/claims.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/study/constructed_records.h"

namespace seesaw {
namespace claim_series_test {

using namespace test;

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

Claim gaps_below_the_theorem() {
  Claim claim;
  claim.says = "below the bound";
  claim.measure = {.name = "bound", .of = "gap", .to = {}, .after = {}};
  claim.series = "theorem";
  claim.methods = {"a"};
  return claim;
}

TEST(Claims, every_check_is_compared_with_a_bound) {
  const Claim claim = gaps_below_the_theorem();
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
  const Claim claim = gaps_below_the_theorem();
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

}  // namespace claim_series_test
}  // namespace seesaw
