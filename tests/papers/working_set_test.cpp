// ws on sets of LIBSVM's page, certified to 1e-6 within a number of passes, with the support of the optimum. The sizes of
// the supports are those of a prototype (no intercept, original labels for logistic). See real_sets.h for the location of
// the sets.
#include <gtest/gtest.h>

#include "data/readers/read.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "verify/verify.h"

namespace seesaw {
namespace working_set_test {

using test::path_of;
using test::skip_reason;

FitSpec to_1e_6(std::string_view loss) {
  FitSpec spec;
  spec.objective.loss = loss;
  spec.objective.intercept = Intercept::none;
  spec.objective.regularizer = "l1";
  spec.solver.name = "ws";
  spec.criteria.gap = 1e-6;
  spec.criteria.max_passes = 200;
  return spec;
}

struct Cell {
  const char* file;
  double fraction;      // of the smallest l1 for which x = 0
  std::size_t support;  // at the optimum
  double passes;        // at most
};

TEST(WorkingSetOnRealData, is_certified_within_its_passes) {
  const std::vector<Cell> cells = {{"a9a", 0.1, 6, 30},
                                   {"a9a", 0.01, 27, 40},
                                   {"colon-cancer", 0.1, 25, 15},
                                   {"colon-cancer", 0.01, 30, 20},
                                   {"reuters-moneyfx", 0.1, 9, 15},
                                   {"reuters-moneyfx", 0.01, 77, 30}};
  for (const Cell& cell : cells) {
    if (const std::string why = skip_reason(cell.file); !why.empty()) GTEST_SKIP() << why;
    const Dataset data = read_dataset(path_of(cell.file).string());
    FitSpec spec = to_1e_6("logistic");
    const double tenth = make_problem(data, spec.objective).penalty.l1();  // the default is 0.1 of that l1
    spec.objective.l1 = 10 * cell.fraction * tenth;
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged) << cell.file << " " << cell.fraction;
    EXPECT_TRUE(verify(data, result.model).holds) << cell.file;
    EXPECT_LE(result.outcome.last.passes, cell.passes) << cell.file << " " << cell.fraction;
    const auto support = static_cast<std::size_t>(
        std::count_if(result.model.x.begin(), result.model.x.end(), [](double x) { return x != 0; }));
    EXPECT_EQ(support, cell.support) << cell.file << " " << cell.fraction;
    ASSERT_TRUE(result.proved_zero.has_value());
    EXPECT_LE(*result.proved_zero + support, data.d()) << cell.file;
    EXPECT_GE(double(*result.proved_zero), 0.95 * double(data.d() - support)) << cell.file << " " << cell.fraction;
  }
}

// From no feature to most of them: l1 = 1/(C n).
TEST(WorkingSetOnRealData, is_certified_for_any_C) {
  for (const char* file : {"colon-cancer", "a9a", "arcene"})
    for (const double C : {0.01, 1.0, 100.0, 10000.0}) {
      if (const std::string why = skip_reason(file); !why.empty()) GTEST_SKIP() << why;
      const Dataset data = read_dataset(path_of(file).string());
      FitSpec spec = to_1e_6("logistic");
      spec.scaling = std::string(file) == "arcene" ? Scaling::max : Scaling::none;
      spec.objective.C = C;
      spec.objective.intercept = Intercept::free;
      const Fit result = fit(data, spec);
      EXPECT_EQ(result.outcome.termination, Termination::converged)
          << file << " C " << C << " gap " << result.outcome.certificate.relative_gap();
      EXPECT_TRUE(verify(data, result.model).holds) << file << " C " << C;
    }
}

}  // namespace working_set_test
}  // namespace seesaw
