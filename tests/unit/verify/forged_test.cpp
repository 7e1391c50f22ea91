// Forged and perturbed models are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "seesaw/error.h"
#include "support/claims.h"
#include "support/expectations.h"
#include "support/table.h"

namespace seesaw {
namespace forged_test {

using test::contains;
using test::sentence_of;
using test::Solved;
using test::table;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

// Ridge regression on two equal columns, at a suboptimal point, with the claim that the verifier itself
// makes.
Solved duplicate_columns() {
  Solved solved{.data = table({{1, 1}, {2, 2}, {-1, -1}}), .model = {}};
  solved.data.labels = {1, 3, 0.5};
  solved.data.source = "train.svm";
  LinearModel& model = solved.model;
  model.objective.loss = "squared";
  model.objective.lambda = 0.1;
  model.n = 3;
  model.data_hash = content_hash(solved.data);
  model.x = {0.4, 0.3};
  model.y = {-0.2, -1, -1};
  test::claim(model, 0, 0);
  const Verification own = verify(solved.data, model);
  model.certificate = Certificate{{own.primal, own.dual, own.gap}};
  model.certificate->distance_bound = std::sqrt(2 * own.gap / 0.1) * (1 + 1e-15);
  return solved;
}

bool holds(const Solved& solved) { return verify(solved.data, solved.model).holds; }

TEST(Forged, an_honest_claim_holds) { EXPECT_TRUE(holds(duplicate_columns())); }

TEST(Forged, large_weights_that_cancel_do_not_help) {
  Solved solved = duplicate_columns();
  solved.model.objective.lambda = 1e-60;  // so that their penalty is negligible
  solved.model.x = {0x1p60, -0x1p60};
  test::claim(solved.model, 0, 0);
  EXPECT_FALSE(holds(solved));
  const Verification own = verify(solved.data, solved.model);
  EXPECT_NEAR(own.primal, (1 + 9 + 0.25) / 6, 1e-12);  // the scores are 0 exactly
}

TEST(Forged, gaps_too_small_by_one_millionth_are_refused) {
  Solved solved = duplicate_columns();
  solved.model.certificate->gap *= 1 - 1e-6;
  EXPECT_FALSE(holds(solved));
  solved = duplicate_columns();
  solved.model.certificate->gap = std::nextafter(solved.model.certificate->gap, 0);
  EXPECT_FALSE(holds(solved));
}

TEST(Forged, every_number_of_the_certificate_counts_to_the_last_bit) {
  Solved solved = duplicate_columns();
  solved.model.certificate->primal = std::nextafter(solved.model.certificate->primal, 0);
  EXPECT_FALSE(holds(solved));
  solved = duplicate_columns();
  solved.model.certificate->dual = std::nextafter(solved.model.certificate->dual, inf);
  EXPECT_FALSE(holds(solved));
  for (const double bound : {-1.0, -0.0, 0.0, nan, inf, *solved.model.certificate->distance_bound * (1 - 1e-12)}) {
    solved = duplicate_columns();
    solved.model.certificate->distance_bound = bound;
    EXPECT_FALSE(holds(solved)) << bound;
  }
  for (const double gap : {-1.0, 0.0, nan, inf, -inf}) {
    solved = duplicate_columns();
    solved.model.certificate->gap = gap;
    EXPECT_FALSE(holds(solved)) << gap;
  }
}

TEST(Forged, nan_and_infinity_in_dual_points_are_refused) {
  for (const double y : {nan, inf, -inf}) {
    Solved solved = duplicate_columns();
    solved.model.y[1] = y;
    EXPECT_FALSE(holds(solved)) << y;
    EXPECT_FALSE(verify(solved.data, solved.model).gap < inf);
  }
}

TEST(Forged, nan_and_infinity_in_weights_are_refused) {
  for (const double x : {nan, inf, 1e308}) {
    Solved solved = duplicate_columns();
    solved.model.x[0] = x;
    EXPECT_FALSE(holds(solved)) << x;
  }
}

TEST(Forged, another_lambda_is_refused) {
  for (const double lambda : {0.1 * (1 - 1e-6), 0.1 * (1 + 1e-6), 0.0, nan, 1e-300, 5e-324, 1e308}) {
    Solved solved = duplicate_columns();
    solved.model.objective.lambda = lambda;
    EXPECT_FALSE(holds(solved)) << lambda;
  }
}

TEST(Forged, other_data_is_refused) {
  Solved solved = duplicate_columns();
  solved.model.data_hash ^= 1;
  EXPECT_TRUE(contains(sentence_of<Error>([&] { verify(solved.data, solved.model); }), "was not trained on train.svm"));
}

TEST(Forged, versions_whose_claims_were_not_rigorous_are_refused) {
  for (const std::uint64_t version : {1u, 2u}) {
    Solved solved = duplicate_columns();
    solved.model.version = version;
    EXPECT_TRUE(contains(sentence_of<Error>([&] { verify(solved.data, solved.model); }), "train it again"));
  }
}

TEST(Forged, unknown_statuses_and_models_without_a_guarantee_are_refused) {
  Solved solved = duplicate_columns();
  solved.model.status = "optimal";
  EXPECT_TRUE(contains(test::problems_of(solved), "training status \"optimal\""));
  solved = duplicate_columns();
  solved.model.certificate->guaranteed = false;
  EXPECT_TRUE(contains(test::problems_of(solved), "its gap is not guaranteed"));
}

}  // namespace forged_test
}  // namespace seesaw
