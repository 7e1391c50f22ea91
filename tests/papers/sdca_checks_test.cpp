// SDCA on sets of LIBSVM's page, to a relative gap of 1e-6 without intercept: the number of checks and of superfluous
// passes, also with a compact copy of the rows. See real_sets.h for the location of the sets.
#include <gtest/gtest.h>

#include "data/readers/read.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "verify/verify.h"

namespace seesaw {
namespace sdca_checks_test {

struct Cell {
  std::string file, loss;
  double C;
  std::size_t checks;  // at most
};

// Smooth losses: the path of hinge depends on rounding.
const std::vector<Cell> cells = {
    {"a9a", "logistic", 1, 9},           {"a9a", "squared-hinge", 0.005, 6},    {"w8a", "logistic", 0.01, 5},
    {"ijcnn1", "squared-hinge", 0.5, 9}, {"reuters-moneyfx", "logistic", 1, 5},
};

class SdcaChecks : public testing::TestWithParam<Cell> {};

TEST_P(SdcaChecks, are_few_and_not_late_for_any_storage) {
  const Cell& cell = GetParam();
  if (const std::string why = test::skip_reason(cell.file); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(test::path_of(cell.file).string());
  const auto fitted = [&](const OptionValues& options, double check_every) {
    FitSpec spec;
    spec.objective.loss = cell.loss;
    spec.objective.C = cell.C;
    spec.objective.intercept = Intercept::none;
    spec.criteria.gap = 1e-6;
    spec.criteria.check_every = check_every;
    spec.solver = {"sdca", options, 1};
    return fit(data, spec);
  };
  const double needed = fitted({}, 1).outcome.last.passes;
  for (const char* storage : {"auto", "compact", "exact"}) {
    const Fit result = fitted({{"storage", storage}}, 0);
    EXPECT_EQ(result.outcome.termination, Termination::converged);
    EXPECT_TRUE(verify(data, result.model).holds);
    EXPECT_LE(result.outcome.last.passes, std::max(needed + 1.01, 1.06 * needed)) << cell.file << ' ' << storage;
    EXPECT_LE(result.outcome.trace.size(), cell.checks) << cell.file << ' ' << storage;
  }
}

INSTANTIATE_TEST_SUITE_P(RealSets, SdcaChecks, testing::ValuesIn(cells), [](const auto& instance) {
  std::string name = instance.param.file + "_" + instance.param.loss;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace sdca_checks_test
}  // namespace seesaw
