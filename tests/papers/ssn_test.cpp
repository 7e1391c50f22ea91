// Hinge and absolute loss at small and large C on sets of LIBSVM's page: a relative gap of 1e-6 that the verifier
// confirms, in few passes at any C. Coordinate methods need more than 10,000 passes there, or do not converge. See
// real_sets.h for the location of the sets.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/readers/read.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "verify/verify.h"

namespace seesaw {
namespace ssn_test {

using test::path_of;
using test::skip_reason;

struct Cell {
  std::string file, loss;
  double passes;  // at most, at every C
};

class SsnOnRealData : public testing::TestWithParam<Cell> {};

TEST_P(SsnOnRealData, is_certified_in_few_passes_at_every_C) {
  const Cell& cell = GetParam();
  if (const std::string why = skip_reason(cell.file); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(path_of(cell.file).string());
  for (const double C : {0.01, 1.0, 100.0, 10000.0})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      FitSpec spec;
      spec.objective.loss = cell.loss;
      spec.objective.C = C;
      spec.objective.intercept = intercept;
      spec.scaling = Scaling::columns_std;
      spec.solver.name = "ssn";
      spec.criteria.gap = 1e-6;
      spec.criteria.max_passes = cell.passes;
      const std::string what = fmt::format("{} {} C {} intercept {}", cell.file, cell.loss, C, name_of(intercept));
      const Fit result = fit(data, spec);
      EXPECT_EQ(result.outcome.termination, Termination::converged)
          << what << ": relative gap " << result.outcome.certificate.relative_gap() << " after "
          << result.outcome.last.passes << " passes";
      EXPECT_TRUE(verify(data, result.model).holds) << what;
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, SsnOnRealData,
                         testing::Values(Cell{"a9a", "hinge", 100}, Cell{"ijcnn1", "hinge", 60},
                                         Cell{"w8a", "hinge", 400}, Cell{"abalone", "absolute", 80},
                                         Cell{"abalone", "epsilon-insensitive", 80}, Cell{"cpuact", "quantile", 100},
                                         Cell{"cpuact", "absolute", 100}),
                         [](const auto& instance) {
                           std::string name = instance.param.file + "_" + instance.param.loss;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace ssn_test
}  // namespace seesaw
