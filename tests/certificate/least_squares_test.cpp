// The method of second moments: its own proof against sums in quad precision, the verifier, and the method of all rows.
#include "solvers/engines/least_squares.h"

#include <gtest/gtest.h>

#include "run/fit.h"
#include "solvers/catalog.h"
#include "solvers/parts/newton/second_moments.h"
#include "support/problems.h"
#include "support/quad.h"
#include "support/threads.h"
#include "verify/verify.h"

namespace seesaw {
namespace least_squares_test {

using test::Matrix;
using test::Quad;

Dataset data_of(std::size_t n, std::size_t d, std::uint64_t seed, bool weighted, test::Storage storage) {
  Dataset data = test::random_data(n, d, Target::number, seed, storage);
  Rng rng(seed + 1);
  if (weighted)
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.1 + rng.uniform());
  return data;
}

FitSpec spec_of(double l1, double l2, Intercept intercept, double gap) {
  FitSpec spec;
  spec.solver.name = "auto";
  spec.objective.loss = "squared";
  spec.objective.regularizer = l2 == 0 ? "l1" : l1 == 0 ? "l2" : "elastic-net";
  if (l1 > 0) spec.objective.l1 = l1;
  if (l2 > 0) spec.objective.lambda = l2;
  spec.objective.intercept = intercept;
  spec.criteria.gap = gap;
  return spec;
}

Quad primal_of(const Problem& p, const Point& point) {
  const Matrix a = test::matrix_of(*p.data);
  Quad total = 0, sum = 0;
  const auto weight = [&](std::size_t i) { return p.data->weights.empty() ? Quad(1) : Quad(p.data->weights[i]); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    Quad z = p.free_intercept() ? point.intercept[0] : 0;
    for (std::size_t j = 0; j < p.d(); ++j) z += Quad(a[i][j]) * point.x[j];
    total += weight(i);
    sum += weight(i) * (z - p.scalar().target[i]) * (z - p.scalar().target[i]) / 2;
  }
  sum /= total;
  for (std::size_t j = 0; j < p.d(); ++j)
    sum += Quad(p.penalty.l1()) * test::size(Quad(point.x[j])) + Quad(p.penalty.l2()) * point.x[j] * point.x[j] / 2;
  return sum;
}

struct Penalized {
  double l1, l2;
};
const std::vector<Penalized> penalties = {{0, 0.01}, {0, 1e-6}, {0.05, 0}, {0.001, 0}, {0.05, 0.1}};

// P, D, region and signs against the optimum of another method, in every storage, with weights and intercepts.
TEST(LeastSquares, proves_what_is_true_and_the_verifier_agrees) {
  std::size_t proved_signs = 0, regions = 0;
  for (const test::Storage storage : test::all_storages)
    for (const bool weighted : {false, true})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const Penalized& g : penalties) {
          SCOPED_TRACE(testing::Message() << "l1 " << g.l1 << " l2 " << g.l2 << (weighted ? " weighted" : "")
                                          << (intercept == Intercept::free ? " free" : ""));
          const Dataset data = data_of(1500, 7, 5, weighted, storage);
          const FitSpec spec = spec_of(g.l1, g.l2, intercept, 1e-7);
          const Fit found = fit(data, spec);
          EXPECT_EQ(found.outcome.termination, Termination::converged);
          EXPECT_LT(found.outcome.last.passes, 0.6);  // one read
          const Verification verdict = verify(data, found.model);
          EXPECT_TRUE(verdict.holds);

          FitSpec other = spec;  // by all rows
          other.criteria.gap = 1e-13;
          other.solver.name = g.l1 > 0 ? "ws" : "newton";
          other.solver.options = {{g.l1 > 0 ? "path" : "system", g.l1 > 0 ? "on" : "cholesky"}};
          const Fit best = fit(data, other);
          const Problem problem = make_problem(data, spec.objective);
          const Quad lowest = primal_of(problem, best.outcome.point);
          const Certificate& certificate = found.outcome.certificate;
          EXPECT_TRUE(primal_of(problem, found.outcome.point) <= certificate.primal);
          EXPECT_TRUE(certificate.dual <= lowest);
          EXPECT_LE(certificate.gap, 1e-7 * certificate.primal);
          const std::string& signs = found.outcome.proved_signs;
          for (std::size_t j = 0; j < signs.size(); ++j) {
            const double x = best.outcome.point.x[j];
            proved_signs += signs[j] != '?';
            if (signs[j] == '0' || signs[j] == '+') {
              EXPECT_GE(x, 0);
            }
            if (signs[j] == '0' || signs[j] == '-') {
              EXPECT_LE(x, 0);
            }
          }
          if (g.l2 == 0) continue;
          ASSERT_TRUE(found.outcome.optimum);
          ++regions;
          const OptimumBounds& region = *found.outcome.optimum;
          const std::vector<double>& centre = region.centre.empty() ? found.outcome.point.x : region.centre;
          double apart = 0;
          for (std::size_t j = 0; j < centre.size(); ++j)
            apart += (centre[j] - best.outcome.point.x[j]) * (centre[j] - best.outcome.point.x[j]);
          EXPECT_LE(std::sqrt(apart), region.radius[0] + std::sqrt(2 * best.outcome.certificate.gap / g.l2));
        }
  EXPECT_GT(proved_signs, 200u);
  EXPECT_GE(regions, 40u);
}

// A tolerance below the errors of the moments, and labels far from 0, whose moments cancel: the rows are read again.
TEST(LeastSquares, refines_by_the_rows_where_the_moments_do_not_suffice) {
  for (const Penalized& g : penalties)
    for (const double offset : {0.0, 1e6}) {
      SCOPED_TRACE(testing::Message() << "l1 " << g.l1 << " l2 " << g.l2 << " offset " << offset);
      Dataset data = data_of(1500, 7, 6, false, test::Storage::dense);
      for (double& label : data.labels) label += offset;
      const Intercept intercept = offset > 0 ? Intercept::free : Intercept::none;
      const Fit found = fit(data, spec_of(g.l1, g.l2, intercept, offset > 0 ? 1e-7 : 3e-14));
      EXPECT_EQ(found.outcome.termination, Termination::converged);
      EXPECT_GT(found.outcome.last.passes, 1);
      EXPECT_TRUE(verify(data, found.model).holds);
    }
}

// A column far from 0: with a free intercept little remains of its variance in the moments, or nothing.
TEST(LeastSquares, hands_over_to_a_method_of_the_rows_where_refinement_is_slow) {
  for (const Penalized& g : penalties) {
    const double offset = g.l1 > 0 ? 1e6 : 1e8;
    SCOPED_TRACE(testing::Message() << "l1 " << g.l1 << " l2 " << g.l2);
    test::Matrix matrix = test::random_matrix(600, 5, 8);
    const std::vector<double> labels = test::random_labels(matrix, Target::number, 8);
    for (std::vector<double>& row : matrix) row[1] += offset;
    Dataset data = test::table(matrix, test::Storage::dense);
    data.labels = labels;
    data.source = "random";
    FitSpec spec = spec_of(g.l1, g.l2, Intercept::free, g.l1 > 0 ? 1e-6 : 1e-4);
    spec.criteria.max_passes = 300;
    const Fit found = fit(data, spec);
    EXPECT_EQ(found.outcome.termination, Termination::converged) << found.outcome.last.passes;
    EXPECT_TRUE(verify(data, found.model).holds);
  }
}

TEST(LeastSquares, has_the_same_bits_for_any_number_of_threads) {
  for (const test::Storage storage : {test::Storage::dense, test::Storage::sparse})
    for (const Penalized& g : penalties) {
      const Dataset data = data_of(9000, 11, 7, false, storage);
      const auto fitted = [&] { return fit(data, spec_of(g.l1, g.l2, Intercept::free, 1e-8)); };
      Fit one;
      test::in_threads(1, [&] { one = fitted(); });
      for (const std::size_t threads : test::thread_counts) {
        Fit other;
        test::in_threads(threads, [&] { other = fitted(); });
        EXPECT_EQ(one.outcome.point.x, other.outcome.point.x);
        EXPECT_EQ(one.outcome.point.y, other.outcome.point.y);
        EXPECT_EQ(one.outcome.certificate.gap, other.outcome.certificate.gap);
        EXPECT_EQ(one.outcome.proved_signs, other.outcome.proved_signs);
      }
    }
}

// The moments against sums in long double, with and without the column of ones, of one weight and of several.
TEST(LeastSquares, moments_are_sums_over_the_rows) {
  for (const test::Storage storage : test::all_storages)
    for (const bool weighted : {false, true})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const std::size_t d : {1, 7, 30}) {
          const Dataset data = data_of(d == 7 ? 5000 : 1100, d, 3, weighted, storage);
          const Problem problem = make_problem(data, spec_of(0, 1, intercept, 1e-6).objective);
          const SecondMoments moments = second_moments(problem);
          Matrix columns = test::matrix_of(data);
          for (std::size_t i = 0; i < data.n(); ++i) {
            if (problem.free_intercept()) columns[i].push_back(1);
            columns[i].push_back(data.labels[i]);
          }
          ASSERT_EQ(moments.matrix.rows(), static_cast<Eigen::Index>(columns[0].size()));
          EXPECT_GE(moments.additions, 1000 / 64.0);
          EXPECT_LE(moments.additions, 2.0 * static_cast<double>(data.n()));
          for (std::size_t j = 0; j < columns[0].size(); ++j)
            for (std::size_t k = 0; k <= j; ++k) {
              long double sum = 0, size = 0;
              for (std::size_t i = 0; i < data.n(); ++i) {
                const long double term =
                    static_cast<long double>(problem.normalized_weight[i]) * columns[i][j] * columns[i][k];
                sum += term;
                size += std::abs(term);
              }
              EXPECT_NEAR(moments.matrix(Eigen::Index(j), Eigen::Index(k)), static_cast<double>(sum),
                          1e-14 * static_cast<double>(size))
                  << d << " columns, entry " << j << ", " << k;
            }
        }
}

TEST(LeastSquares, leaves_other_problems_to_other_methods) {
  const Dataset data = data_of(300, 5, 2, false, test::Storage::dense);
  FitSpec huber = spec_of(0.1, 0, Intercept::none, 1e-6), bounds = huber;
  huber.objective.loss = "huber";
  bounds.objective.lower.assign(5, 0.0);
  bounds.objective.upper.assign(5, infinity);
  for (const FitSpec& spec : {huber, bounds}) {
    const Problem problem = make_problem(data, spec.objective);
    EXPECT_EQ(make_least_squares(problem, {}, nullptr), nullptr);
  }
}

}  // namespace least_squares_test
}  // namespace seesaw
