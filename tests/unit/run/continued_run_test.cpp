// Methods that follow a path of penalties, against fits of their own at each value.
#include "run/continued_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/synthetic.h"
#include "run/fit.h"
#include "solvers/catalog.h"
#include "support/problems.h"

namespace seesaw {
namespace continued_run_test {

struct Case {
  const char* loss;
  const char* method;
  Intercept intercept;
};
class Follows : public testing::TestWithParam<Case> {};

constexpr double gap = 1e-6;

TEST_P(Follows, EveryPenaltyInTurn) {
  const auto [loss, method, intercept] = GetParam();
  const Dataset data = test::random_data(300, 6, loss_kind(loss).target, 7);
  Objective objective;
  objective.loss = loss;
  objective.intercept = intercept;
  objective.lambda = 1;
  Problem proved = make_problem(data, objective), unproved = proved;
  const auto certified = ContinuedRun::make(proved, {.name = method, .options = {}});
  const auto compared = ContinuedRun::make(unproved, {.name = method, .options = {}});
  ASSERT_NE(certified, nullptr);
  const SolverSpec standard{.name = std::string(default_solver), .options = {}};
  Criteria criteria, accurate;
  criteria.gap = gap;
  accurate.gap = 1e-9;
  for (const double lambda : {1.0, 0.5, 0.02, 0.1, 0.1, 1e-4, 1e-5, 3.0}) {
    SCOPED_TRACE(lambda);
    proved.penalty = unproved.penalty = Penalty(lambda, 0);
    const Outcome first = certified->fit(criteria, {}), second = compared->fit_unproved(criteria, {});
    EXPECT_EQ(first.termination, Termination::converged);
    EXPECT_EQ(second.termination, Termination::converged);
    EXPECT_TRUE(first.certificate.guaranteed);
    EXPECT_FALSE(second.certificate.guaranteed);
    EXPECT_LE(first.certificate.gap, gap * first.certificate.primal);
    // A bound of the optimum that has nothing to do with either.
    const double optimum = solve({proved, standard, accurate, Scaling::none}).certificate.dual;
    for (const Outcome* one : {&first, &second}) {
      const auto primal = static_cast<double>(test::slow_primal(proved, one->point.x, one->point.intercept[0]));
      EXPECT_LE(primal - optimum, (gap + 2e-9) * primal);
      EXPECT_NEAR(one->certificate.primal, primal, gap * primal);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, Follows,
    testing::Values(Case{"logistic", "newton", Intercept::none}, Case{"logistic", "newton", Intercept::free},
                    Case{"squared-hinge", "newton", Intercept::none}, Case{"squared-hinge", "newton", Intercept::free},
                    Case{"squared", "newton", Intercept::free}, Case{"hinge", "ssn", Intercept::none},
                    Case{"hinge", "ssn", Intercept::free}, Case{"absolute", "ssn", Intercept::free},
                    Case{"epsilon-insensitive", "ssn", Intercept::none}),
    [](const auto& tested) {
      std::string name =
          std::string(tested.param.loss) + "_" + (tested.param.intercept == Intercept::free ? "free" : "none");
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// Rows of 1e6 times the size of the others: rounding errors of A x and A^T C A are large beside the gradient, and the
// difference of two solutions may have nothing else.
TEST(ContinuedRun, HasAGapOfItsOwnThatIsConfirmed) {
  for (const char* const loss : {"squared", "squared-hinge", "smooth-hinge"}) {
    const Target target = loss_kind(loss).target;
    const std::vector<double> labels = test::random_data(3000, 10, target, 11).labels;
    test::Matrix matrix = test::random_matrix(3000, 10, 11);
    for (std::size_t i = 0; i < 210; i += 7)
      for (double& value : matrix[i]) value *= 1e6;
    Dataset data = test::table(matrix, test::Storage::dense);
    data.labels = labels;
    data.source = "random";
    Objective objective;
    objective.loss = loss;
    objective.intercept = Intercept::none;
    objective.lambda = 1;
    Problem problem = make_problem(data, objective);
    const auto run = ContinuedRun::make(problem, {.name = "newton", .options = {}});
    Criteria criteria;
    criteria.gap = 1e-7;
    double passes = 0;
    for (int k = 0; k < 60; ++k) {
      problem.penalty = Penalty(std::pow(10.0, -0.15 * k), 0);
      Outcome found = run->fit_unproved(criteria, {});
      EXPECT_EQ(found.termination, Termination::converged);
      passes += found.last.passes;
      const Certificate certificate = Certifier(problem).certify_rigorously(found.point, 0);
      EXPECT_LE(certificate.gap, 1.1 * criteria.gap * certificate.primal) << loss << " value " << k;
    }
    EXPECT_LE(passes, 120) << loss;
  }
}

// The gap is then estimated from a Newton direction, which a step on the line of the last solutions replaces.
TEST(ContinuedRun, FollowsWithFeaturesThatHaveNoPenalty) {
  SynthOptions generated;
  generated.n = 4000;
  generated.d = 20;
  generated.seed = 3;
  const Dataset data = synthesize("factors", generated);
  Objective objective;
  objective.loss = "logistic";
  objective.lambda = 1e-2;
  objective.penalty_factors.assign(data.d(), 1.0);
  objective.penalty_factors[0] = objective.penalty_factors[1] = 0;
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    objective.intercept = intercept;
    Problem problem = make_problem(data, objective);
    const auto run = ContinuedRun::make(problem, {.name = "newton", .options = {}});
    const SolverSpec standard{.name = std::string(default_solver), .options = {}};
    Criteria criteria, accurate;
    criteria.gap = 1e-4;
    accurate.gap = 1e-8;
    for (const double lambda : {1e-2, 1e-3, 3e-3, 2e-3, 6e-4}) {
      SCOPED_TRACE(lambda);
      problem.penalty = Penalty(lambda, 0, PenaltyFeatures(problem.penalty.features()));
      const Outcome found = run->fit_unproved(criteria, {});
      EXPECT_EQ(found.termination, Termination::converged);
      const double optimum = solve({problem, standard, accurate, Scaling::none}).certificate.dual;
      Point point = found.point;
      const double primal = Certifier(problem).certify(point).primal;
      EXPECT_LE(primal - optimum, 1.1 * criteria.gap * primal);
    }
  }
}

// A fit of `ws` may end while its sets are selected from a pool of features.
TEST(ContinuedRun, ContinuesAfterFitsThatEndEarly) {
  SynthOptions generated;
  generated.n = 2000;
  generated.d = 40000;
  generated.row_size = 20;
  generated.seed = 5;
  const Dataset data = synthesize("text", generated);
  Objective objective;
  objective.loss = "logistic";
  objective.regularizer = "l1";
  objective.l1 = 3e-4;
  Problem problem = make_problem(data, objective);
  const auto run = ContinuedRun::make(problem, {.name = "ws", .options = {{"screening", "off"}}});
  int early = 0;
  for (const double l1 : {3e-4, 2.8e-4, 2.6e-4, 2.4e-4, 2e-4}) {
    problem.penalty = Penalty(0, l1);
    Criteria criteria;
    criteria.gap = 1e-9;
    criteria.max_passes = l1 == 2e-4 ? 1e4 : 2;
    const Outcome found = run->fit(criteria, {});
    early += found.termination == Termination::pass_limit;
    if (l1 == 2e-4) {
      EXPECT_EQ(found.termination, Termination::converged);
    }
  }
  EXPECT_GT(early, 0);
}

TEST(ContinuedRun, TakesTheMethodThatIsGivenOrSelected) {
  const Dataset data = test::random_data(300, 6, Target::sign, 7);
  Objective objective;
  objective.loss = "logistic";
  objective.lambda = 1e-4;
  const Problem ridge = make_problem(data, objective);
  const auto name_for = [](const Problem& problem, const char* solver) {
    const auto spec = ContinuedRun::spec_for(problem, {.name = solver, .options = {}});
    return spec ? spec->name : std::string("none");
  };
  EXPECT_EQ(name_for(ridge, "auto"), "newton");
  EXPECT_EQ(name_for(ridge, "newton"), "newton");
  EXPECT_EQ(name_for(ridge, "sdca"), "none");
  objective.lambda.reset();
  objective.regularizer = "l1";
  objective.l1 = 0.01;
  const Problem lasso = make_problem(data, objective);
  EXPECT_EQ(name_for(lasso, "auto"), "ws");
  EXPECT_EQ(name_for(lasso, "primal-ag"), "none");
}

}  // namespace continued_run_test
}  // namespace seesaw
