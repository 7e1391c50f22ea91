#include "study/curve_table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace seesaw {
namespace curve_table_test {

RunRecord run_of(const std::string& label, const std::vector<std::pair<double, double>>& passes_and_gaps) {
  RunRecord run;
  run.problem = "a9a, logistic";
  run.label = label;
  for (const auto& [passes, gap] : passes_and_gaps) {
    TraceRow row{{2.0, 2.0 - gap, gap}};
    row.passes = passes;
    run.checks.push_back(row);
  }
  return run;
}

std::vector<std::string> rows_with(const std::string& csv, const std::string& begin) {
  std::istringstream all(csv);
  std::vector<std::string> rows;
  for (std::string line; std::getline(all, line);)
    if (line.starts_with(begin)) rows.push_back(line);
  return rows;
}

TEST(CurvesCsv, has_mean_median_and_quantiles_over_the_seeds) {
  const std::string csv = curves_csv({run_of("sdca", {{1, 1.0}, {2, 0.25}}), run_of("sdca", {{1, 3.0}, {2, 0.75}}),
                                      run_of("sdca", {{1, 2.0}, {2, 0.5}})});
  EXPECT_TRUE(csv.starts_with("problem,method,quantity,passes,seeds,mean,median,q10,q25,q75,q90\n"));
  const auto rows = rows_with(csv, "\"a9a, logistic\",sdca,gap,");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], "\"a9a, logistic\",sdca,gap,1,3,2,2,1.2,1.5,2.5,2.8");
  EXPECT_EQ(rows[1], "\"a9a, logistic\",sdca,gap,2,3,0.5,0.5,0.3,0.375,0.625,0.7");
}

// The second run ends first and keeps its value, so that the mean of pass 3 is not that of the slower run alone.
TEST(CurvesCsv, interpolates_between_checks_and_keeps_the_last_value_of_runs_that_ended) {
  const std::string csv = curves_csv({run_of("sdca", {{1, 1.0}, {3, 0.01}}), run_of("sdca", {{2, 0.2}})});
  const auto rows = rows_with(csv, "\"a9a, logistic\",sdca,gap,");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[0].starts_with("\"a9a, logistic\",sdca,gap,1,1,1,")) << rows[0];
  EXPECT_TRUE(rows[1].starts_with("\"a9a, logistic\",sdca,gap,2,2,0.15")) << rows[1];  // of 0.1 (geometric) and 0.2
  EXPECT_TRUE(rows[2].starts_with("\"a9a, logistic\",sdca,gap,3,2,0.105")) << rows[2];
}

TEST(CurvesCsv, separates_methods_and_classes) {
  const std::string csv =
      curves_csv({run_of("sdca", {{1, 1.0}, {2, 0.5}, {1, 0.8}, {2, 0.4}}), run_of("spdc", {{1, 0.7}})});
  EXPECT_EQ(rows_with(csv, "\"a9a, logistic, class 1\",sdca,gap,").size(), 2U);
  EXPECT_EQ(rows_with(csv, "\"a9a, logistic, class 2\",sdca,gap,").size(), 2U);
  EXPECT_EQ(rows_with(csv, "\"a9a, logistic\",spdc,gap,").size(), 1U);
}

}  // namespace curve_table_test
}  // namespace seesaw
