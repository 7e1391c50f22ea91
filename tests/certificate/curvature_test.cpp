// Without a penalty: the interval computed from the curvature of loss and data against optima by Newton's method in quad
// precision, and against the verifier.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/certificate.h"
#include "run/fit.h"
#include "support/claims.h"
#include "support/problems.h"
#include "support/quad.h"

namespace seesaw {
namespace curvature_test {

using test::Matrix;
using test::Quad;

struct Terms {
  Quad value, first, second;
};
Terms phi(const Problem& p, double b, Quad z) {
  const std::string name(p.kind->name);
  const Quad k = p.loss_parameter, r = z - b, m = b * z, size = test::size(r), sign = r < 0 ? -1 : 1;
  if (name == "squared") return {r * r / 2, r, 1};
  if (name == "huber") return size <= k ? Terms{r * r / 2, r, 1} : Terms{k * size - k * k / 2, k * sign, 0};
  if (name == "squared-epsilon-insensitive") {
    const Quad over = size > k ? size - k : 0;
    return {over * over, 2 * over * sign, Quad(over > 0 ? 2 : 0)};
  }
  if (name == "smooth-hinge") {
    if (m >= 1) return {0, 0, 0};
    if (m <= 1 - k) return {1 - m - k / 2, -Quad(b), 0};
    return {(1 - m) * (1 - m) / (2 * k), -b * (1 - m) / k, 1 / k};
  }
  if (name == "squared-hinge") return m >= 1 ? Terms{0, 0, 0} : Terms{(1 - m) * (1 - m), -2 * b * (1 - m), 2};
  const Quad e = test::quad_exp(-test::size(m)), q = m >= 0 ? e / (1 + e) : 1 / (1 + e);
  return {(m < 0 ? -m : 0) + test::quad_log1p(e), -b * q, q * (1 - q)};
}

// The optimum of P, from a point close to it. Gaussian elimination with columns scaled by their size.
Quad optimum(const Problem& p, const Point& from) {
  Matrix a = test::matrix_of(*p.data);
  std::vector<Quad> w(from.x.begin(), from.x.end());
  if (p.free_intercept()) {
    for (auto& row : a) row.push_back(1);
    w.push_back(from.intercept[0]);
  }
  const std::size_t d = w.size();
  std::vector<Quad> s(a.size(), 1);
  Quad total = 0, value = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!p.data->weights.empty()) s[i] = p.data->weights[i];
    total += s[i];
  }
  for (int round = 0; round < 12; ++round) {
    value = 0;
    std::vector<std::vector<Quad>> h(d, std::vector<Quad>(d + 1));
    for (std::size_t i = 0; i < a.size(); ++i) {
      Quad z = 0;
      for (std::size_t j = 0; j < d; ++j) z += w[j] * a[i][j];
      const Terms at = phi(p, p.scalar().target[i], z);
      value += s[i] / total * at.value;
      for (std::size_t j = 0; j < d; ++j) {
        h[j][d] += s[i] / total * at.first * a[i][j];
        for (std::size_t k = 0; k < d; ++k) h[j][k] += s[i] / total * at.second * a[i][j] * a[i][k];
      }
    }
    for (std::size_t k = 0; k < d; ++k)  // positive definite: no pivoting
      for (std::size_t j = k + 1; j < d; ++j) {
        const Quad by = h[j][k] / h[k][k];
        for (std::size_t l = k; l <= d; ++l) h[j][l] -= by * h[k][l];
      }
    for (std::size_t j = d; j-- > 0;) {
      for (std::size_t k = j + 1; k < d; ++k) h[j][d] -= h[j][k] * h[k][d];
      h[j][d] /= h[j][j];
      w[j] -= h[j][d];
    }
  }
  return value;
}

struct Case {
  const char* loss;
  Target target;
};
constexpr Case cases[] = {
    {"squared", Target::number},    {"huber", Target::number},       {"squared-epsilon-insensitive", Target::number},
    {"smooth-hinge", Target::sign}, {"squared-hinge", Target::sign}, {"logistic", Target::sign}};

FitSpec unpenalized(const char* loss, Intercept intercept) {
  FitSpec spec;
  spec.objective.loss = loss;
  spec.objective.lambda = 0;
  spec.objective.intercept = intercept;
  spec.solver.name = "newton";
  spec.criteria.gap = 1e-8;
  spec.criteria.max_passes = 1000;
  return spec;
}

TEST(Curvature, the_interval_contains_the_optimum_and_the_verifier_agrees) {
  int proved = 0;
  for (const Case& c : cases)
    for (const Intercept intercept : {Intercept::none, Intercept::free})
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Dataset data = test::random_data(80, 4, c.target, seed);
        if (seed % 2 == 0)
          for (std::size_t i = 0; i < 80; ++i) data.weights.push_back(0.5 + double(i % 3));
        const FitSpec spec = unpenalized(c.loss, intercept);
        const Fit result = fit(data, spec);
        const std::string what = fmt::format("{} {} seed {}", c.loss, name_of(intercept), seed);
        const Certificate& got = result.outcome.certificate;
        ASSERT_TRUE(got.guaranteed) << what;
        const Problem p = make_problem(data, spec.objective);
        const Quad best = optimum(p, result.outcome.point);
        EXPECT_TRUE(got.primal >= best) << what;
        EXPECT_TRUE(got.dual <= best) << what;
        if (result.outcome.termination == Termination::converged) ++proved;
        else ADD_FAILURE() << what << ": gap " << got.gap << " of " << got.primal;
        EXPECT_EQ(test::problems_of({data, result.model}), "") << what;
        // Also away from the optimum.
        Rng rng(seed);
        for (const double away : {1e-6, 1e-4, 1e-2, 1.0}) {
          Point point = result.outcome.point;
          for (double& x : point.x) x += away * rng.normal();
          const Certificate there = Certifier(p).certify_rigorously(point);
          EXPECT_TRUE(there.primal >= best) << what << away;
          if (!there.guaranteed) continue;
          EXPECT_TRUE(there.dual <= best) << what << away;
          LinearModel model = result.model;
          model.x = point.x;
          model.intercept = point.intercept;
          model.y = point.y;
          model.certificate = there;
          EXPECT_EQ(test::problems_of({data, model}), "") << what << " away " << away;
        }
      }
  EXPECT_EQ(proved, 48);
}

// Columns times powers of two, weights divided by them: the same problem, and the same bits. One column is 0.
TEST(Curvature, columns_of_any_size_are_certified) {
  for (const char* loss : {"logistic", "squared-hinge"}) {
    const FitSpec spec = unpenalized(loss, Intercept::free);
    Matrix matrix = test::matrix_of(test::random_data(100, 4, Target::sign, 7));
    const std::vector<double> labels = test::random_labels(matrix, Target::sign, 7);
    for (auto& row : matrix) row.push_back(0);
    Dataset data = test::table(matrix, test::Storage::dense);
    data.labels = labels;
    const Fit result = fit(data, spec);
    ASSERT_EQ(result.outcome.termination, Termination::converged) << loss;

    Point point = result.outcome.point;
    const double factors[] = {0x1p60, 0x1p-70, 1, 0x1p31, 1};
    for (auto& row : matrix)
      for (std::size_t j = 0; j < 5; ++j) row[j] *= factors[j];
    for (std::size_t j = 0; j < 5; ++j) point.x[j] /= factors[j];
    Dataset wide = test::table(matrix, test::Storage::dense);
    wide.labels = labels;
    const Certificate c = Certifier(make_problem(wide, spec.objective)).certify_rigorously(point);
    EXPECT_EQ(c.dual_point, DualPoint::curvature) << loss;
    EXPECT_EQ(c.primal, result.outcome.certificate.primal) << loss;
    EXPECT_EQ(c.dual, result.outcome.certificate.dual) << loss;
    EXPECT_LE(c.gap, 1e-8 * c.primal) << loss;
  }
}

// Targets 1, 2, 4 of the feature 1: the mean is 7/3, the mean square around it 14/9, P* = 7/9.
TEST(Curvature, is_exact_for_a_mean) {
  Dataset data = test::table({{1}, {1}, {1}}, test::Storage::dense);
  data.labels = {1, 2, 4};
  const Problem p = make_problem(data, unpenalized("squared", Intercept::none).objective);
  for (const double x : {7.0 / 3, 2.0, 3.5}) {
    Point point{{x}, {0}, {0, 0, 0}};
    const Certificate c = Certifier(p).certify_rigorously(point);
    ASSERT_TRUE(c.guaranteed);
    const Quad off = Quad(x) - Quad(7) / 3, best = Quad(7) / 9;
    EXPECT_TRUE(c.dual <= best && best <= c.primal) << x;
    EXPECT_TRUE(c.gap <= off * off + Quad(1e-15)) << x;  // 3/2 of the Newton decrement, which is exact here
  }
}

TEST(Curvature, problems_without_curvature_are_not_certified) {
  Dataset data = test::random_data(60, 3, Target::number, 3, test::Storage::dense);
  Matrix matrix = test::matrix_of(data);
  for (auto& row : matrix) row.push_back(row[0] + row[1]);
  Dataset dependent = test::table(matrix, test::Storage::dense);
  dependent.labels = data.labels;
  const Fit result = fit(dependent, unpenalized("squared", Intercept::none));
  EXPECT_FALSE(result.outcome.certificate.guaranteed);
  EXPECT_NE(result.outcome.termination, Termination::converged);
  test::Solved forged{dependent, result.model};
  std::fill(forged.model.x.begin(), forged.model.x.end(), 0.0);
  forged.model.certificate = Certificate{{100, 1e-3, 100}, {}, DualPoint::curvature};
  EXPECT_NE(test::problems_of(forged).find("but its dual point gives D = 0"), std::string::npos)
      << test::problems_of(forged);

  const Dataset signs = test::random_data(60, 3, Target::sign, 4);
  Fit curved = fit(signs, unpenalized("logistic", Intercept::none));
  test::Solved hinge{signs, curved.model};
  hinge.model.objective.loss = "hinge";  // the same weights with a loss that has no curvature
  hinge.model.certificate->dual = 0.01;
  hinge.model.certificate->primal = hinge.model.certificate->gap = 100;
  EXPECT_NE(test::problems_of(hinge).find("gives D = 0"), std::string::npos) << test::problems_of(hinge);
}

TEST(Curvature, forged_claims_are_refused) {
  const Dataset data = test::random_data(60, 3, Target::sign, 4);
  const Fit result = fit(data, unpenalized("logistic", Intercept::free));
  ASSERT_EQ(result.outcome.certificate.dual_point, DualPoint::curvature);
  const Certificate& c = *result.model.certificate;
  test::Solved forged{data, result.model};
  forged.model.certificate->dual = c.primal;  // above what the gradient allows
  forged.model.certificate->gap = 0;
  EXPECT_NE(test::problems_of(forged), "");
  forged = {data, result.model};
  forged.model.x[0] += 0.1;  // a worse point
  forged.model.certificate->primal = forged.model.certificate->gap = 10;
  EXPECT_NE(test::problems_of(forged).find("The model claims D"), std::string::npos);
  forged = {data, result.model};
  forged.model.y[0] = NAN;
  EXPECT_NE(test::problems_of(forged), "");
  forged = {data, result.model};
  forged.model.certificate->dual_point = DualPoint::projected;  // y does not prove it
  EXPECT_NE(test::problems_of(forged), "");
}

TEST(Curvature, certifies_one_versus_rest) {
  const Dataset data = test::random_classes(150, 3, 3, 5);
  const Fit result = fit(data, unpenalized("logistic", Intercept::free));
  EXPECT_EQ(result.outcome.termination, Termination::converged);
  EXPECT_TRUE(result.outcome.certificate.guaranteed);
  EXPECT_EQ(test::problems_of({data, result.model}), "");
}

}  // namespace curvature_test
}  // namespace seesaw
