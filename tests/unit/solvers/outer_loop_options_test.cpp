// Refusals and messages of methods with derivative steps and outer loops.
#include <gtest/gtest.h>

#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "solvers/parts/dual/conditioning.h"
#include "solvers/parts/dual/free_intercept.h"
#include "support/expectations.h"
#include "support/problems.h"

namespace seesaw {
namespace outer_loop_options_test {

using test::contains;
using test::sentence_of;

class OuterLoopOptions : public testing::Test {
 protected:
  Problem problem(double lambda, const std::string& loss = "smooth-hinge",
                  Intercept intercept = Intercept::none) const {
    Objective objective;
    objective.loss = loss;
    objective.lambda = lambda;
    objective.intercept = intercept;
    return make_problem(data, objective);
  }
  double lambda_of(double c) const { return c / conditioning(problem(1)); }
  std::string refusal(const Problem& of, const SolverSpec& spec) const {
    return sentence_of<Error>([&] { make_solver(of, spec); });
  }

  Dataset data = [] {
    Dataset result = test::random_data(60, 4, Target::sign, 3);
    for (std::size_t i = 0; i < result.n(); ++i) result.weights.push_back(1 + double(i % 3));
    return result;
  }();
};

TEST_F(OuterLoopOptions, conditioning_is_that_of_the_row_with_the_largest_weighted_norm) {
  const test::Matrix a = test::matrix_of(data);
  const Problem p = problem(0.5, "squared-hinge");
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double square = 0;
    for (double e : a[i]) square += e * e;
    largest = std::max(largest, 60 * data.weights[i] / 120 * square);
  }
  EXPECT_NEAR(conditioning(p), 0.5 * 60 * 0.5 / largest, 1e-12);
}

TEST_F(OuterLoopOptions, aspdc_is_refused_if_c_is_at_most_1_and_warns_below_4) {
  const SolverSpec spec{"aspdc", {}, 1};
  const std::string sentence = refusal(problem(lambda_of(0.5)), spec);
  EXPECT_TRUE(contains(sentence, "aspdc needs c = lambda n gamma/R^2 > 1, and here c = 0.5"));
  EXPECT_TRUE(contains(sentence, "aspdc-i"));
  EXPECT_TRUE(contains(sentence, "choose `solver` sdca"));
  EXPECT_NE(refusal(problem(lambda_of(0.99999)), spec), "");
  EXPECT_EQ(refusal(problem(lambda_of(1.00001)), spec), "");
  EXPECT_EQ(refusal(problem(lambda_of(1.00001), "smooth-hinge", Intercept::free), spec), "");

  EXPECT_TRUE(contains(message_for(problem(lambda_of(2)), spec).value_or(""), "proved to converge only for c"));
  EXPECT_TRUE(contains(message_for(problem(lambda_of(2)), spec).value_or(""), "here c = 2"));
  EXPECT_FALSE(message_for(problem(lambda_of(4.1)), spec).has_value());
  EXPECT_FALSE(recipe_named("aspdc").instead.empty());
}

TEST_F(OuterLoopOptions, aspdc_refuses_nonsmooth_losses_and_the_others_smooth_them) {
  EXPECT_TRUE(
      contains(refusal(problem(100, "hinge"), {"aspdc", {}, 1}), "aspdc needs a smooth loss, and hinge is nonsmooth"));
  for (const char* method : {"aspdc-i", "asdca", "catr"})
    EXPECT_EQ(refusal(problem(0.1, "hinge"), {method, {}, 1}), "") << method;
}

TEST_F(OuterLoopOptions, bad_values_are_refused_with_what_is_allowed) {
  const Problem p = problem(0.01);
  struct Bad {
    std::string method;
    OptionValues options;
    std::string sentence;
  };
  for (const Bad& bad : std::vector<Bad>{
           {"aspdc-i", {{"kappa", "1"}}, "a number above 1"},
           {"aspdc-i", {{"kappa", "-4"}}, "a number above 1"},
           {"catr", {{"kappa", "0"}}, "a number above 0"},
           {"asdca", {{"kappa", "-1"}}, "a number above 0"},
           {"catr", {{"inner-passes", "0"}}, "a whole number above 0"},
           {"catr", {{"inner-passes", "1.5"}}, "a whole number above 0"},
           {"asdca", {{"momentum", "much"}}, "off, on"},
           {"catr", {{"momentum", "off"}, {"restart", "on"}}, "`momentum` on"},
           {"aspdc-i", {{"restart", "on"}}, "`momentum` on"},
           {"aspdc-i", {{"schedule", "none"}}, "fixed, precision"},
           {"aspdc-i", {{"schedule", "precision"}, {"inner-passes", "2"}}, "`schedule` fixed"},
           {"catr", {{"schedule", "fixed"}}, "catr does not have this option"},
           {"aspdc", {{"kappa", "4"}}, "aspdc does not have this option"},
       }) {
    const Problem& of = bad.method == "aspdc" ? problem(1000) : p;
    EXPECT_TRUE(contains(refusal(of, {bad.method, bad.options, 1}), bad.sentence)) << bad.method;
  }
  EXPECT_EQ(refusal(p, {"aspdc-i", {{"momentum", "on"}, {"restart", "on"}, {"kappa", "2"}}, 1}), "");
}

// For any c > 1 the entry of the free intercept keeps every row below the limit.
TEST_F(OuterLoopOptions, the_free_intercept_keeps_derivative_steps_convergent) {
  for (const double c : {1.001, 1.5, 4.0, 1e6}) {
    const Problem p = problem(lambda_of(c), "smooth-hinge", Intercept::free);
    const std::vector<double> square = squared_row_norms(data);
    const double t2 = squared_bias_entry_of_derivatives(p, square, p.penalty.l2(), 1);
    EXPECT_GT(t2, 0);
    for (std::size_t i = 0; i < square.size(); ++i)
      EXPECT_LT(p.normalized_weight[i] * (square[i] + t2), p.penalty.l2()) << c;
  }
}

}  // namespace outer_loop_options_test
}  // namespace seesaw
