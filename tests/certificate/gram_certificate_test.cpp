// Certificates by the Gram matrix against the same sums in quad precision, and paths that use them.
#include "model/rigorous/gram_certificate.h"

#include <gtest/gtest.h>

#include "run/continued_run.h"
#include "run/fit.h"
#include "run/gram_path.h"
#include "support/lasso_truth.h"

namespace seesaw {
namespace gram_certificate_test {

using test::fitted;
using test::lasso;
using test::Matrix;
using test::Quad;
using test::truth_of;
using test::uneven_data;

const StopPredicate never;  // outlives every Stopping, which refers to it

Objective penalized(double l1, double l2, Intercept intercept) {
  Objective objective;
  objective.loss = "squared";
  objective.regularizer = l2 == 0 ? "l1" : l1 == 0 ? "l2" : "elastic-net";
  if (l1 > 0) objective.l1 = l1;
  if (l2 > 0) objective.lambda = l2;
  objective.intercept = intercept;
  return objective;
}

// The moments of the data, in long double rounded to double.
SecondMoments moments_of(const Problem& p) {
  Matrix columns = test::matrix_of(*p.data);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (p.free_intercept()) columns[i].push_back(1);
    columns[i].push_back(p.scalar().target[i]);
  }
  const auto size = static_cast<Eigen::Index>(columns[0].size());
  SecondMoments moments{Eigen::MatrixXd(size, size), 1};
  for (Eigen::Index j = 0; j < size; ++j)
    for (Eigen::Index k = 0; k < size; ++k) {
      long double sum = 0;
      for (std::size_t i = 0; i < columns.size(); ++i)
        sum +=
            static_cast<long double>(p.normalized_weight[i]) * columns[i][std::size_t(j)] * columns[i][std::size_t(k)];
      moments.matrix(j, k) = k > j ? 1e300 : static_cast<double>(sum);  // the lower triangle is read
    }
  return moments;
}

std::vector<GramCertifier::ProvedPoint> one(const Point& point, const PointProof& proof) {
  return {{point.x, point.intercept[0], proof.scale}};
}

void check(const Problem& problem, const PointProof& proof, const Point& point, Quad lowest) {
  const test::LassoTruth truth = truth_of(problem, point);
  const Certificate& found = proof.certificate;
  EXPECT_TRUE(found.primal >= truth.primal);
  EXPECT_TRUE(problem.penalty.l2() > 0 || truth.largest_v <= problem.penalty.l1());
  EXPECT_TRUE(found.dual <= lowest);
  EXPECT_TRUE(found.dual <= truth.dual);
  EXPECT_TRUE(found.gap >= found.primal - Quad(found.dual));
  for (std::size_t j = 0; j < problem.d(); ++j)
    EXPECT_TRUE(test::size(truth.image[j] - proof.image[j].value) <= Quad(proof.image[j].error)) << j;
  const Matrix a = test::matrix_of(*problem.data);
  Quad total = 0;
  const auto weight = [&](std::size_t i) {
    return problem.data->weights.empty() ? Quad(1) : Quad(problem.data->weights[i]);
  };
  for (std::size_t i = 0; i < a.size(); ++i) total += weight(i);
  for (std::size_t j = 0; j < problem.d(); ++j) {
    Quad square = 0, mean = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      square += weight(i) / total * a[i][j] * a[i][j];
      mean += weight(i) / total * a[i][j];
    }
    EXPECT_TRUE(square <= Quad(proof.columns[j].square));
    if (!problem.free_intercept()) continue;
    EXPECT_TRUE(Quad(proof.columns[j].mean_low) <= test::size(mean));
    EXPECT_TRUE(test::size(mean) <= Quad(proof.columns[j].mean_high));
  }
}

TEST(GramCertificate, bounds_hold_for_any_point) {
  int proved = 0, scaled = 0, tight = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed)
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      SCOPED_TRACE(seed);
      const Dataset data = uneven_data(seed, seed % 2 == 1, seed % 3 == 0 ? 100 : 0);
      const Objective objective = lasso(0.002 * (1 + static_cast<double>(seed)), intercept);
      const Problem problem = make_problem(data, objective);
      const auto certifier = GramCertifier::make(problem, moments_of(problem));
      ASSERT_NE(certifier, nullptr);
      const Point best = fitted(data, objective, 1e-12);
      const Quad lowest = truth_of(problem, best).primal;
      Rng rng(seed);
      for (int round = 0; round < 4; ++round) {
        Point point = best;
        for (double& x : point.x) x *= round == 0 ? 1 : 1 + 0.1 * rng.normal();
        const auto found = certifier->certify(point.x, point.intercept[0]);
        if (!found) continue;  // D is not known to be above 0
        ++proved;
        scaled += found->scale < 1;
        point.y = certifier->dual_points(one(point, *found))[0];
        check(problem, *found, point, lowest);
        tight += round == 0 && found->certificate.gap < 1e-6 * (1 + found->certificate.primal);
      }
    }
  EXPECT_GT(proved, 60);
  EXPECT_GT(scaled, 30);
  EXPECT_GT(tight, 15);  // of 32: the sizes of the columns differ by 1e6
}

// With l2, alone or beside l1: no point is scaled, and D includes the conjugate of the penalty.
TEST(GramCertificate, bounds_hold_with_l2) {
  int proved = 0, tight = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed)
    for (const Intercept intercept : {Intercept::none, Intercept::free})
      for (const double l1 : {0.0, 0.02}) {
        SCOPED_TRACE(seed);
        const Dataset data = uneven_data(seed, seed % 2 == 1, seed % 3 == 0 ? 100 : 0);
        const Objective objective = penalized(l1, 0.001 * std::pow(4.0, static_cast<double>(seed % 8)), intercept);
        const Problem problem = make_problem(data, objective);
        const auto certifier = GramCertifier::make(problem, moments_of(problem));
        ASSERT_NE(certifier, nullptr);
        FitSpec spec;
        spec.objective = objective;
        spec.solver.name = "catr";
        spec.criteria.gap = 1e-11;
        const Point best = fit(data, spec).outcome.point;
        const Quad lowest = truth_of(problem, best).primal;
        Rng rng(seed);
        for (int round = 0; round < 4; ++round) {
          Point point = best;
          for (double& x : point.x) x *= round == 0 ? 1 : 1 + 0.1 * rng.normal();
          const auto found = certifier->certify(point.x, point.intercept[0]);
          if (!found) continue;
          ++proved;
          EXPECT_EQ(found->scale, 1);
          point.y = certifier->dual_points(one(point, *found))[0];
          check(problem, *found, point, lowest);
          tight += round == 0 && found->certificate.gap < 1e-6 * (1 + found->certificate.primal);
        }
      }
  EXPECT_GT(proved, 60);
  EXPECT_GT(tight, 20);  // of 64: the sizes of the columns differ by 1e6
}

// Residuals of 1e-7 of the labels: the Gram matrix has errors of about 1e-2 of P.
TEST(GramCertificate, errors_of_large_labels_are_in_the_bounds) {
  int proved = 0, wide = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    constexpr double offset = 1e6;
    const Dataset data = uneven_data(seed, false, offset);
    const Objective objective = lasso(0.01, Intercept::free);
    const Problem problem = make_problem(data, objective);
    Point point = fitted(uneven_data(seed, false, 0), objective, 1e-9);
    point.intercept[0] += offset;
    const auto certifier = GramCertifier::make(problem, moments_of(problem));
    const auto found = certifier->certify(point.x, point.intercept[0]);
    if (!found) continue;
    ++proved;
    wide += found->certificate.gap > 1e-6 * found->certificate.primal;
    point.y = certifier->dual_points(one(point, *found))[0];
    check(problem, *found, point, truth_of(problem, point).primal);
  }
  EXPECT_GT(proved, 5);
  EXPECT_EQ(proved, wide);
}

// Three rows with nearly all of c_i |a_i|^2. A subnormal c_i has few digits, so that sums with it have errors that are not
// in the bounds.
Dataset data_with_weight(double weight) {
  Matrix matrix = test::random_matrix(300, 3, 7);
  std::vector<double> labels = test::random_labels(matrix, Target::number, 7);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    const double scale = i < 3 ? 1e152 : std::sqrt(weight) * 1e151;
    for (double& value : matrix[i]) value *= scale;
    labels[i] *= scale;
  }
  Dataset data = test::table(matrix, test::Storage::dense);
  data.labels = labels;
  data.source = "random";
  for (std::size_t i = 0; i < matrix.size(); ++i) data.weights.push_back(i < 3 ? weight : 1.0);
  return data;
}

TEST(GramCertificate, weights_near_underflow_are_left_to_other_certificates) {
  for (const double weight : {1e-270, 1.3e-315, 1.37e-320, 1e-322}) {
    SCOPED_TRACE(weight);
    const Dataset data = data_with_weight(weight);
    const Problem problem = make_problem(data, lasso(1e300 * weight, Intercept::none));
    const auto path = GramPath::make(problem);
    EXPECT_EQ(path != nullptr, weight > 1e-280);
    if (!path) continue;
    Criteria criteria;
    criteria.gap = 1e-9;
    Stopping stopping(infinity, never);
    auto outcome = path->fit(criteria, stopping);
    ASSERT_TRUE(outcome);
    outcome->point.y = path->take_dual_points().at(0);
    const test::LassoTruth truth = truth_of(problem, outcome->point);
    EXPECT_TRUE(outcome->certificate.primal >= truth.primal && outcome->certificate.dual <= truth.dual);
  }
}

// A column whose squares are 0 in double arithmetic, and a residual of 1e-9 of the labels: the products with it cancel.
TEST(GramCertificate, columns_near_underflow_are_in_the_bounds) {
  for (const double size : {1e-130, 1e-158, 1e-165, 1e-200}) {
    SCOPED_TRACE(size);
    Matrix matrix = test::random_matrix(300, 3, 7);
    std::vector<double> labels;
    for (std::vector<double>& row : matrix) {
      labels.push_back(row[0] + 1e-9 * row[1]);
      row[2] *= size;
    }
    Dataset data = test::table(matrix, test::Storage::dense);
    data.labels = labels;
    data.source = "random";
    const Problem problem = make_problem(data, penalized(1e-9, 1e-9, Intercept::none));
    const auto certifier = GramCertifier::make(problem, moments_of(problem));
    ASSERT_NE(certifier, nullptr);
    Point point{{1 - 1e-10, 0, 0}, {0}, {}};
    const auto found = certifier->certify(point.x, 0);
    ASSERT_TRUE(found);
    point.y = certifier->dual_points(one(point, *found))[0];
    check(problem, *found, point, truth_of(problem, point).primal);
  }
}

TEST(GramCertificate, other_problems_have_none) {
  const Dataset numbers = uneven_data(1, false, 0);
  Objective factors = lasso(0.1, Intercept::none), huber = factors;
  factors.penalty_factors.assign(numbers.d(), 2.0);
  factors.penalty_factors[0] = 1;
  huber.loss = "huber";
  for (const Objective& objective : {factors, huber}) {
    const Problem problem = make_problem(numbers, objective);
    EXPECT_EQ(GramCertifier::make(problem, moments_of(problem)), nullptr);
  }
}

// Along a path, against fits of their own; a tolerance that the matrix cannot prove is left to the method.
TEST(GramPath, follows_l1_to_the_optimum) {
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    const Dataset data = test::random_data(200, 8, Target::number, 5);
    Problem problem = make_problem(data, lasso(1, intercept));
    const auto path = GramPath::make(problem);
    ASSERT_NE(path, nullptr);
    Criteria criteria;
    criteria.gap = 1e-8;
    for (const double l1 : {2.0, 0.5, 0.3, 0.1, 0.03, 0.01, 0.2, 0.001}) {
      SCOPED_TRACE(l1);
      problem.penalty = make_problem(data, lasso(l1, intercept)).penalty;
      Stopping stopping(infinity, never);
      auto outcome = path->fit(criteria, stopping);
      ASSERT_TRUE(outcome);
      EXPECT_EQ(outcome->termination, Termination::converged);
      outcome->point.y = path->take_dual_points().at(0);
      EXPECT_LE(outcome->certificate.gap, 1e-8 * outcome->certificate.primal);
      const test::LassoTruth truth = truth_of(problem, outcome->point);
      const Quad lowest = truth_of(problem, fitted(data, lasso(l1, intercept), 1e-12)).primal;
      EXPECT_TRUE(outcome->certificate.primal >= truth.primal && outcome->certificate.dual <= truth.dual);
      EXPECT_TRUE(truth.primal <= lowest * (1 + Quad(2e-8)));
      EXPECT_TRUE(truth.largest_v <= l1);
    }
    criteria.gap = 1e-15;
    Stopping stopping(infinity, never);
    EXPECT_FALSE(path->fit(criteria, stopping));
    const auto run = ContinuedRun::make(problem, {.name = "ws", .options = {{"screening", "off"}}});
    criteria.gap = 1e-11;
    EXPECT_EQ(run->fit(criteria, {}).termination, Termination::converged);
  }
}

// The y of several fits at once: each is feasible for its l1, also those before the matrix did not suffice.
TEST(ContinuedRun, computes_deferred_dual_points) {
  const Dataset data = test::random_data(200, 8, Target::number, 5);
  Problem problem = make_problem(data, lasso(1, Intercept::free));
  const auto run = ContinuedRun::make(problem, {.name = "ws", .options = {{"screening", "off"}}});
  run->defer_dual_points();
  Criteria criteria;
  criteria.gap = 1e-8;
  std::vector<std::pair<double, Outcome>> outcomes;
  for (const double l1 : {0.5, 0.3, 0.1, 0.03, 0.01}) {
    problem.penalty = make_problem(data, lasso(l1, Intercept::free)).penalty;
    if (l1 == 0.01) criteria.gap = 1e-14;  // not proved by the matrix
    outcomes.emplace_back(l1, run->fit(criteria, {}));
    EXPECT_EQ(outcomes.back().second.point.y.empty(), l1 > 0.01) << l1;
  }
  std::vector<std::vector<double>> y = run->take_dual_points();
  ASSERT_EQ(y.size(), 4u);
  EXPECT_TRUE(run->take_dual_points().empty());
  for (std::size_t k = 0; k < y.size(); ++k) {
    auto& [l1, outcome] = outcomes[k];
    problem.penalty = make_problem(data, lasso(l1, Intercept::free)).penalty;
    outcome.point.y = y[k];
    const test::LassoTruth truth = truth_of(problem, outcome.point);
    EXPECT_TRUE(truth.largest_v <= l1);
    EXPECT_TRUE(outcome.certificate.dual <= truth.dual && outcome.certificate.primal >= truth.primal);
  }
}

// A stop before the end: the certificate of the point so far.
TEST(GramPath, is_interrupted) {
  const Dataset data = uneven_data(6, false, 0);
  const Problem problem = make_problem(data, lasso(0.01, Intercept::none));
  const auto path = GramPath::make(problem);
  const StopPredicate at_once = [] { return true; };
  Stopping stopping(infinity, at_once);
  auto outcome = path->fit({}, stopping);
  ASSERT_TRUE(outcome);
  outcome->point.y = path->take_dual_points().at(0);
  EXPECT_EQ(outcome->termination, Termination::interrupted);
  const test::LassoTruth truth = truth_of(problem, outcome->point);
  EXPECT_TRUE(outcome->certificate.primal >= truth.primal && outcome->certificate.dual <= truth.dual);
}

}  // namespace gram_certificate_test
}  // namespace seesaw
