// The best bounds of a run: what is proved of them belongs to one pair of points.
#include "run/incumbent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/rigorous/optimum_region.h"
#include "run/fit.h"
#include "support/problems.h"

namespace seesaw {
namespace incumbent_test {

// A candidate whose proof does not reach the target, and which is worse than the pair that was proved before it.
TEST(Incumbents, keep_the_region_of_the_proved_pair_after_a_rejected_candidate) {
  const Dataset data = test::random_data(50, 4, Target::sign, 1);
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    FitSpec spec;
    spec.objective.loss = "squared-hinge";
    spec.objective.lambda = 0.1;
    spec.objective.intercept = intercept;
    spec.solver.name = "newton";
    spec.criteria.gap = 1e-13;
    const Fit optimal = fit(data, spec);
    const Problem problem = make_problem(data, spec.objective);

    Incumbent incumbent(problem);
    Point best{optimal.model.x, optimal.model.intercept, optimal.model.y}, worse = best;
    worse.x.assign(worse.x.size(), 0.0);
    for (double& yi : worse.y) yi *= 0.5;
    incumbent.update(best);
    const Certificate proof = incumbent.prove(0);
    Point candidate = worse;
    EXPECT_FALSE(incumbent.prove_candidate(candidate, std::nullopt, [](double) { return 0.0; }));
    incumbent.update(worse);
    EXPECT_EQ(incumbent.prove(0).gap, proof.gap);

    const auto region = incumbent.region(), expected = optimum_region(problem, incumbent.proved_point, proof);
    ASSERT_TRUE(region && expected);
    EXPECT_EQ(region->radius, expected->radius);
    EXPECT_EQ(region->centre, expected->centre);
    EXPECT_EQ(region->intercept[0].lo, expected->intercept[0].lo);
    EXPECT_EQ(region->intercept[0].hi, expected->intercept[0].hi);
    const std::vector<double>& centre = region->centre.empty() ? incumbent.proved_point.x : region->centre;
    double squares = 0;
    for (std::size_t j = 0; j < centre.size(); ++j) squares += std::pow(centre[j] - optimal.model.x[j], 2);
    EXPECT_LE(std::sqrt(squares), region->radius[0] + 1e-5);  // the model is within 1e-6 of the optimum
  }
}

}  // namespace incumbent_test
}  // namespace seesaw
