// cdcg on text data with thousands of free rows: certified to 1e-6 within a number of passes at any C. The limits are
// twice the measured values. The equal rows with different labels in both sets alone cost coordinate steps C passes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/readers/read.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "verify/verify.h"

namespace seesaw {
namespace face_test {

struct Cell {
  const char* loss;
  double C, passes;
};

void expect_certified(const Dataset& data, Scaling scaling, const std::vector<Cell>& cells) {
  for (const auto& [loss, C, passes] : cells) {
    FitSpec spec;
    spec.objective.loss = loss;
    spec.objective.C = C;
    spec.objective.intercept = Intercept::none;
    spec.scaling = scaling;
    spec.solver.name = "cdcg";
    spec.criteria.gap = 1e-6;
    spec.criteria.max_passes = passes;
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged)
        << loss << " C " << C << " relative gap " << result.outcome.certificate.relative_gap();
    EXPECT_TRUE(verify(data, result.model).holds) << loss << " C " << C;
    fmt::print("{} {} C {}: {:.0f} passes\n", data.source, loss, C, result.outcome.last.passes);
  }
}

TEST(Faces, reuters_is_certified_at_any_C) {
  if (const std::string why = test::skip_reason("reuters-moneyfx"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(test::path_of("reuters-moneyfx").string());
  expect_certified(data, Scaling::none,
                   {{"hinge", 1, 260}, {"hinge", 100, 200}, {"hinge", 10000, 250}, {"squared-hinge", 5000, 250}});
}

TEST(Faces, news20_is_certified_at_any_C) {
  if (const std::string why = test::skip_reason("news20"); !why.empty()) GTEST_SKIP() << why;
  Dataset data = read_dataset(test::path_of("news20").string());
  for (double& label : data.labels) label = label <= 10 ? 1 : -1;
  expect_certified(data, Scaling::rows, {{"hinge", 10000, 420}, {"squared-hinge", 5000, 200}});
}

}  // namespace face_test
}  // namespace seesaw
