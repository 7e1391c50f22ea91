#include "study/theorem_bounds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "seesaw/error.h"
#include "support/problems.h"

namespace seesaw {
namespace theorem_bounds_test {

// Four rows of norm 1, labels -1 and +1.
Dataset unit_rows() {
  Dataset data = test::table({{1, 0}, {0, 1}, {0.6, 0.8}, {-0.8, 0.6}});
  data.labels = {1, -1, 1, -1};
  return data;
}

Curve curve(std::vector<Curve> (*make)(const SeriesInput&), const Dataset& data, const std::string& loss, double lambda,
            const OptionValues& options = {}) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = lambda;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  const std::vector<MethodRuns> runs;
  const std::vector<Curve> curves = make(SeriesInput{problem, options, runs, {}, 3});
  return curves.empty() ? Curve{} : curves.front();
}

TEST(SdcaSmoothBound, is_that_of_the_theorem_after_each_pass) {
  const Dataset data = unit_rows();
  const Curve last = curve(sdca_smooth_bound, data, "squared", 0.5);  // m = 4 + 1/(0.5 * 1) = 6
  EXPECT_EQ(last.x, (std::vector<double>{1, 2, 3}));
  EXPECT_NEAR(last.y[1], 6 * std::exp(-8.0 / 6), 1e-14);
  const Curve average = curve(sdca_smooth_bound, data, "squared", 0.5, {{"point", "average"}});
  EXPECT_NEAR(average.y[0], 6.0 / 4, 1e-14);  // one pass: the mean of all iterates
  EXPECT_NEAR(average.y[1], 6.0 / 4 * std::exp(-4.0 / 6), 1e-14);
  EXPECT_NEAR(average.y[2], 6.0 / 8 * std::exp(-4.0 / 6), 1e-14);
  const Curve printed = curve(sdca_smooth_bound, data, "squared", 0.5, {{"point", "average-printed"}});
  EXPECT_NEAR(printed.y[1], 6.0 / 4 * std::exp(-8.0 / 6), 1e-14);
  const Curve logistic = curve(sdca_smooth_bound, data, "logistic", 0.5);  // gamma = 4
  EXPECT_NEAR(logistic.y[2], 4.5 * std::exp(-12 / 4.5), 1e-14);
}

TEST(SdcaLipschitzBound, begins_where_the_theorem_applies) {
  const Dataset data = unit_rows();
  const Curve small = curve(sdca_lipschitz_bound, data, "hinge", 0.1);  // log(0.1 * 4 / 2) < 0: from T = n on
  EXPECT_EQ(small.x, (std::vector<double>{2, 3}));
  EXPECT_NEAR(small.y[0], 20 / (0.1 * 4), 1e-12);
  const Curve large = curve(sdca_lipschitz_bound, data, "absolute", 1);  // 4 + ceil(4 log 2) = 7
  EXPECT_EQ(large.x, (std::vector<double>{2, 3}));
  EXPECT_NEAR(large.y[0], 20.0 / (8 - 7), 1e-12);
}

TEST(AspdcBound, starts_from_the_gap_at_zero) {
  const Curve found = curve(aspdc_bound, unit_rows(), "smooth-hinge", 1);  // P(0) - D(0) = 1/2
  ASSERT_EQ(found.x, (std::vector<double>{1, 2, 3}));
  EXPECT_NEAR(found.y[0], 8 * std::pow(7.0 / 8, 4) * 0.5, 1e-14);
}

TEST(TheoremBounds, are_refused_if_their_theorems_do_not_apply) {
  const Dataset data = unit_rows();
  Dataset long_rows = test::table({{1, 1}, {0, 1}, {1, 0}, {1, 0}});
  long_rows.labels = data.labels;
  Dataset large_labels = unit_rows();
  large_labels.labels = {3, -1, 1, -1};
  EXPECT_THROW(curve(sdca_smooth_bound, long_rows, "squared", 0.5), Error);
  EXPECT_THROW(curve(sdca_smooth_bound, large_labels, "squared", 0.5), Error);
  EXPECT_THROW(curve(sdca_smooth_bound, data, "hinge", 0.5), Error);
  EXPECT_THROW(curve(sdca_lipschitz_bound, data, "squared", 0.5), Error);
  EXPECT_THROW(curve(aspdc_bound, long_rows, "smooth-hinge", 1), Error);
  EXPECT_THROW(curve(aspdc_bound, data, "smooth-hinge", 0.9), Error);
  EXPECT_THROW(curve(sdca_smooth_bound, data, "squared", 0.5, {{"pont", "last"}}), Error);
}

}  // namespace theorem_bounds_test
}  // namespace seesaw
