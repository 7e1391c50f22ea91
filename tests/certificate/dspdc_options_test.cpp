// DSPDC's options: the same optimum with each, and bad ones refused.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace dspdc_options_test {

using test::spec_of;

TEST(Dspdc, solves_and_verifies_with_every_sampling_and_extrapolation) {
  for (const char* loss : {"squared", "smooth-hinge", "logistic", "hinge"})
    for (const char* sampling : {"uniform", "norms", "adaptive"})
      for (const char* extrapolation : {"plain", "unbiased"})
        for (const Intercept intercept : {Intercept::none, Intercept::free})
          for (const double l1 : {0.0, 0.02}) {
            Dataset data = test::random_data(40, 5, loss_kind(loss).target, 31);
            for (std::size_t i = 0; i < 40; ++i) data.weights.push_back(0.5 + double(i % 3));
            FitSpec spec = spec_of(recipe_named("dspdc"), loss_kind(loss), 0.05, l1, intercept);
            spec.solver.options = {{"sampling", sampling}, {"extrapolation", extrapolation}};
            const std::string what =
                fmt::format("{} {} {} intercept {} l1 {}", loss, sampling, extrapolation, name_of(intercept), l1);
            const Fit result = fit(data, spec);
            EXPECT_EQ(result.outcome.termination, Termination::converged)
                << what << " gap " << result.outcome.certificate.gap;
            const Verification verdict = verify(data, result.model);
            EXPECT_TRUE(verdict.holds) << what;
            EXPECT_LE(verdict.gap, spec.criteria.gap_abs * 1.0001) << what;
          }
}

// The step of the intercept has its own bound: it must neither diverge nor be too slow.
TEST(Dspdc, finds_the_free_intercept_for_any_lambda_unit_and_number_of_columns) {
  for (const char* loss : {"squared", "huber", "logistic"})
    for (const std::size_t columns : {1, 5})
      for (const double unit : {1e-3, 1.0, 1e3})
        for (const double strength : {1.0, 1e2, 1e6}) {
          test::Matrix matrix = test::random_matrix(60, columns, 5);
          const std::vector<double> labels = test::random_labels(matrix, loss_kind(loss).target, 5);
          for (auto& row : matrix)
            for (double& value : row) value *= unit;
          Dataset data = test::table(matrix);
          data.labels = labels;
          const double lambda = strength * unit * unit;
          FitSpec spec = spec_of(recipe_named("dspdc"), loss_kind(loss), lambda, 0, Intercept::free);
          spec.criteria.gap = 1e-6;
          spec.criteria.gap_abs = 0;
          const Fit result = fit(data, spec);
          EXPECT_EQ(result.outcome.termination, Termination::converged)
              << loss << " columns " << columns << " unit " << unit << " strength " << strength;
          EXPECT_LE(result.outcome.last.passes, 2000) << loss << " columns " << columns << " strength " << strength;
        }
}

TEST(Dspdc, gives_the_same_bits_for_the_same_seed_and_others_for_another) {
  const Dataset data = test::random_data(500, 8, Target::sign, 6);
  for (const char* sampling : {"uniform", "norms", "adaptive"}) {
    FitSpec spec = spec_of(recipe_named("dspdc"), loss_kind("logistic"), 1e-2, 0, Intercept::free);
    spec.solver.options = {{"sampling", sampling}};
    spec.criteria.max_passes = 50;
    std::vector<Fit> fits;
    for (const std::size_t threads : {1, 2}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      fits.push_back(fit(data, spec));
    }
    EXPECT_EQ(fits[0].model.x, fits[1].model.x) << sampling;
    EXPECT_EQ(fits[0].model.y, fits[1].model.y) << sampling;
    spec.solver.seed = 2;
    EXPECT_NE(fit(data, spec).model.x, fits[0].model.x) << sampling;
  }
}

TEST(Dspdc, refuses_bad_parameters) {
  const Dataset data = test::random_data(40, 5, Target::sign, 31);
  for (const auto& [name, value, sentence] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"step", "0", "a number above 0"},
           {"step", "-1.5", "a number above 0"},
           {"step", "nan", "a number above 0"},
           {"delta", "1", "a number in [0, 1)"},
           {"delta", "-0.1", "a number in [0, 1)"},
           {"kappa", "-1", "a number of at least 0"},
           {"ramp", "-1", "a number in [0, 1e9]"},
           {"ramp", "1e10", "a number in [0, 1e9]"},
           {"sampling", "nonzeros", "choose one of uniform, norms, adaptive"},
           {"extrapolation", "biased", "choose one of plain, unbiased"},
           {"batch", "2", "the method dspdc does not have this option"}}) {
    FitSpec spec = spec_of(recipe_named("dspdc"), loss_kind("logistic"), 0.05, 0, Intercept::none);
    spec.solver.options = {{name, value}};
    EXPECT_TRUE(test::contains(test::sentence_of<InvalidOption>([&] { fit(data, spec); }), sentence)) << name << value;
  }
}

TEST(Dspdc, refuses_options_that_its_sampling_would_ignore) {
  const Dataset data = test::random_data(40, 5, Target::sign, 31);
  FitSpec spec = spec_of(recipe_named("dspdc"), loss_kind("logistic"), 0.05, 0, Intercept::none);
  for (const auto& [name, value] : OptionValues{{"delta", "0.5"}, {"ramp", "3"}, {"kappa", "1"}, {"clip", "off"}})
    for (const std::string sampling : {"uniform", "norms", "adaptive"}) {
      spec.solver.options = {{"sampling", sampling}, {name, value}};
      const bool of_norms = name == "delta" || name == "ramp";
      const bool ignored = sampling == "uniform" || (sampling == "norms" && !of_norms);
      const std::string what = fmt::format("{} {}", name, sampling);
      if (ignored) EXPECT_THROW(fit(data, spec), InvalidOption) << what;
      else EXPECT_NO_THROW(fit(data, spec)) << what;
    }
}

}  // namespace dspdc_options_test
}  // namespace seesaw
