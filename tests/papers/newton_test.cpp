// Newton's method on sets of LIBSVM's page: certified to a relative gap of 1e-6, in about as many passes as measured at
// first (a pass is a product by A or A^T, a product by the Hessian, or an assembly of it; rows of samples count in
// proportion). See real_sets.h for the location of the sets.
#include <gtest/gtest.h>

#include "data/readers/read.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "verify/verify.h"

namespace seesaw {
namespace newton_test {

struct Cell {
  std::string file, loss;
  double C, most;  // passes
  OptionValues options = {};
};

class NewtonOnRealSets : public testing::TestWithParam<Cell> {};

TEST_P(NewtonOnRealSets, is_certified_within_its_passes) {
  const Cell& cell = GetParam();
  if (const std::string why = test::skip_reason(cell.file); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(test::path_of(cell.file).string());
  FitSpec spec;
  spec.objective.loss = cell.loss;
  spec.objective.lambda = 1 / (cell.C * double(data.n()));
  spec.objective.intercept = Intercept::none;
  spec.solver = {"newton", cell.options, 1};
  spec.criteria.gap = 1e-6;
  const Fit result = fit(data, spec);
  EXPECT_EQ(result.outcome.termination, Termination::converged);
  EXPECT_TRUE(verify(data, result.model).holds);
  EXPECT_LE(result.outcome.certificate.relative_gap(), 1e-6);
  EXPECT_LE(result.outcome.last.passes, cell.most);
}

INSTANTIATE_TEST_SUITE_P(
    Sets, NewtonOnRealSets,
    testing::Values(Cell{"a9a", "logistic", 0.01, 40}, Cell{"a9a", "logistic", 1, 40}, Cell{"a9a", "logistic", 1e4, 70},
                    Cell{"a9a", "squared-hinge", 0.5, 40}, Cell{"a9a", "squared-hinge", 5000, 50},
                    Cell{"w8a", "logistic", 1, 50}, Cell{"w8a", "logistic", 1e4, 90}, Cell{"ijcnn1", "logistic", 1, 30},
                    Cell{"ijcnn1", "squared-hinge", 50, 30}, Cell{"covtype.binary.scale.10k", "logistic", 1e4, 90},
                    Cell{"reuters-moneyfx", "logistic", 1, 60}, Cell{"reuters-moneyfx", "logistic", 100, 250},
                    Cell{"reuters-moneyfx", "logistic", 1e4, 1200}),
    [](const auto& instance) {
      std::string name = instance.param.file + "_" + instance.param.loss + "_C_" + std::to_string(instance.param.C);
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

}  // namespace newton_test
}  // namespace seesaw
