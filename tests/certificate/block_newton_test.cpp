// Newton's method for softmax against other methods, against the logistic loss with two classes, and on hard data.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "run/fit.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/expectations.h"
#include "support/multiclass.h"
#include "support/problems.h"

namespace seesaw {
namespace block_newton_test {

using test::verification_problems;

FitSpec newton_spec(double lambda, Intercept intercept, double gap = 1e-9) {
  FitSpec spec = test::spec_of("softmax", lambda, 0, intercept, 0);
  spec.solver.name = "newton";
  spec.criteria.gap = gap;
  spec.criteria.max_passes = 3000;
  return spec;
}

TEST(BlockNewton, finds_the_optimum_of_dual_ascent) {
  for (const std::size_t classes : {2, 3, 4, 5})
    for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free})
      for (const bool weighted : {false, true}) {
        Dataset data = test::random_classes(80, 6, classes, 3);
        if (weighted) test::add_weights(data);
        const FitSpec spec = newton_spec(0.02, intercept);
        FitSpec other = spec;
        other.solver.name = "sdca";
        other.criteria.max_passes = 1e5;
        const Fit newton = fit(data, spec), ascent = fit(data, other);
        const std::string what = fmt::format("{} {} {}", classes, name_of(intercept), weighted);
        ASSERT_EQ(newton.outcome.termination, Termination::converged) << what;
        EXPECT_LE(newton.outcome.last.passes, 100) << what;
        EXPECT_EQ(verification_problems(data, newton), "") << what;
        EXPECT_NEAR(newton.outcome.certificate.primal, ascent.outcome.certificate.primal,
                    newton.outcome.certificate.gap + ascent.outcome.certificate.gap)
            << what;
      }
}

TEST(BlockNewton, of_two_classes_is_the_logistic_fit_with_half_the_lambda) {
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    const Dataset data = test::random_classes(70, 5, 2, 8);
    const Fit both = fit(data, newton_spec(0.04, intercept, 1e-12));
    FitSpec spec = test::spec_of("logistic", 0.02, 0, intercept, 1e-13);
    const Fit one = fit(data, spec);
    ASSERT_EQ(both.outcome.termination, Termination::converged);
    EXPECT_NEAR(both.outcome.certificate.primal, one.outcome.certificate.primal, 1e-11);
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_NEAR(both.model.x[2 * j], -one.model.x[j] / 2, 1e-5);
      EXPECT_NEAR(both.model.x[2 * j + 1], one.model.x[j] / 2, 1e-5);
    }
  }
}

TEST(BlockNewton, is_certified_for_every_preconditioner_lambda_and_storage) {
  for (const char* preconditioner : {"auto", "whole", "classes", "diagonal"})
    for (const double C : {0.01, 1.0, 100.0, 10000.0})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const auto storage : test::all_storages) {
          Dataset data = test::random_classes(90, 12, 3, 5, storage);
          FitSpec spec = newton_spec(1 / (C * 90), intercept, 1e-6);
          spec.solver.options = {{"preconditioner", preconditioner}};
          const Fit result = fit(data, spec);
          EXPECT_EQ(result.outcome.termination, Termination::converged) << preconditioner << " C " << C;
          EXPECT_EQ(verification_problems(data, result), "") << preconditioner << " C " << C;
        }
}

// Separable classes, repeated rows and columns, a column of ones, empty rows, a class of one row.
TEST(BlockNewton, solves_degenerate_data) {
  test::Matrix matrix = test::random_matrix(40, 6, 5);
  std::vector<double> labels;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    matrix[i].insert(matrix[i].end(), {matrix[i][0], 1.0, i % 3 == 0 ? 10.0 : 0.0, i % 3 == 1 ? 10.0 : 0.0});
    labels.push_back(double(i % 3));
  }
  matrix.insert(matrix.end(), {matrix[0], matrix[1], std::vector<double>(10), std::vector<double>(10)});
  labels.insert(labels.end(), {labels[0], labels[1], 0, 9});
  Dataset data = test::table(matrix);
  data.labels = labels;
  for (const double C : {0.01, 1.0, 100.0, 10000.0})
    for (const Intercept intercept : {Intercept::none, Intercept::free})
      for (const char* preconditioner : {"whole", "classes", "diagonal"}) {
        FitSpec spec = newton_spec(1 / (C * 44), intercept, 1e-6);
        spec.solver.options = {{"preconditioner", preconditioner}};
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged)
            << preconditioner << " C " << C << " " << name_of(intercept) << " gap "
            << result.outcome.certificate.relative_gap();
        EXPECT_EQ(verification_problems(data, result), "") << C;
      }
}

TEST(BlockNewton, solves_one_row_per_class_and_one_feature) {
  Dataset data = test::table({{1.0}, {-2.0}, {0.5}});
  data.labels = {1, 2, 3};
  for (const double lambda : {1e-3, 1.0, 1e6})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const Fit result = fit(data, newton_spec(lambda, intercept));
      EXPECT_EQ(result.outcome.termination, Termination::converged) << lambda;
      EXPECT_EQ(verification_problems(data, result), "") << lambda;
    }
}

TEST(BlockNewton, is_the_same_for_any_number_of_threads_and_starts_warm) {
  const Dataset data = test::random_classes(6000, 20, 4, 6);
  std::vector<Fit> fits;
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    fits.push_back(fit(data, newton_spec(1e-4, Intercept::free)));
  }
  EXPECT_EQ(fits[0].model.x, fits[1].model.x);
  EXPECT_EQ(fits[0].model.y, fits[1].model.y);
  const FitSpec spec = newton_spec(1e-4, Intercept::free);
  const Problem problem = make_problem(data, spec.objective);
  Start start{.y = fits[0].model.y, .x = fits[0].model.x, .intercept = fits[0].model.intercept};
  for (const bool has_x : {true, false}) {
    if (!has_x) start.x.clear();
    Point point;
    make_solver(problem, spec.solver, start)->read(point);
    EXPECT_LE(Certifier(problem).certify(point).gap,
              has_x ? 1e-7 : 1e-5);  // from y alone the error is divided by lambda
  }
}

// The estimated gap is that of the certificate.
TEST(BlockNewton, estimates_its_gap) {
  const Dataset data = test::random_classes(200, 6, 3, 6);
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    const FitSpec spec = newton_spec(1e-2, intercept);
    const Problem problem = make_problem(data, spec.objective);
    const auto solver = make_solver(problem, spec.solver);
    Point point;
    for (int step = 0; step < 5; ++step) {
      solver->read(point);
      const double gap = Certifier(problem).certify(point).gap;
      if (intercept == Intercept::none) {
        EXPECT_NEAR(*solver->work().estimated_gap, gap, 1e-9 * gap + 1e-15) << step;
      } else {
        EXPECT_LE(gap, 1.01 * *solver->work().estimated_gap + 1e-13) << step;
        EXPECT_GE(gap, 0.3 * *solver->work().estimated_gap - 1e-13) << step;
      }
      solver->epoch();
    }
  }
}

TEST(BlockNewton, refuses_unsupported_problems_and_names_alternatives) {
  const Dataset data = test::random_classes(30, 4, 3, 6);
  for (const auto& [loss, l1] : {std::pair{"multiclass-hinge", 0.0}, {"softmax", 0.01}}) {
    FitSpec spec = newton_spec(0.1, Intercept::none);
    spec.objective.loss = loss;
    spec.objective.l1 = l1;
    const std::string sentence = test::sentence_of<Unsupported>([&] { fit(data, spec); });
    EXPECT_TRUE(test::contains(sentence, "newton needs")) << sentence;
    EXPECT_TRUE(test::contains(sentence, "sdca")) << sentence;
  }
}

}  // namespace block_newton_test
}  // namespace seesaw
