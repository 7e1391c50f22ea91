// Intervals of the optimum against optima computed by Newton's method in long double, over losses, intercepts, scaling,
// weights and factors; and the rule that ends a run when labels settle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/model_file.h"
#include "model/prediction_bounds.h"
#include "run/fit.h"
#include "seesaw/error.h"
#include "support/problems.h"
#include "verify/verify.h"

namespace seesaw {
namespace intervals_test {

using Wide = long double;
using Vector = std::vector<Wide>;

// sum_i c_i phi_i + sum_j (m_j/2) x_j^2 for the logistic loss (K = 1) and softmax: K numbers per column of `a`, then K
// intercepts (softmax: with sum 0).
struct SmoothProblem {
  std::vector<Vector> a;
  std::vector<std::size_t> label;  // K = 1: 0 or 1
  Vector c, m;
  std::size_t K = 1;
  bool free_intercept = false;

  std::size_t unknowns() const { return (m.size() + (free_intercept ? 1 : 0)) * K; }

  // Gradient and Hessian, by probabilities.
  void derivatives(const Vector& w, Vector& gradient, std::vector<Vector>& hessian) const {
    const std::size_t d = m.size(), p = unknowns();
    gradient.assign(p, 0);
    hessian.assign(p, Vector(p, 0));
    for (std::size_t i = 0; i < a.size(); ++i) {
      Vector row = a[i];
      if (free_intercept) row.push_back(1);
      Vector z(K, 0), q(K);
      for (std::size_t j = 0; j < row.size(); ++j)
        for (std::size_t k = 0; k < K; ++k) z[k] += row[j] * w[j * K + k];
      if (K == 1) {
        q[0] = 1 / (1 + std::exp(-z[0]));
      } else {
        const Wide most = *std::max_element(z.begin(), z.end());
        Wide sum = 0;
        for (std::size_t k = 0; k < K; ++k) sum += q[k] = std::exp(z[k] - most);
        for (Wide& qk : q) qk /= sum;
      }
      for (std::size_t j = 0; j < row.size(); ++j)
        for (std::size_t k = 0; k < K; ++k) {
          const Wide hit = K == 1 ? (label[i] == 1 ? 1 : 0) : (label[i] == k ? 1 : 0);
          gradient[j * K + k] += c[i] * row[j] * (q[k] - hit);
          for (std::size_t l = 0; l < row.size(); ++l)
            for (std::size_t h = 0; h < K; ++h) {
              const Wide curvature = k == h ? q[k] * (1 - q[k]) : -q[k] * q[h];
              hessian[j * K + k][l * K + h] += c[i] * row[j] * row[l] * curvature;
            }
        }
    }
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < K; ++k) {
        gradient[j * K + k] += m[j] * w[j * K + k];
        hessian[j * K + k][j * K + k] += m[j];
      }
    if (free_intercept && K > 1)  // their sum has no curvature: hold it at 0
      for (std::size_t k = 0; k < K; ++k) {
        for (std::size_t h = 0; h < K; ++h) {
          hessian[d * K + k][d * K + h] += 1;
          gradient[d * K + k] += w[d * K + h];
        }
      }
  }
};

Vector solved(std::vector<Vector> matrix, Vector right) {
  const std::size_t p = right.size();
  for (std::size_t k = 0; k < p; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < p; ++i)
      if (std::abs(matrix[i][k]) > std::abs(matrix[pivot][k])) pivot = i;
    std::swap(matrix[k], matrix[pivot]);
    std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < p; ++i) {
      const Wide factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k; j < p; ++j) matrix[i][j] -= factor * matrix[k][j];
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = p; k-- > 0;) {
    for (std::size_t j = k + 1; j < p; ++j) right[k] -= matrix[k][j] * right[j];
    right[k] /= matrix[k][k];
  }
  return right;
}

// Damped where the step is long: |step| <= 1 per round until it converges quadratically.
Vector optimum_of(const SmoothProblem& problem) {
  Vector w(problem.unknowns(), 0), gradient;
  std::vector<Vector> hessian;
  for (int round = 0; round < 400; ++round) {
    problem.derivatives(w, gradient, hessian);
    const Vector step = solved(hessian, gradient);
    Wide size = 0, length = 0;
    for (const Wide s : step) length += s * s;
    length = std::sqrt(length);
    const Wide factor = length > 1 ? 1 / length : 1;
    for (std::size_t k = 0; k < w.size(); ++k) w[k] -= factor * step[k], size = std::max(size, std::abs(w[k]));
    if (length < 1e-17L * (1 + size)) break;
  }
  return w;
}

struct Case {
  std::string name;
  FitSpec spec;
  Dataset data;
  std::size_t K;
};

std::vector<Case> smooth_cases() {
  std::vector<Case> cases;
  std::uint64_t seed = 0;
  for (const std::size_t K : {std::size_t{1}, std::size_t{3}})
    for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free})
      for (const Scaling scaling : {Scaling::none, Scaling::rows, Scaling::columns_max, Scaling::max})
        for (const bool special : {false, true}) {
          const std::size_t n = 24, d = 3;
          const test::Matrix matrix = test::random_matrix(n, d, ++seed);
          Dataset data = test::table(matrix, special ? test::Storage::dense : test::Storage::sparse);
          data.labels =
              K == 1 ? test::random_labels(matrix, Target::sign, seed) : test::random_class_labels(matrix, K, seed);
          Rng rng(seed);
          FitSpec spec;
          spec.objective.loss = K == 1 ? "logistic" : "softmax";
          spec.objective.lambda = std::pow(10.0, -3 + 2.5 * rng.uniform());
          spec.objective.intercept = intercept;
          spec.scaling = scaling;
          spec.criteria.gap = 1e-14;
          if (special) {
            for (std::size_t i = 0; i < n; ++i) data.weights.push_back(0.2 + rng.uniform());
            if (K == 1) spec.objective.penalty_factors = {0.5, 1, 4};
          }
          cases.push_back({fmt::format("{} intercept {} scaling {}{}", spec.objective.loss, name_of(intercept),
                                       name_of(scaling), special ? " weighted" : ""),
                           spec, std::move(data), K});
        }
  return cases;
}

SmoothProblem smooth_problem(const Case& one, const LinearModel& model) {
  const Dataset prepared = apply(model.transform, one.data);
  SmoothProblem problem;
  problem.K = one.K;
  problem.free_intercept = one.spec.objective.intercept == Intercept::free;
  Wide total = 0;
  for (std::size_t i = 0; i < prepared.n(); ++i) {
    Vector row(prepared.d(), 0);
    std::visit([&](const auto& rows) { for_each(rows.row(i), [&](std::size_t j, double v) { row[j] = v; }); },
               prepared.rows);
    problem.a.push_back(row);
    problem.label.push_back(static_cast<std::size_t>(
        std::find(model.labels.begin(), model.labels.end(), one.data.labels[i]) - model.labels.begin()));
    problem.c.push_back(one.data.weights.empty() ? 1 : one.data.weights[i]);
    total += problem.c.back();
  }
  for (Wide& c : problem.c) c /= total;
  for (std::size_t j = 0; j < prepared.d(); ++j) {
    const auto& factors = model.objective.penalty_factors;
    problem.m.push_back(Wide(model.objective.lambda) * (j < factors.size() ? factors[j] : 1));
  }
  return problem;
}

constexpr Wide accuracy = 1e-14L;  // of the reference

void expect_inside(Wide value, const Interval& interval, const char* what) {
  const Wide slack = accuracy * (1 + std::abs(value));
  EXPECT_LE(interval.lo, value + slack) << what;
  EXPECT_GE(interval.hi, value - slack) << what;
}

// Everything that the model's bounds state, against the optimum.
void check_model(const Case& one, const LinearModel& model, const SmoothProblem& problem, Vector optimum) {
  ASSERT_TRUE(model.optimum.has_value());
  const std::size_t K = one.K, d = problem.m.size();
  if (problem.free_intercept && K > 1) {  // that of the reference is 0: the sum is free, and kept at the model's
    Wide mean = 0;
    for (const double b : model.intercept) mean += b / static_cast<Wide>(K);
    for (std::size_t k = 0; k < K; ++k) optimum[d * K + k] += mean;
  }
  const PredictionBounds bounds(model, one.data);
  for (std::size_t i = 0; i < one.data.n(); ++i) {
    Vector z(K, 0);
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t j = 0; j < d; ++j) z[k] += problem.a[i][j] * optimum[j * K + k];
      if (problem.free_intercept) z[k] += optimum[d * K + k];
      expect_inside(z[k], bounds.score(i, k), "score");
    }
    const std::size_t winner =
        K == 1 ? (z[0] > 0 ? 1 : 0) : static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin());
    if (const auto label = bounds.label(i)) {
      EXPECT_EQ(*label, model.labels[winner]);
    }
    const std::vector<Interval> p = bounds.probabilities(i);
    if (K == 1) {
      expect_inside(1 / (1 + std::exp(-z[0])), p[1], "probability");
      expect_inside(1 / (1 + std::exp(z[0])), p[0], "probability");
      continue;
    }
    Wide sum = 0;
    for (const Wide zk : z) sum += std::exp(zk - z[winner]);
    for (std::size_t k = 0; k < K; ++k) expect_inside(std::exp(z[k] - z[winner]) / sum, p[k], "probability");
  }
  const std::vector<Interval> weights = weight_bounds(model);
  for (std::size_t at = 0; at < weights.size(); ++at) {
    const Transform& transform = model.transform;
    Wide factor = transform.scaling == Scaling::max ? transform.factor : 1;
    if (!transform.column_factors.empty()) factor = transform.column_factors[at / K];
    expect_inside(optimum[at] * factor, weights[at], "weight");
  }
  if (problem.free_intercept)
    for (std::size_t k = 0; k < K; ++k) expect_inside(optimum[d * K + k], intercept_bounds(model)[k], "intercept");
  EXPECT_EQ(verify(one.data, model).problems, std::vector<std::string>{});
}

TEST(Intervals, contain_the_optimum_at_every_stage_of_a_run) {
  std::size_t settled = 0, rows = 0;
  for (const Case& one : smooth_cases()) {
    SCOPED_TRACE(one.name);
    std::optional<Vector> optimum;
    for (const char* solver : {"auto", "sdca", "lbfgs"})
      for (const double passes : {1.0, 4.0, 16.0, 300.0}) {
        if (one.K > 1 && std::string(solver) == "lbfgs") continue;
        SCOPED_TRACE(fmt::format("{} {} passes", solver, passes));
        FitSpec spec = one.spec;
        spec.solver.name = solver;
        spec.criteria.max_passes = passes;
        const LinearModel model = fit(one.data, spec).model;
        const SmoothProblem problem = smooth_problem(one, model);
        if (!optimum) optimum = optimum_of(problem);
        check_model(one, model, problem, *optimum);
        if (HasFailure()) return;
        if (passes < 300) continue;
        const PredictionBounds bounds(model, one.data);
        for (std::size_t i = 0; i < one.data.n(); ++i) settled += bounds.label(i).has_value();
        rows += one.data.n();
      }
  }
  EXPECT_GE(settled, rows * 9 / 10);  // the intervals are not trivial
}

// Losses without a closed form here: a loose run's intervals contain those of a tight one's, up to its own width.
TEST(Intervals, of_loose_and_tight_runs_agree) {
  std::uint64_t seed = 100;
  for (const std::string loss : {"hinge", "squared-hinge", "logistic", "multiclass-hinge"})
    for (const double l1 : {0.0, 0.01})
      for (const Intercept intercept : {Intercept::none, Intercept::free}) {
        const Dataset data = test::random_classes(40, 4, 3, ++seed);
        FitSpec spec;
        spec.objective.loss = loss;
        spec.objective.lambda = 0.05;
        if (l1 > 0) spec.objective.l1 = l1;
        spec.objective.intercept = intercept;
        spec.criteria.gap = 1e-10;
        SCOPED_TRACE(fmt::format("{} l1 {} intercept {}", loss, l1, name_of(intercept)));
        spec.solver.name = "sdca";
        const LinearModel tight = fit(data, spec).model;
        spec.criteria.max_passes = 5;
        const LinearModel loose = fit(data, spec).model;
        ASSERT_TRUE(tight.optimum && loose.optimum);
        const PredictionBounds narrow(tight, data), wide(loose, data);
        for (std::size_t i = 0; i < data.n(); ++i) {
          for (std::size_t k = 0; k < tight.outputs(); ++k) {
            EXPECT_LE(wide.score(i, k).lo, narrow.score(i, k).hi);
            EXPECT_GE(wide.score(i, k).hi, narrow.score(i, k).lo);
          }
          const auto first = wide.label(i), second = narrow.label(i);
          if (first && second) {
            EXPECT_EQ(*first, *second);
          }
        }
        for (const LinearModel& model : {tight, loose})
          EXPECT_EQ(verify(data, model).problems, std::vector<std::string>{});
        const LinearModel read = parse_model_file(model_file_text(loose), "model");
        EXPECT_EQ(read.optimum->radius, loose.optimum->radius);
        EXPECT_EQ(read.optimum->centre, loose.optimum->centre);
        for (std::size_t k = 0; k < read.outputs(); ++k) {
          EXPECT_EQ(read.optimum->intercept[k].lo, loose.optimum->intercept[k].lo);
          EXPECT_EQ(read.optimum->intercept[k].hi, loose.optimum->intercept[k].hi);
        }
      }
}

TEST(Intervals, need_a_penalty_that_confines_the_weights) {
  const Dataset data = test::random_classes(30, 4, 2, 7);
  FitSpec spec;
  spec.solver.name = "auto";
  spec.objective.loss = "logistic";
  spec.objective.l1 = 0.01;
  EXPECT_FALSE(fit(data, spec).model.optimum.has_value());
  EXPECT_NE(no_bounds_reason(fit(data, spec).model).find("l1 alone"), std::string::npos);
  spec.objective.l1.reset();
  spec.objective.lambda = 0.1;
  EXPECT_EQ(no_bounds_reason(fit(data, spec).model), "");
  spec.objective.penalty_factors = {1, 0, 1, 1};
  EXPECT_NE(no_bounds_reason(fit(data, spec).model).find("factor 0"), std::string::npos);
}

TEST(Intervals, a_run_ends_when_labels_settle) {
  for (const char* solver : {"auto", "sdca", "lbfgs", "spdc"})
    for (const std::string loss : {"logistic", "hinge", "softmax"}) {
      if (loss != "logistic" && (std::string(solver) == "lbfgs" || std::string(solver) == "spdc")) continue;
      SCOPED_TRACE(fmt::format("{} {}", solver, loss));
      const std::size_t classes = loss == "softmax" ? 3 : 2;
      const Dataset data = test::random_classes(60, 4, classes, 3), other = test::random_classes(25, 4, classes, 4);
      FitSpec spec;
      spec.objective.loss = loss;
      spec.objective.lambda = 0.1;
      spec.solver.name = solver;
      spec.criteria.gap = 0;
      spec.until_labels_settle = &other;
      const Fit settled = fit(data, spec);
      ASSERT_EQ(name_of(settled.outcome.termination), "labels-settled");
      EXPECT_EQ(settled.model.status, "labels-settled");
      ASSERT_TRUE(settled.outcome.last.settled.has_value());
      EXPECT_EQ(settled.outcome.last.settled->met, other.n());
      EXPECT_EQ(verify(data, settled.model).problems, std::vector<std::string>{});
      const PredictionBounds bounds(settled.model, other);
      for (std::size_t i = 0; i < other.n(); ++i) EXPECT_TRUE(bounds.label(i).has_value());

      FitSpec exact = spec;
      exact.until_labels_settle = nullptr;
      exact.criteria.gap = 1e-12;
      const LinearModel best = fit(data, exact).model;
      const std::vector<double> z = decision_values(settled.model, other), z_best = decision_values(best, other);
      for (std::size_t i = 0; i < other.n(); ++i)
        EXPECT_EQ(predicted_label(settled.model, &z[i * settled.model.outputs()]),
                  predicted_label(best, &z_best[i * best.outputs()]));
    }
}

void expect_refused(const Dataset& data, const FitSpec& spec, const std::string& part) {
  try {
    fit(data, spec);
    ADD_FAILURE() << "not refused: " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Intervals, refuse_what_cannot_settle) {
  const Dataset data = test::random_classes(30, 4, 3, 7), wider = test::random_classes(30, 5, 3, 7);
  FitSpec spec;
  spec.solver.name = "auto";
  spec.objective.loss = "squared";
  spec.objective.lambda = 0.1;
  spec.until_labels_settle = &data;
  expect_refused(data, spec, "predicts numbers");
  spec.objective.loss = "logistic";  // three labels
  expect_refused(data, spec, "one-versus-rest");
  spec.objective.loss = "softmax";
  spec.until_labels_settle = &wider;
  expect_refused(data, spec, "5 features");
  spec.until_labels_settle = &data;
  spec.objective.lambda.reset();
  spec.objective.l1 = 0.1;
  expect_refused(data, spec, "needs an l2 penalty");
}

}  // namespace intervals_test
}  // namespace seesaw
