// The claims of Liang et al. about ASPDC and ASPDC-i, which of them hold, and the limit of derivative steps. All of them
// on a9a, a sample on generated data, all with unit rows.
#include <fmt/format.h>

#include "data/synthetic.h"
#include "papers/unit_rows.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "solvers/engines/dual_ascent.h"
#include "support/expectations.h"

namespace seesaw {
namespace outer_loop_claims_test {

using test::agree;
using test::passes_to;
using test::real_set;
using test::skip_reason;
using test::unit_row_spec;

// Derivative steps without the recipe, which refuses c <= 1; draws iid.
struct DerivativeSteps {
  Dataset prepared;
  Problem problem;

  DerivativeSteps(const Dataset& data, const std::string& loss, double c)
      : prepared(apply(fit_transform(data, Scaling::rows, true), data)), problem(make(prepared, loss, c)) {}

  Outcome run_to(double gap_abs, double limit, std::uint64_t seed = 1) const {
    const auto solver = make_dual_ascent(
        problem, {.draw = Draw::iid, .shrink = false, .extrapolate = false, .step = RowStep::derivative, .seed = seed},
        {});
    return run(*solver, problem, {.gap = 0, .gap_abs = gap_abs, .max_passes = limit, .check_every = 1});
  }

 private:
  static Problem make(const Dataset& data, const std::string& loss, double c) {
    Objective objective;
    objective.loss = loss;
    objective.lambda = c / static_cast<double>(data.n());  // R = 1, and gamma = 1 for both losses here
    objective.intercept = Intercept::none;                 // its feature is contained in the rows
    return make_problem(data, objective);
  }
};

Dataset generated(Task task) {
  SynthOptions options;
  options.n = 2000;
  options.d = 40;
  options.task = task;
  return synthesize("factors", options);
}

// The paper requires c >= 4. Over-relaxation by 1 + 1/c converges for c > 1 and not below.
void expect_the_limit_to_be_one(const Dataset& data) {
  for (const double c : {4.0, 2.0, 1.2})
    EXPECT_EQ(DerivativeSteps(data, "squared", c).run_to(1e-9, 200).termination, Termination::converged) << c;

  const Outcome at_limit = DerivativeSteps(data, "squared", 1).run_to(1e-9, 60);
  EXPECT_EQ(at_limit.termination, Termination::pass_limit);
  for (const TraceRow& row : at_limit.trace) EXPECT_NEAR(row.latest_dual, 0, 1e-9);  // the factor is 2: a reflection

  const Outcome below = DerivativeSteps(data, "squared", 0.9).run_to(1e-9, 1000);
  EXPECT_EQ(below.termination, Termination::diverged);
  // The result is the best point. Its P is rounded up, that of the trace is not.
  EXPECT_LE(below.certificate.primal, below.trace[0].primal * (1 + 1e-14));
}

TEST(DerivativeSteps, converge_for_c_above_1_and_not_below) { expect_the_limit_to_be_one(generated(Task::regression)); }

TEST(WholeDerivativeSteps, take_the_passes_measured_on_a9a) {
  if (const std::string why = skip_reason("a9a"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = real_set("a9a");
  expect_the_limit_to_be_one(data);
  EXPECT_GT(DerivativeSteps(data, "squared", 0.9).run_to(1e-9, 100).trace.back().latest_primal, 1e4);
  const auto passes = [&](const char* loss, double c, double gap) {
    const Outcome outcome = DerivativeSteps(data, loss, c).run_to(gap, 200);
    return std::vector{outcome.termination == Termination::converged ? test::Passes(outcome.last.passes)
                                                                     : test::Passes()};
  };
  EXPECT_TRUE(agree(passes("squared", 2, 1e-9), 29));
  EXPECT_TRUE(agree(passes("squared", 1.2, 1e-9), 69));
  EXPECT_TRUE(agree(passes("smooth-hinge", 4, 1e-6), 14));
  EXPECT_TRUE(agree(passes("smooth-hinge", 2, 1e-6), 18));
  EXPECT_TRUE(agree(passes("smooth-hinge", 1, 1e-4), 80));
  // The box keeps it bounded without convergence. The smallest gap is random: 0.071 to 0.079 for these seeds, and it was
  // 0.09 in the prototype, with one seed.
  std::vector<double> smallest;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    smallest.push_back(std::numeric_limits<double>::infinity());
    for (const TraceRow& row : DerivativeSteps(data, "smooth-hinge", 0.5).run_to(1e-6, 200, seed).trace)
      smallest.back() = std::min(smallest.back(), row.latest_primal - row.latest_dual);
  }
  std::nth_element(smallest.begin(), smallest.begin() + 2, smallest.end());
  EXPECT_GT(smallest[2], 0.8 * 9e-2);
}

// lambda = 4/n is right for unit rows only: unscaled a9a has R^2 = 15 with the feature of 1.
TEST(Aspdc, is_refused_on_unscaled_a9a_with_a_reason) {
  if (const std::string why = skip_reason("a9a"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = real_set("a9a");
  FitSpec spec = unit_row_spec("smooth-hinge", 4.0 / 32561, {"aspdc", {{"draw", "iid"}}, 1}, 100, 1);
  spec.scaling = Scaling::none;
  const std::string sentence = test::sentence_of<Unsupported>([&] { fit(data, spec); });
  EXPECT_TRUE(test::contains(sentence, "aspdc needs c = lambda n gamma/R^2 > 1, and here c = 0.267")) << sentence;
  EXPECT_TRUE(test::contains(sentence, "aspdc-i")) << sentence;
  EXPECT_TRUE(test::contains(sentence, "choose `solver` sdca")) << sentence;
  spec.objective.lambda = 4.0 * 15 / 32561;
  EXPECT_TRUE(agree({passes_to(data, spec, {1e-6})[0]}, 14));
}

// ---- claims ----

struct Found {
  test::Passes to_1e4, to_1e6;
};

Found passes_of(const Dataset& data, const char* solver, double lambda) {
  const double check_every = solver == std::string("asdca") || solver == std::string("aspdc-i") ? 2 : 1;
  const auto passes = passes_to(
      data, unit_row_spec("smooth-hinge", lambda, {solver, {{"draw", "iid"}}, 1}, 600, check_every), {1e-4, 1e-6});
  return {passes[0], passes[1]};
}

// Holds: ASPDC is as good as SDCA for large lambda. Does not: that it is two orders of magnitude below SPDC there.
void expect_equal_passes_at_large_lambda(const Dataset& data, double lambda) {
  const Found aspdc = passes_of(data, "aspdc", lambda), sdca = passes_of(data, "sdca", lambda),
              spdc = passes_of(data, "spdc", lambda);
  EXPECT_NEAR(aspdc.to_1e6.value(), sdca.to_1e6.value(), 2);
  EXPECT_NEAR(aspdc.to_1e6.value(), spdc.to_1e6.value(), 3);
}

// Holds: at small lambda ASPDC-i reaches 1e-4 before SDCA and SPDC.
void expect_aspdc_i_before_sdca_and_spdc(const Dataset& data, double lambda) {
  const double aspdc_i = passes_of(data, "aspdc-i", lambda).to_1e4.value();
  EXPECT_LT(aspdc_i, passes_of(data, "sdca", lambda).to_1e4.value_or(600));
  EXPECT_LT(aspdc_i, passes_of(data, "spdc", lambda).to_1e4.value_or(600));
}

TEST(Claims, of_aspdc_hold_or_not_on_generated_data) {
  const Dataset factors = generated(Task::classification);
  expect_equal_passes_at_large_lambda(factors, 1e-2);
  expect_aspdc_i_before_sdca_and_spdc(factors, 1e-6);
  SynthOptions options;
  options.n = 2000;
  options.d = 60;
  const Dataset decay = synthesize("decay", options);  // columns of decreasing size: the data adds little curvature
  // Not so: "far fewer epochs than ASDCA".
  EXPECT_GT(passes_of(decay, "aspdc-i", 1e-6).to_1e6.value(), 1.5 * passes_of(decay, "asdca", 1e-6).to_1e6.value());
  // CatR: 30 passes at a lambda where SPDC has not converged after 600.
  EXPECT_LE(passes_of(factors, "catr", 1e-8).to_1e6.value(), 45);
  EXPECT_FALSE(passes_of(factors, "spdc", 1e-8).to_1e6.has_value());
}

TEST(WholeClaims, of_aspdc_hold_or_not_on_a9a_and_ijcnn1) {
  for (const char* file : {"a9a", "ijcnn1"}) {
    if (const std::string why = skip_reason(file); !why.empty()) GTEST_SKIP() << why;
    const Dataset data = real_set(file);
    expect_equal_passes_at_large_lambda(data, 1e-2);
    expect_aspdc_i_before_sdca_and_spdc(data, 1e-8);
    const double ratio =
        passes_of(data, "aspdc-i", 1e-6).to_1e6.value() / passes_of(data, "asdca", 1e-6).to_1e6.value();
    fmt::print("{}: ASPDC-i takes {:.2f} of the passes of ASDCA to 1e-6 at lambda 1e-6\n", file, ratio);
    if (file == std::string("a9a")) EXPECT_GT(ratio, 2) << "and not far fewer epochs, as claimed";
    else EXPECT_GT(ratio, 0.6) << "slightly fewer epochs here";
  }
}

// Algorithm 2 as printed, with its precision schedule, against Algorithm 3: as printed it takes fewer passes here (86
// against 163 at 1e-6), but computes a gap after every pass.
TEST(WholeSchedules, of_aspdc_i_both_reach_the_optimum) {
  if (const std::string why = skip_reason("a9a"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = real_set("a9a");
  for (const double lambda : {1e-4, 1e-5, 1e-6}) {
    std::vector<double> passes;
    for (const char* schedule : {"precision", "fixed"}) {
      const OptionValues options = {{"draw", "iid"}, {"schedule", schedule}};
      passes.push_back(
          passes_to(data, unit_row_spec("smooth-hinge", lambda, {"aspdc-i", options, 1}, 600, 1), {1e-6})[0].value());
    }
    fmt::print("lambda {}: {} passes by precision, {} by a fixed number\n", lambda, passes[0], passes[1]);
    EXPECT_LE(passes[0], passes[1]);
  }
}

}  // namespace outer_loop_claims_test
}  // namespace seesaw
