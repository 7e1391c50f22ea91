// The verifier on several ranks (threads, support/thread_ranks.h): the bounds and the verdict of one process, for claims that
// hold and for claims that do not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/share_rows.h"
#include "run/fit.h"
#include "support/fits_on_ranks.h"
#include "support/thread_ranks.h"
#include "verify/verify.h"

namespace seesaw {
namespace verify_on_ranks_test {

using test::generated;
using test::Labels;
using test::spec_of;

Verification verify_on(Ranks& ranks, const Dataset& data, const LinearModel& model) {
  const std::uint64_t hash = content_hash(data, ranks);
  const std::size_t outputs = model.outputs();
  return verify(own_share(data, ranks), model, hash,
                [&](const Leaves& leaves) { return rows_of_rank(leaves, model.y, outputs); });
}

// Every bit: sums over rows and columns follow the tree of the leaves.
void expect_same(const Verification& found, const Verification& expected) {
  EXPECT_EQ(found.holds, expected.holds);
  EXPECT_EQ(found.problems, expected.problems);
  EXPECT_EQ(found.primal, expected.primal);
  EXPECT_EQ(found.dual, expected.dual);
  EXPECT_EQ(found.gap, expected.gap);
  ASSERT_EQ(found.classes.size(), expected.classes.size());
  for (std::size_t k = 0; k < found.classes.size(); ++k) EXPECT_EQ(found.classes[k].gap, expected.classes[k].gap);
}

TEST(VerifyOnRanks, has_the_verdict_of_one_process) {
  const Dataset sparse = generated(6000, 400, 25, Labels::two, true), dense = generated(4000, 40, 40, Labels::two),
                classes = generated(5000, 40, 20, Labels::three), numbers = generated(5000, 60, 30, Labels::numbers);
  struct Case {
    const Dataset* data;
    FitSpec spec;
  };
  std::vector<Case> cases = {
      {&sparse, spec_of("lbfgs", "logistic", 1e-3)}, {&dense, spec_of("lbfgs", "squared-hinge", 1e-3)},
      {&classes, spec_of("lbfgs", "softmax", 1e-3)}, {&classes, spec_of("newton", "logistic", 1e-3)},
      {&sparse, spec_of("ws", "logistic", 0, 1e-3)}, {&dense, spec_of("ssn", "hinge", 1e-3)},
      {&numbers, spec_of("ssn", "absolute", 1e-2)},  {&numbers, spec_of("ws", "squared", 1e-2, 1e-2)}};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    Case& one = cases[k];
    SCOPED_TRACE(one.spec.solver.name + " " + one.spec.objective.loss);
    one.spec.objective.intercept = k % 2 == 0 ? Intercept::free : Intercept::penalized;
    if (k == 4) one.spec.objective.intercept = Intercept::none;
    if (k % 3 == 0) one.spec.scaling = Scaling::columns_std;
    const LinearModel model = fit(*one.data, one.spec).model;
    ASSERT_TRUE(verifies_shares(model));
    std::vector<LinearModel> models(6, model);
    models[1].certificate->gap = 0.5 * verify(*one.data, model).gap;  // claims too much
    models[2].y[models[2].y.size() * 2 / 3] += 1e-2;                  // another dual point
    models[3].y[models[3].y.size() - 1] = 1e6;                        // outside of the domain, in the last row
    models[4].optimum = model.optimum;
    if (models[4].optimum) models[4].optimum->radius[0] *= 0.5;
    if (k % 3 == 0) models[5].transform.column_factors[3] *= 2;
    else models[5].transform.factor = 2;
    for (std::size_t m = 0; m < models.size(); ++m) {
      SCOPED_TRACE(m);
      const Verification expected = verify(*one.data, models[m]);
      EXPECT_TRUE(expected.holds || m > 0);
      EXPECT_TRUE(!expected.holds || (m != 1 && m != 3 && m != 5));
      for (const int size : m == 0 ? std::vector{2, 3, 7} : std::vector{3})
        EXPECT_TRUE(
            test::on_ranks(size, [&](Ranks& ranks) { expect_same(verify_on(ranks, *one.data, models[m]), expected); }));
    }
  }
}

}  // namespace verify_on_ranks_test
}  // namespace seesaw
