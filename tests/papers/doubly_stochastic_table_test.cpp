// Passes of DSPDC to an absolute gap of 1e-6, without intercept, against the figures of a prototype; where its steps
// diverge; and the claims of Liu, Wang & So about it. `step` multiplies both steps as printed.
//
// The printed steps depend on the largest entry and therefore on the seed of the data: over twelve seeds of the small set
// the first cell takes 2925 to 4510 passes (the table has 4062). Hence five seeds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "data/readers/read.h"
#include "data/synthetic.h"
#include "papers/measure.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "support/problems.h"
#include "verify/verify.h"

namespace seesaw {
namespace doubly_stochastic_table_test {

using test::Passes;
using test::skip_reason;

FitSpec spec_of(const std::string& loss, double lambda, SolverSpec solver, double max_passes) {
  FitSpec spec;
  spec.objective.loss = loss;
  spec.objective.lambda = lambda;
  spec.objective.intercept = Intercept::none;
  spec.solver = std::move(solver);
  spec.criteria.gap = 0;
  spec.criteria.gap_abs = 1e-6;
  spec.criteria.max_passes = max_passes;
  spec.criteria.check_every = max_passes > 1000 ? 5 : 1;
  return spec;
}

// Passes of a run whose result the verifier confirms.
Passes passes_of(const Dataset& data, const FitSpec& spec) {
  const Fit result = fit(data, spec);
  const Verification verdict = verify(data, result.model);
  EXPECT_TRUE(verdict.holds);
  if (result.outcome.termination != Termination::converged) return {};
  EXPECT_LE(verdict.gap, 1.0001e-6);
  return result.outcome.last.passes;
}

// ---- the small set: ridge regression, n = 200, d = 50, lambda = 1e-2 ----

Dataset small_decay(std::uint64_t seed) {
  SynthOptions options;
  options.n = 200;
  options.d = 50;
  options.task = Task::regression;
  options.seed = seed;
  return synthesize("decay", options);
}

FitSpec small_spec(const std::string& step, const std::string& extrapolation) {
  return spec_of("squared", 1e-2, {"dspdc", {{"step", step}, {"extrapolation", extrapolation}}, 1}, 6000);
}

TEST(DspdcTable, of_the_small_set_agrees) {
  struct Cell {
    std::string step, extrapolation;
    double figure;
  };
  for (const Cell& cell :
       {Cell{"1", "plain", 4062}, {"1", "unbiased", 4062}, {"16", "unbiased", 293}, {"32", "plain", 167}}) {
    std::vector<Passes> found;
    std::string text;
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
      found.push_back(passes_of(small_decay(seed), small_spec(cell.step, cell.extrapolation)));
      text += " " + test::in_words(found.back());
    }
    fmt::print("step {} {}: passes{}, table {}\n", cell.step, cell.extrapolation, text, cell.figure);
    EXPECT_TRUE(test::agree(found, cell.figure)) << cell.step << " " << cell.extrapolation << ":" << text;
  }
}

// The run reports this and returns the best point so far.
TEST(Dspdc, diverges_with_longer_steps_on_the_small_set) {
  for (const auto& [step, extrapolation] :
       std::vector<std::pair<std::string, std::string>>{{"32", "unbiased"}, {"64", "plain"}, {"64", "unbiased"}})
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Dataset data = small_decay(seed);
      const Fit failed = fit(data, small_spec(step, extrapolation));
      EXPECT_EQ(failed.outcome.termination, Termination::diverged) << step << " " << extrapolation << " " << seed;
      EXPECT_LE(failed.outcome.last.passes, 200) << step << " " << extrapolation;
      EXPECT_TRUE(std::isfinite(failed.outcome.certificate.gap));
      EXPECT_TRUE(verify(data, failed.model).holds);
    }
}

TEST(Dspdc, with_the_printed_steps_takes_a_hundred_times_the_passes_of_spdc) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Dataset data = small_decay(seed);
    const double spdc = passes_of(data, spec_of("squared", 1e-2, {"spdc", {{"draw", "iid"}}, 1}, 400)).value();
    EXPECT_NEAR(spdc, 41, 0.2 * 41) << seed;
    const double ratio = passes_of(data, small_spec("1", "plain")).value() / spdc;
    EXPECT_GE(ratio, 60) << seed;
    EXPECT_LE(ratio, 120) << seed;
  }
}

// Why the default is 1.5: for entries of equal size the bound on the steps is tight up to a factor of 2.
TEST(Dspdc, default_step_is_safe_for_entries_of_equal_size_and_twice_it_is_not) {
  Rng rng(5);
  for (const std::size_t d : {1, 5}) {
    test::Matrix matrix(100, std::vector<double>(d));
    for (auto& row : matrix)
      for (double& value : row) value = d == 1 || rng.uniform() < 0.5 ? 1 : -1;
    Dataset data = test::table(matrix);
    data.labels = test::random_labels(matrix, Target::number, 5);
    FitSpec spec = spec_of("squared", 1e-3, {"dspdc", {}, 1}, 20000);
    EXPECT_TRUE(passes_of(data, spec).has_value()) << d;
    spec.solver.options = {{"step", "3"}};
    EXPECT_EQ(fit(data, spec).outcome.termination, Termination::diverged) << d;
  }
}

// ---- a2a: smooth hinge, lambda = 1e-2, the best of the steps 1, 2, 4, 8, 16 ----

struct Variant {
  std::string sampling, extrapolation;
  double figure;
};
const std::vector<Variant> variants = {{"uniform", "unbiased", 851},  {"norms", "unbiased", 1093},
                                       {"adaptive", "unbiased", 910}, {"uniform", "plain", 504},
                                       {"norms", "plain", 660},       {"adaptive", "plain", 532}};

Passes best_of(const Dataset& data, const Variant& variant, std::uint64_t seed, const std::vector<std::string>& steps) {
  Passes best;
  for (const std::string& step : steps) {
    // delta reaches its end with the last pass, as in the paper.
    OptionValues options = {{"sampling", variant.sampling}, {"extrapolation", variant.extrapolation}, {"step", step}};
    if (options["sampling"] != "uniform") options["ramp"] = "4000";
    const Passes passes = passes_of(data, spec_of("smooth-hinge", 1e-2, {"dspdc", options, seed}, 4000));
    if (passes && (!best || *passes < *best)) best = passes;
  }
  return best;
}

// The steps that are best in the whole table.
TEST(DspdcTable, of_a2a_agrees_in_a_sample) {
  if (const std::string why = skip_reason("a2a"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(test::path_of("a2a").string());
  for (const Variant& variant : variants) {
    const Passes found = best_of(data, variant, 1, {variant.extrapolation == "plain" ? "8" : "4"});
    EXPECT_TRUE(test::agree({found}, variant.figure))
        << variant.sampling << " " << variant.extrapolation << ": " << test::in_words(found);
  }
}

// "DSPDC-AIS converges much faster": it does not, and all of them take far more passes than SPDC's 19.
TEST(WholeDspdcTable, of_a2a_agrees_and_adaptive_sampling_is_not_faster) {
  if (const std::string why = skip_reason("a2a"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(test::path_of("a2a").string());
  std::map<std::string, double> mean;  // over the seeds
  for (const Variant& variant : variants) {
    std::vector<Passes> found(3);
    test::side_by_side(3, [&](std::size_t k) { found[k] = best_of(data, variant, k + 1, {"1", "2", "4", "8", "16"}); });
    std::string text;
    for (const Passes& passes : found) {
      text += " " + test::in_words(passes);
      mean[variant.sampling + " " + variant.extrapolation] += passes.value_or(infinity) / 3;
    }
    fmt::print("{} {}: passes{}, table {}\n", variant.sampling, variant.extrapolation, text, variant.figure);
    std::fflush(stdout);
    EXPECT_TRUE(test::agree(found, variant.figure)) << variant.sampling << " " << variant.extrapolation << text;
  }
  for (const std::string extrapolation : {" plain", " unbiased"}) {
    EXPECT_GE(mean["adaptive" + extrapolation], 0.9 * mean["uniform" + extrapolation]);
    EXPECT_GE(mean["norms" + extrapolation], 1.1 * mean["uniform" + extrapolation]);
  }
  const double spdc = passes_of(data, spec_of("smooth-hinge", 1e-2, {"spdc", {{"draw", "iid"}}, 1}, 400)).value();
  for (const auto& [name, passes] : mean) {
    EXPECT_GE(passes, 20 * spdc) << name;
    EXPECT_LE(passes, 100 * spdc) << name;
  }
}

}  // namespace doubly_stochastic_table_test
}  // namespace seesaw
