// Newton's method as a whole: ridge regression against the normal equations, all systems and starts at the same optimum,
// degenerate data, and the same bits for any number of threads.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <Eigen/Cholesky>

#include "run/fit.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace newton_systems_test {

FitSpec newton_of(const char* loss, double lambda, Intercept intercept, OptionValues options = {}) {
  FitSpec spec = test::spec_of(recipe_named("newton"), loss_kind(loss), lambda, 0, intercept);
  spec.solver.options = std::move(options);
  return spec;
}

Fit certified(const Dataset& data, const FitSpec& spec, const std::string& what) {
  Fit result = fit(data, spec);
  EXPECT_EQ(result.outcome.termination, Termination::converged) << what << " gap " << result.outcome.certificate.gap;
  const Verification verdict = verify(data, result.model);
  EXPECT_TRUE(verdict.holds) << what << ": " << (verdict.problems.empty() ? "" : verdict.problems[0]);
  return result;
}

// (A^T C A + lambda I) x = A^T C b, with a column of ones for a free intercept.
Eigen::VectorXd normal_equations(const Problem& p) {
  const test::Matrix a = test::matrix_of(*p.data);
  const auto d = Eigen::Index(p.d()), unknowns = d + p.free_intercept();
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(unknowns, unknowns);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(unknowns), row(unknowns);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (Eigen::Index j = 0; j < unknowns; ++j) row[j] = j < d ? a[i][std::size_t(j)] : 1;
    h += p.normalized_weight[i] * row * row.transpose();
    right += p.normalized_weight[i] * p.scalar().target[i] * row;
  }
  h.diagonal().head(d).array() += p.penalty.l2();
  return h.ldlt().solve(right);
}

TEST(Newton, solves_ridge_regression_in_one_step_as_the_normal_equations_do) {
  for (const auto storage : test::all_storages)
    for (const double lambda : {0.0, 1e-6, 0.1, 10.0})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const bool weighted : {false, true}) {
          Dataset data = test::random_data(60, 7, Target::number, 8, storage);
          if (weighted)
            for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 4));
          FitSpec spec = newton_of("squared", lambda, intercept, {{"system", "cholesky"}});
          spec.criteria.gap_abs = 1e-10;
          const Problem problem = make_problem(data, spec.objective);
          const auto solver = make_solver(problem, spec.solver);
          solver->on_check({{.primal = 1e-300}, 1e-10});
          solver->epoch();
          Point point;
          solver->read(point);
          const Eigen::VectorXd exact = normal_equations(problem);
          for (std::size_t j = 0; j < data.d(); ++j)
            EXPECT_NEAR(point.x[j], exact[Eigen::Index(j)], 1e-9) << lambda << " " << name_of(intercept);
          EXPECT_NEAR(point.intercept[0], intercept == Intercept::free ? exact[7] : 0.0, 1e-9);
          ASSERT_TRUE(solver->work().estimated_gap.has_value());
          EXPECT_LE(*solver->work().estimated_gap, 1e-10);
          certified(data, spec, fmt::format("ridge lambda {}", lambda));
        }
}

TEST(Newton, finds_the_same_optimum_by_every_system_and_start_and_so_does_sdca) {
  for (const char* loss : {"logistic", "squared-hinge", "smooth-hinge", "huber", "squared-epsilon-insensitive"})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const Dataset data = test::random_data(7000, 6, loss_kind(loss).target, 12);
      FitSpec other = newton_of(loss, 1e-3, intercept);
      other.solver = {"sdca", {}, 1};
      const double optimum = certified(data, other, "sdca").outcome.certificate.primal;
      for (const char* system : {"auto", "cholesky", "sampled", "diagonal", "block"})
        for (const char* start : {"auto", "plain", "sampled"}) {
          const std::string what = fmt::format("{} {} {} {}", loss, name_of(intercept), system, start);
          const FitSpec spec = newton_of(loss, 1e-3, intercept, {{"system", system}, {"start", start}});
          const Fit result = certified(data, spec, what);
          EXPECT_NEAR(result.outcome.certificate.primal, optimum, 2e-8) << what;
          EXPECT_LE(result.outcome.last.passes, 150) << what;
        }
    }
}

// The estimated gap is the certified gap.
TEST(Newton, estimates_its_gap) {
  for (const char* loss : {"logistic", "squared-hinge", "huber"})
    for (const bool weighted : {false, true}) {
      Dataset data = test::random_data(300, 5, loss_kind(loss).target, 2);
      if (weighted)
        for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 4));
      const FitSpec spec = newton_of(loss, 1e-2, Intercept::none);
      const Problem problem = make_problem(data, spec.objective);
      const auto solver = make_solver(problem, spec.solver);
      solver->on_check({{.primal = 1e-300}, 0});  // an absolute target of 0
      for (int step = 0; step < 3; ++step) {
        solver->epoch();
        Point point;
        solver->read(point);
        const double gap = Certifier(problem).certify(point).gap;
        EXPECT_NEAR(*solver->work().estimated_gap, gap, 1e-6 * gap + 1e-15) << loss << " step " << step;
      }
    }
}

// The free intercept is optimized for x before the gap is estimated, so that y needs no balancing.
TEST(Newton, optimizes_the_intercept_before_it_estimates_its_gap) {
  const Dataset data = test::random_data(300, 5, Target::sign, 2);
  const FitSpec spec = newton_of("logistic", 1e-2, Intercept::free);
  const Problem problem = make_problem(data, spec.objective);
  const auto solver = make_solver(problem, spec.solver);
  const double target = 1e-3;
  solver->on_check({{.primal = 1e-300}, target});
  int steps = 0;
  do solver->epoch();
  while (++steps < 20 && *solver->work().estimated_gap > target);
  Point point;
  solver->read(point);
  double sum = 0;
  for (std::size_t i = 0; i < data.n(); ++i) sum += problem.normalized_weight[i] * point.y[i];
  EXPECT_NEAR(sum, 0, 1e-14);
  EXPECT_NEAR(*solver->work().estimated_gap, Certifier(problem).certify(point).gap, 1e-12);
}

TEST(Newton, is_certified_for_any_C_on_degenerate_data) {
  struct Case {
    std::string name;
    test::Matrix matrix;
    std::vector<double> labels;
  };
  std::vector<Case> cases;
  const test::Matrix plain = test::random_matrix(80, 4, 21);
  const std::vector<double> labels = test::random_labels(plain, Target::sign, 21);
  test::Matrix twice = plain, constant = plain;
  for (auto& row : twice) row.insert(row.end(), row.begin(), row.begin() + 2);
  for (auto& row : constant) row.insert(row.end(), {1.0, 3.0, 0.0});
  cases.push_back({"columns twice", twice, labels});
  cases.push_back({"constant and empty columns", constant, labels});
  std::vector<double> separable;
  for (const auto& row : plain) separable.push_back(row[0] + row[1] > 0 ? 5 : 2);
  cases.push_back({"separable", plain, separable});
  test::Matrix repeated(80, plain[1]);
  cases.push_back({"the same row with both labels", repeated, labels});
  cases.push_back({"one row", {{1.0, -2.0}, {0.0, 0.0}}, {2, 5}});
  cases.push_back({"one column", test::random_matrix(50, 1, 3),
                   test::random_labels(test::random_matrix(50, 1, 3), Target::sign, 3)});
  cases.push_back({"empty rows", {{0, 0}, {1, 0.5}, {0, 0}, {0, 0}, {-1, 2}}, {2, 5, 5, 2, 2}});
  for (const Case& c : cases)
    for (const char* loss : {"logistic", "squared-hinge", "smooth-hinge"})
      for (const double C : {0.01, 1.0, 100.0, 10000.0})
        for (const Intercept intercept : {Intercept::none, Intercept::free})
          for (const char* system : {"cholesky", "sampled", "diagonal", "block"}) {
            Dataset data = test::table(c.matrix);
            data.labels = c.labels;
            FitSpec spec = newton_of(loss, 1 / (C * double(data.n())), intercept, {{"system", system}});
            spec.criteria.gap_abs = 0;
            spec.criteria.gap = 1e-6;
            spec.criteria.max_passes = 3000;
            certified(data, spec, fmt::format("{} {} C {} {} {}", c.name, loss, C, name_of(intercept), system));
          }
}

TEST(Newton, gives_the_same_bits_for_any_number_of_threads) {
  for (const char* system : {"cholesky", "sampled", "diagonal", "block"})
    for (const auto storage : {test::Storage::sparse, test::Storage::dense}) {
      const Dataset data = test::random_data(20000, 8, Target::sign, 6, storage);
      std::vector<Fit> fits;
      for (const std::size_t threads : {1, 2}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        fits.push_back(fit(data, newton_of("logistic", 1e-4, Intercept::free, {{"system", system}})));
      }
      EXPECT_EQ(fits[0].model.x, fits[1].model.x) << system;
      EXPECT_EQ(fits[0].model.y, fits[1].model.y) << system;
      EXPECT_EQ(fits[0].outcome.last.passes, fits[1].outcome.last.passes) << system;
    }
}

TEST(Newton, refuses_unsupported_problems_and_names_alternatives) {
  const auto refusal = [](const Dataset& data, const char* loss, double lambda, double l1) -> std::string {
    FitSpec spec = newton_of(loss, lambda, Intercept::none);
    spec.objective.l1 = l1;
    try {
      fit(data, spec);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Dataset data = test::random_data(30, 4, Target::sign, 6);
  EXPECT_NE(refusal(data, "hinge", 0.1, 0).find("newton needs a smooth loss"), std::string::npos);
  EXPECT_NE(refusal(data, "logistic", 0.1, 0.1).find("newton needs a penalty without l1"), std::string::npos);
  EXPECT_NE(refusal(data, "logistic", 0.1, 0.1).find("choose `solver`"), std::string::npos);
  Dataset wide = test::random_data(5, 9, Target::sign, 6);
  wide.labels = {1, 2, 1, 2, 2};
  EXPECT_NE(refusal(wide, "logistic", 0, 0).find("fewer rows than unknowns"), std::string::npos);
}

}  // namespace newton_systems_test
}  // namespace seesaw
