// Losses of groups of rows: fits against closed forms, the losses of single rows and a slow reference; the certificate
// against 113-bit arithmetic; the verifier against forged models.
#include "run/fit_groups.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "base/rng.h"
#include "model/groups/group_certificate.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/group_cases.h"
#include "verify/verify_groups.h"

namespace seesaw {
namespace fit_groups_test {

using test::contains;
using test::GroupCase;
using test::Quad;
using test::random_groups;
using test::sentence_of;
using test::slow_minimum;
using test::Storage;

TEST(FitGroups, the_interval_contains_the_optimum_of_a_slow_reference_by_every_method) {
  for (const bool hinge : {false, true})
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      for (const double l1 : {0.0, 0.05}) {
        GroupCase of = random_groups(9, 2, 4, hinge, seed);
        of.l1 = l1;
        std::vector<double> x(2);
        const double optimum = slow_minimum(of, x, 0);
        for (const char* method : test::group_methods) {
          const Fit fit = fit_groups(of.data(), of.groups, of.spec(method, 1e-5));
          const Certificate& c = fit.outcome.certificate;
          EXPECT_EQ(fit.outcome.termination, Termination::converged) << method << " " << hinge << " " << seed;
          EXPECT_LE(c.gap, 1e-5);
          EXPECT_LE(c.dual, optimum + 1e-10) << method;
          EXPECT_GE(c.primal, optimum - 1e-10) << method;
          EXPECT_TRUE(verify_groups(of.data(), of.groups, fit.model).holds) << method;
        }
      }
}

TEST(FitGroups, groups_of_one_row_are_the_absolute_and_the_hinge_loss) {
  for (const bool hinge : {false, true}) {
    GroupCase of = random_groups(30, 5, 30, hinge, 4);
    FitSpec scalar = of.spec("sdca", 1e-7);
    scalar.objective.loss = hinge ? "hinge" : "absolute";
    scalar.solver.name = "auto";
    const Certificate expected = fit(of.data(), scalar).outcome.certificate;
    for (const char* method : test::group_methods) {
      const Certificate c = fit_groups(of.data(), of.groups, of.spec(method, 1e-5)).outcome.certificate;
      EXPECT_LE(c.dual, expected.primal) << method;
      EXPECT_GE(c.primal, expected.dual) << method;
      EXPECT_LE(c.gap, 1e-5) << method;
    }
    // Dual ascent of one row takes the exact step of the program's own method.
    EXPECT_LE(fit_groups(of.data(), of.groups, of.spec("sdca", 1e-9)).outcome.certificate.gap, 1e-9);
  }
}

// min |A x - b| + (lambda/2)|x|^2: x = (A^T A + lambda r I)^-1 A^T b with r = |A x - b|, found by bisection.
TEST(FitGroups, one_group_of_all_rows_is_the_closed_form) {
  const GroupCase of = random_groups(20, 4, 1, false, 5);
  Eigen::MatrixXd A(20, 4);
  Eigen::VectorXd b(20);
  for (Eigen::Index i = 0; i < 20; ++i) {
    b[i] = of.b[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < 4; ++j) A(i, j) = of.A[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  const auto solution = [&](double r) -> Eigen::VectorXd {
    return (A.transpose() * A + of.lambda * r * Eigen::MatrixXd::Identity(4, 4)).ldlt().solve(A.transpose() * b);
  };
  double low = 0, high = b.norm();
  for (int round = 0; round < 200; ++round) {
    const double r = 0.5 * (low + high);
    ((A * solution(r) - b).norm() > r ? low : high) = r;
  }
  const Eigen::VectorXd x = solution(low);
  for (const char* method : {"auto", "sdca", "spdc", "adaspdc", "spdhg", "bpd"}) {
    const Fit fit = fit_groups(of.data(), of.groups, of.spec(method, 1e-9));
    EXPECT_EQ(fit.outcome.termination, Termination::converged) << method;
    double distance = 0;
    for (Eigen::Index j = 0; j < 4; ++j) distance += std::pow(fit.model.x[static_cast<std::size_t>(j)] - x[j], 2);
    EXPECT_LE(std::sqrt(distance), fit.outcome.certificate.distance_bound.value() + 1e-9) << method;
    EXPECT_NEAR(fit.outcome.certificate.primal, (A * x - b).norm() + 0.5 * of.lambda * x.squaredNorm(), 2e-9);
  }
}

// The steps depend on the spectral norms of the groups, also of those with many rows: 65 rows took 5 times the passes of 64.
TEST(FitGroups, passes_do_not_jump_with_the_size_of_the_groups) {
  const auto passes = [](const char* method, std::size_t rows) {
    constexpr std::size_t groups = 20, d = 20;
    GroupCase of{.A = {}, .b = {}, .groups = {groups, {}}, .lambda = 0.5};
    Rng rng(21);
    std::vector<double> w;
    for (std::size_t j = 0; j < d; ++j) w.push_back(rng.normal());
    for (std::size_t i = 0; i < groups * rows; ++i) {
      std::vector<double> a;
      double z = 0;
      for (std::size_t j = 0; j < d; ++j) {
        a.push_back(rng.normal() / std::sqrt(20.0));
        z += 3 * a[j] * w[j];
      }
      of.A.push_back(a);
      of.b.push_back(z + 0.3 * rng.normal());
      of.groups.of_row.push_back(static_cast<std::uint32_t>(i % groups));
    }
    const Fit fit = fit_groups(of.data(), of.groups, of.spec(method, 1e-4));
    EXPECT_EQ(fit.outcome.termination, Termination::converged) << method;
    return fit.outcome.last.passes;
  };
  for (const char* method : {"sdca", "spdc", "adaspdc", "spdhg"})
    EXPECT_LE(passes(method, 65), 1.5 * passes(method, 64)) << method;
}

// One feature, b_i a_i = c_i > 0 in one group: min max(0, 1 - c x) + (lambda/2) x^2 with the smallest c: x = min(1/c, c/lambda).
TEST(FitGroups, largest_hinge_of_one_feature_is_the_closed_form) {
  for (const double lambda : {0.1, 4.0}) {
    GroupCase of{.A = {{2}, {-1.5}, {-3}}, .b = {1, -1, -1}, .groups = {1, {0, 0, 0}}, .hinge = true, .lambda = lambda};
    const double x = std::min(1 / 1.5, 1.5 / lambda);
    const Fit fit = fit_groups(of.data(), of.groups, of.spec("sdca", 1e-12));
    EXPECT_NEAR(fit.model.x[0], x, 1e-5);
    EXPECT_NEAR(fit.outcome.certificate.primal, std::max(0.0, 1 - 1.5 * x) + lambda / 2 * x * x, 1e-11);
  }
}

// Random points, also of very different sizes: P from above within rounding, D at most the P of any point.
TEST(FitGroups, certificate_bounds_primal_and_dual_in_quadruple_precision) {
  for (const bool hinge : {false, true})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      GroupCase of = random_groups(12, 3, 4, hinge, seed);
      Rng rng(seed);
      for (auto& row : of.A) row[0] *= 1e7;
      of.lambda = 1e-3;
      Objective objective = of.spec("sdca", 0).objective;
      const Dataset data = of.data();
      const GroupProblem problem = make_group_problem(data, of.groups, objective);
      Point point{.x = {1e-7 * rng.normal(), rng.normal(), rng.normal()}, .y = {}};
      for (std::size_t i = 0; i < 12; ++i) point.y.push_back(rng.normal());
      const Certificate c = certify_rigorously(problem, point);
      const Quad P = of.primal(point.x);
      EXPECT_TRUE(Quad(c.primal) >= P);
      EXPECT_TRUE(Quad(c.primal) <= P * (1 + Quad(1e-14)));
      Quad conjugate = 0, squares = 0;
      for (std::size_t i = 0; i < 12; ++i) conjugate += Quad(of.b[i]) * point.y[i];
      for (std::size_t j = 0; j < 3; ++j) {
        Quad q = 0;
        for (std::size_t i = 0; i < 12; ++i) q += Quad(of.A[i][j]) * point.y[i];
        squares += q * q;
      }
      const Quad D = -conjugate / 4 - squares / (2 * Quad(of.lambda) * 16);
      EXPECT_TRUE(Quad(c.dual) <= (D > 0 ? D : Quad(0)));
      std::vector<Quad> sizes(4);
      for (std::size_t i = 0; i < 12; ++i) {
        const Quad y = point.y[i];
        if (hinge) {
          EXPECT_GE(-of.b[i] * point.y[i], 0);
        }
        sizes[of.groups.of_row[i]] += hinge ? -of.b[i] * y : y * y;
      }
      for (const Quad size : sizes) EXPECT_TRUE(size <= 1);
    }
}

TEST(FitGroups, forged_models_are_refused) {
  for (const bool hinge : {false, true}) {
    const GroupCase of = random_groups(40, 5, 8, hinge, 6);
    const Dataset data = of.data();
    const LinearModel honest = fit_groups(data, of.groups, of.spec("sdca", 1e-6)).model;
    ASSERT_TRUE(verify_groups(data, of.groups, honest).holds);
    const auto refused = [&](const auto& change) {
      LinearModel model = honest;
      change(model);
      return !verify_groups(data, of.groups, model).holds;
    };
    EXPECT_TRUE(refused([](LinearModel& model) { model.certificate->gap *= 0.5; }));
    EXPECT_TRUE(refused([](LinearModel& model) { model.certificate->dual = model.certificate->primal; }));
    EXPECT_TRUE(refused([](LinearModel& model) { model.certificate->primal *= 1 - 1e-9; }));
    EXPECT_TRUE(refused([](LinearModel& model) { *model.certificate->distance_bound *= 0.5; }));
    EXPECT_TRUE(refused([](LinearModel& model) { model.optimum->radius[0] *= 0.1; }));
    EXPECT_TRUE(refused([](LinearModel& model) { model.x[1] += 1e-3; }));
    EXPECT_TRUE(refused([](LinearModel& model) { model.objective.lambda *= 0.5; }));
    EXPECT_TRUE(refused([](LinearModel& model) { model.objective.loss_parameter = 9; }));
    EXPECT_TRUE(refused([](LinearModel& model) {
      for (double& y : model.y) y *= 1.5;
    }));
    RowGroups other = of.groups;
    std::swap(other.of_row[10], other.of_row[11]);
    other.of_row[12] = (other.of_row[12] + 1) % 8;
    EXPECT_TRUE(contains(sentence_of<Error>([&] { verify_groups(data, other, honest); }), "groups differ"));
    LinearModel rows = honest;
    rows.objective.loss = hinge ? "hinge" : "absolute";
    EXPECT_ANY_THROW(verify_groups(data, of.groups, rows));
  }
}

// A dual point in the domain of every single row, but not of the groups, has a D above the optimum.
TEST(FitGroups, dual_points_outside_the_domain_of_a_group_are_refused) {
  for (const bool hinge : {false, true}) {
    GroupCase of = random_groups(40, 5, 8, hinge, 6);
    of.lambda = 1e4;
    const Dataset data = of.data();
    LinearModel model = fit_groups(data, of.groups, of.spec("sdca", 1e-6)).model;
    ASSERT_TRUE(verify_groups(data, of.groups, model).holds);
    for (std::size_t i = 0; i < model.y.size(); ++i) model.y[i] = of.b[i] > 0 ? -1 : 1;
    model.certificate->dual = model.certificate->primal;
    model.certificate->gap = 0;
    model.certificate->distance_bound.reset();
    model.optimum.reset();
    const Verification verdict = verify_groups(data, of.groups, model);
    ASSERT_FALSE(verdict.holds);
    EXPECT_TRUE(contains(verdict.problems[0], "The dual point is not feasible: in the group of row 1 "));
    EXPECT_EQ(verdict.dual, -infinity);
  }
}

TEST(FitGroups, storages_and_a_penalized_intercept_are_verified) {
  for (const bool hinge : {false, true})
    for (const Storage storage : test::all_storages) {
      GroupCase of = random_groups(40, 6, 9, hinge, 8);
      FitSpec spec = of.spec("auto", 1e-4);
      spec.objective.intercept = Intercept::penalized;
      spec.scaling = Scaling::columns_max;
      const Fit fit = fit_groups(of.data(storage), of.groups, spec);
      EXPECT_EQ(fit.outcome.termination, Termination::converged);
      EXPECT_EQ(fit.model.x.size(), 7u);
      const Verification verdict = verify_groups(of.data(storage), of.groups, fit.model);
      EXPECT_TRUE(verdict.holds) << (verdict.problems.empty() ? "" : verdict.problems[0]);
    }
}

// C and the default of lambda are those of the mean over the groups.
TEST(FitGroups, coefficients_are_those_of_the_mean_over_groups) {
  const GroupCase of = random_groups(40, 5, 8, false, 9);
  Objective objective = of.spec("auto", 0).objective;
  const Dataset data = of.data();
  objective.lambda.reset();
  EXPECT_EQ(make_group_problem(data, of.groups, objective).rows.penalty.l2(), 1.0 / 8);
  objective.C = 4;
  EXPECT_EQ(make_group_problem(data, of.groups, objective).rows.penalty.l2(), 1.0 / 32);
  objective.l1 = 0.25;
  EXPECT_EQ(make_group_problem(data, of.groups, objective).rows.penalty.l1(), 0.25);
}

TEST(FitGroups, refuses_what_it_does_not_support) {
  const GroupCase of = random_groups(20, 3, 5, true, 10);
  const auto refusal = [&](const auto& change) {
    FitSpec spec = of.spec("auto", 1e-4);
    Dataset data = of.data();
    change(spec, data);
    return sentence_of<Error>([&] { fit_groups(data, of.groups, spec); });
  };
  EXPECT_TRUE(contains(refusal([](FitSpec& s, Dataset&) { s.objective.balanced = true; }), "classes have no weights"));
  EXPECT_TRUE(contains(refusal([](FitSpec& s, Dataset&) { s.objective.loss = "hinge"; }), "need a loss of groups"));
  EXPECT_TRUE(contains(refusal([](FitSpec& s, Dataset&) { s.solver.name = "newton"; }), "newton does not solve"));
  EXPECT_TRUE(contains(refusal([](FitSpec& s, Dataset&) { s.solver.options["smooth"] = "1"; }), "have no options"));
  EXPECT_TRUE(contains(refusal([](FitSpec& s, Dataset&) {
                         s.objective.lambda = 0;
                         s.objective.l1 = 1;
                       }),
                       "strongly convex penalty"));
  EXPECT_TRUE(contains(refusal([](FitSpec&, Dataset& d) {
                         d.weights.assign(20, 2.0);
                         d.weights[19] = 3;
                       }),
                       " and 20 are of one group and have the weights 2 and 3"));
  EXPECT_TRUE(contains(refusal([](FitSpec&, Dataset& d) { d.labels[0] = 3; }), "needs two labels"));
  EXPECT_TRUE(contains(refusal([](FitSpec& s, Dataset&) { s.objective.penalty_factors = {1, 2, 3}; }), "one penalty"));
}

}  // namespace fit_groups_test
}  // namespace seesaw
