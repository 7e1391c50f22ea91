// Bounds for every lambda against the same sums in quad precision, and against the optimum.
#include "model/rigorous/ridge_proof.h"

#include <gtest/gtest.h>

#include "run/fit.h"
#include "support/problems.h"
#include "support/quad.h"

namespace seesaw {
namespace ridge_proof_test {

using test::Matrix;
using test::Quad;

struct Truth {
  Quad primal = 0, dual = 0;  // dual: without a free intercept
};

Truth truth_of(const Problem& p, const Point& point, double lambda) {
  const Matrix a = test::matrix_of(*p.data);
  const auto& loss = std::get<PiecewiseQuadratic>(p.scalar().loss);
  const auto weight = [&](std::size_t i) { return p.data->weights.empty() ? Quad(1) : Quad(p.data->weights[i]); };
  Truth truth;
  std::vector<Quad> v(p.d());
  Quad total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += weight(i);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Quad c = weight(i) / total, t = p.scalar().target[i], y = point.y[i];
    Quad r = (p.free_intercept() ? Quad(point.intercept[0]) : Quad(0)) - t;
    for (std::size_t j = 0; j < p.d(); ++j) {
      r += Quad(a[i][j]) * point.x[j];
      v[j] += c * y * a[i][j];
    }
    const Interval domain = loss.domain(p.scalar().target[i]);
    EXPECT_TRUE(domain.contains(point.y[i]));
    const Quad size = test::size(r) - loss.insensitivity, s = size > 0 ? (r > 0 ? size : -size) : Quad(0);
    truth.primal += c * std::max(s * Quad(domain.lo), s * Quad(domain.hi));
    truth.dual -= c * (t * y + Quad(loss.insensitivity) * test::size(y));
  }
  for (std::size_t j = 0; j < p.d(); ++j) {
    truth.primal += Quad(lambda) / 2 * point.x[j] * point.x[j];
    truth.dual -= v[j] * v[j] / (2 * Quad(lambda));
  }
  return truth;
}

struct Products {
  std::vector<double> z, v;
};
Products products_of(const Problem& p, const Point& point) {
  Products of{std::vector<double>(p.n()), std::vector<double>(p.d())};
  multiply(p.data->rows, point.x.data(), of.z.data());
  std::vector<double> cy(p.n());
  for (std::size_t i = 0; i < p.n(); ++i) {
    if (p.free_intercept()) of.z[i] += point.intercept[0];
    cy[i] = -p.normalized_weight[i] * point.y[i];
  }
  multiply_transposed(p.data->rows, cy.data(), of.v.data());
  return of;
}

Objective ridge(const char* loss, double lambda, Intercept intercept) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = lambda;
  objective.intercept = intercept;
  return objective;
}

Dataset data_for(const char* loss, std::uint64_t seed, bool weighted) {
  Dataset data = test::random_data(80, 7, loss_kind(loss).target, seed,
                                   seed % 2 == 0 ? test::Storage::sparse : test::Storage::dense);
  Rng rng(seed + 1);
  for (std::size_t i = 0; weighted && i < data.n(); ++i) data.weights.push_back(0.1 + rng.uniform());
  return data;
}

Point fitted(const Dataset& data, const Objective& objective, double gap) {
  FitSpec spec;
  spec.objective = objective;
  spec.solver.name = "ssn";
  spec.criteria.gap = gap;
  return fit(data, spec).outcome.point;
}

std::vector<double> mixed(const std::vector<double>& a, const std::vector<double>& b, double theta) {
  std::vector<double> sum;
  for (std::size_t k = 0; k < a.size(); ++k) sum.push_back(theta * a[k] + (1 - theta) * b[k]);
  return sum;
}

class RidgeProofs : public testing::TestWithParam<const char*> {};

TEST_P(RidgeProofs, hold_for_every_lambda_and_for_combinations) {
  const char* const loss = GetParam();
  int proved = 0, tight = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const Dataset data = data_for(loss, seed, seed >= 2);
      Problem problem = make_problem(data, ridge(loss, 1, intercept));
      const auto prover = RidgeProver::make(problem);
      ASSERT_NE(prover, nullptr);
      Point a = fitted(data, ridge(loss, 0.05, intercept), 1e-7), b = fitted(data, ridge(loss, 0.04, intercept), 1e-7);
      prover->make_feasible(a);
      prover->make_feasible(b);
      const Products of_a = products_of(problem, a), of_b = products_of(problem, b);
      const auto proof_a = prover->prove(a, of_a.z, of_a.v), proof_b = prover->prove(b, of_b.z, of_b.v);
      ASSERT_TRUE(proof_a && proof_b);
      Point c{mixed(a.x, b.x, 0.3), mixed(a.intercept, b.intercept, 0.3), mixed(a.y, b.y, 0.6)};
      prover->make_feasible(c);
      const auto proof_c = prover->prove(c, mixed(of_a.z, of_b.z, 0.3), mixed(of_a.v, of_b.v, 0.6), *proof_a, *proof_b);
      ASSERT_TRUE(proof_c);
      for (const double lambda : {0.01, 0.04, 0.045, 0.05, 0.1, 1.0}) {
        problem.penalty = Penalty(lambda, 0);
        const Point best = fitted(data, ridge(loss, lambda, intercept), 1e-10);
        const Quad lowest = truth_of(problem, best, lambda).primal;
        for (const auto& [point, proof] :
             {std::pair(&a, &*proof_a), std::pair(&b, &*proof_b), std::pair(&c, &*proof_c)}) {
          const auto found = prover->certify(*proof);
          if (!found) continue;  // D is not above 0
          ++proved;
          tight += found->gap <= 1e-6 * found->primal;
          const Truth truth = truth_of(problem, *point, lambda);
          EXPECT_TRUE(found->primal >= truth.primal) << seed << " " << lambda;
          EXPECT_TRUE(found->dual <= lowest) << seed << " " << lambda;
          EXPECT_TRUE(found->dual <= truth.dual || intercept == Intercept::free) << seed << " " << lambda;
          EXPECT_TRUE(found->gap >= found->primal - Quad(found->dual));
          EXPECT_LE(found->primal, static_cast<double>(truth.primal) * (1 + 1e-9));
          if (intercept == Intercept::none) {
            EXPECT_GE(found->dual, static_cast<double>(truth.dual) - 1e-9);
          }
        }
      }
    }
  EXPECT_GE(proved, 80);
  EXPECT_GE(tight, 10);
}
INSTANTIATE_TEST_SUITE_P(Losses, RidgeProofs, testing::Values("hinge", "absolute", "quantile", "epsilon-insensitive"));

// Two columns that are nearly the same, and weights of 1e12 of opposite signs: A x has errors of 1e-4, which plain sums
// do not show.
TEST(RidgeProof, errors_of_products_are_in_the_bounds) {
  int below = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Matrix matrix = test::random_matrix(60, 6, seed);
    Rng rng(seed);
    for (auto& row : matrix) {
      row[0] = rng.normal();
      row[5] = row[0] * (1 + 0x1p-40);
    }
    Dataset data = test::table(matrix, test::Storage::dense);
    data.labels = test::random_labels(matrix, Target::sign, seed);
    data.source = "random";
    Problem problem = make_problem(data, ridge("hinge", 1e-30, Intercept::none));
    const auto prover = RidgeProver::make(problem);
    Point point{std::vector<double>(6), {0.0}, std::vector<double>(60)};
    point.x = {1e12, 0.1, -0.2, 0.3, 0.1, -1e12};
    for (double& y : point.y) y = 1e-3 * rng.normal();
    prover->make_feasible(point);
    Products of = products_of(problem, point);
    const auto proof = prover->prove(point, of.z, of.v);
    ASSERT_TRUE(proof);
    const Quad truth = truth_of(problem, point, 0).primal;
    EXPECT_TRUE(proof->loss >= truth) << seed;
    double plain = 0;
    for (std::size_t i = 0; i < 60; ++i) plain += std::max(0.0, 1 - problem.scalar().target[i] * of.z[i]) / 60;
    below += plain < truth;
  }
  EXPECT_GE(below, 10);  // what is not in the bounds is found
}

// The product of two weights is subnormal, so that c_i has few digits.
TEST(RidgeProof, weights_near_underflow_are_left_to_other_certificates) {
  for (const double weight : {1.0, 3e-311}) {
    Dataset data = data_for("hinge", 2, false);
    data.weights.assign(data.n(), weight * 7);
    Objective objective = ridge("hinge", 1, Intercept::none);
    objective.class_weights = {{2, 0.3}, {5, 0.7}};
    EXPECT_EQ(RidgeProver::make(make_problem(data, objective)) != nullptr, weight == 1);
  }
}

TEST(RidgeProof, other_problems_have_none) {
  const Dataset numbers = data_for("absolute", 1, false), classes = data_for("hinge", 2, false);
  EXPECT_NE(RidgeProver::make(make_problem(classes, ridge("hinge", 1, Intercept::none))), nullptr);
  EXPECT_EQ(RidgeProver::make(make_problem(classes, ridge("logistic", 1, Intercept::none))), nullptr);
  EXPECT_EQ(RidgeProver::make(make_problem(classes, ridge("squared-hinge", 1, Intercept::none))), nullptr);
  EXPECT_EQ(RidgeProver::make(make_problem(numbers, ridge("squared", 1, Intercept::none))), nullptr);
  Objective net = ridge("hinge", 0.1, Intercept::none);
  net.regularizer = "elastic-net";
  net.l1 = 0.1;
  EXPECT_EQ(RidgeProver::make(make_problem(classes, net)), nullptr);
}

}  // namespace ridge_proof_test
}  // namespace seesaw
