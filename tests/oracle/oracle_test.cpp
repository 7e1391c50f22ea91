// The guaranteed interval against exact optima, on random tiny problems. SEESAW_ORACLE_PROBLEMS: their number.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/rng.h"
#include "data/transform.h"
#include "model/certificate.h"
#include "model/prediction_bounds.h"
#include "model/rigorous/optimum_region.h"
#include "model/rigorous/proved_signs.h"
#include "support/exact_optimum.h"
#include "support/table.h"
#include "verify/recompute.h"
#include "verify/verify.h"

namespace seesaw {
namespace oracle_test {

using test::exact_primal;
using test::ExactSolver;
using test::Optimum;
using test::Rational;
using test::TinyProblem;

constexpr std::array losses = {"hinge",
                               "squared-hinge",
                               "smooth-hinge",
                               "squared",
                               "absolute",
                               "quantile",
                               "huber",
                               "epsilon-insensitive",
                               "squared-epsilon-insensitive"};

struct Instance {
  Dataset data;
  LinearModel model;  // without a point
  TinyProblem exact;
  bool twins = false;  // the first two columns are equal or nearly equal
  std::string name;
};

double power_of_ten(double low, double high, Rng& rng) { return std::pow(10.0, low + (high - low) * rng.uniform()); }

Instance random_instance(Rng& rng) {
  const std::string loss = losses[rng.below(losses.size())];
  const LossKind& kind = loss_kind(loss);
  const bool sign = kind.target == Target::sign, tube = loss == "epsilon-insensitive";
  const std::size_t n = 2 + rng.below(tube ? 2 : 3), d = 1 + rng.below(2), intercept = rng.below(3);
  test::Matrix matrix(n, std::vector<double>(d));
  const bool spread = rng.uniform() < 0.5;
  Instance made{.data = test::table({{0.0}}), .model = {}, .exact = {}, .name = {}};
  for (std::size_t j = 0; j < d; ++j) {
    const double scale = spread ? power_of_ten(-12, 12, rng) : 1;
    for (auto& row : matrix) row[j] = scale * (rng.uniform() < 0.2 ? std::round(2 * rng.normal()) : rng.normal());
  }
  made.twins = d == 2 && rng.uniform() < 0.4;
  const bool nearly = rng.uniform() < 0.5;
  if (made.twins)
    for (auto& row : matrix) row[1] = nearly ? row[0] * (1 + 0x1p-40 * static_cast<double>(rng.below(3))) : row[0];
  made.data = test::table(matrix, test::Storage::dense);
  made.data.source = "tiny";
  made.data.labels.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    made.data.labels[i] = sign ? (i < 2 ? static_cast<double>(i) : static_cast<double>(rng.below(2))) : rng.normal();
  const bool weighted = rng.uniform() < 0.4;
  for (std::size_t i = 0; i < n && weighted; ++i) made.data.weights.push_back(0.1 + rng.uniform());

  LinearModel& model = made.model;
  SolvedObjective& objective = model.objective;
  objective.loss = loss;
  objective.loss_parameter_name = kind.parameter.name;
  objective.loss_parameter = kind.parameter.name.empty() ? 0 : 0.1 + 0.8 * rng.uniform();
  const double which = rng.uniform();  // l2, elastic net, l1
  if (which < 0.75) objective.lambda = rng.uniform() < 0.1 ? power_of_ten(0, 300, rng) : power_of_ten(-25, 3, rng);
  if (which > 0.5) objective.l1 = power_of_ten(-6, 1, rng);
  objective.intercept = static_cast<Intercept>(intercept);
  if (sign) model.labels = {0, 1};
  if (sign && rng.uniform() < 0.3) objective.class_weights = {{0, 0.1 + rng.uniform()}, {1, 3}};
  model.transform.constant_feature = objective.intercept == Intercept::penalized;
  model.n = n;
  model.data_hash = content_hash(made.data);
  model.status = "converged";

  TinyProblem& exact = made.exact;
  exact.loss = loss;
  exact.t = Rational(objective.loss_parameter);
  exact.lambda = Rational(objective.lambda);
  exact.l1 = Rational(objective.l1);
  exact.free_intercept = objective.intercept == Intercept::free;
  exact.of_sign = sign;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Rational> row;
    for (const double value : matrix[i]) row.emplace_back(value);
    if (model.transform.constant_feature) row.emplace_back(1);
    exact.a.push_back(row);
    const double label = made.data.labels[i];
    exact.b.emplace_back(sign ? (label == 1 ? 1.0 : -1.0) : label);
    Rational s = weighted ? Rational(made.data.weights[i]) : Rational(1);
    if (!objective.class_weights.empty()) s *= Rational(objective.class_weights.at(label));
    exact.s.push_back(s);
  }
  made.name = fmt::format("{} n {} d {} lambda {} l1 {} intercept {}{}{}", loss, n, d, objective.lambda, objective.l1,
                          intercept, weighted ? " weighted" : "", made.twins ? " twins" : "");
  return made;
}

// The nearest doubles to the optimum, with y moved into the closed domain.
void place_at_optimum(const Instance& instance, const Optimum& optimum, LinearModel& model) {
  model.x.clear();
  model.y.clear();
  for (const Rational& x : optimum.x) model.x.push_back(static_cast<double>(x));
  model.intercept = {static_cast<double>(optimum.b)};
  for (std::size_t i = 0; i < optimum.y.size(); ++i) {
    double y = static_cast<double>(optimum.y[i]);
    const auto inside = [&](double at) {
      const double p = instance.exact.of_sign ? -static_cast<double>(instance.exact.b[i]) * at : at;
      return verifier::in_domain(verifier::find_loss(model.objective.loss)->loss, p, model.objective.loss_parameter);
    };
    if (!inside(y)) y = std::nextafter(y, 0.0);
    model.y.push_back(y);
  }
}

void move_at_random(const Instance& instance, LinearModel& model, Rng& rng) {
  for (double& x : model.x) x = x * (1 + 0.3 * rng.normal()) + 1e-3 * rng.normal();
  if (instance.exact.free_intercept) model.intercept[0] += 0.1 * rng.normal();
  for (double& y : model.y) y *= rng.uniform();
}

void make_hostile(const Instance& instance, LinearModel& model) {
  model.x[0] += instance.twins ? 0x1p60 : 0x1p20;
  if (instance.twins) model.x[1] -= 0x1p60;
}

std::vector<Rational> exact_weights(const LinearModel& model) {
  std::vector<Rational> x;
  for (const double xj : model.x) x.emplace_back(xj);
  return x;
}

// The verifier: the ball of P contains the exact P(x, b), the bound of D is at most the exact optimum, and both are
// as tight as double-double precision allows.
void check_verifier(const Instance& instance, const Optimum& optimum, const LinearModel& model) {
  verifier::Problems problems;
  const verifier::StatedProblem problem(instance.data, model);
  const verifier::Bounds bounds = verifier::recompute(problem, problems).at(0);
  const Rational at = exact_primal(instance.exact, exact_weights(model), Rational(model.intercept[0]));
  if (at > Rational(std::numeric_limits<double>::max())) return;  // no double is an upper bound
  ASSERT_TRUE(verifier::finite(bounds.primal));
  const Rational centre = Rational(bounds.primal.high) + Rational(bounds.primal.low);
  EXPECT_LE(abs(centre - at), Rational(bounds.primal.radius));
  EXPECT_GE(Rational(bounds.primal.upper()), at);
  EXPECT_GE(Rational(bounds.primal.upper()), optimum.value);
  if (const double low = bounds.dual.lower(); low > -verifier::inf) {
    EXPECT_LE(Rational(low), optimum.value);
  }
  // A claim of exactly these numbers holds, a better one does not.
  LinearModel claiming = model;
  claiming.certificate = Certificate{};
  const Verification own = verify(instance.data, claiming);
  if (!(own.gap < verifier::inf)) return;
  claiming.certificate = Certificate{{own.primal, own.dual, own.gap}};
  EXPECT_EQ(verify(instance.data, claiming).problems, std::vector<std::string>{});
  claiming.certificate->gap *= 1 - 1e-6;
  EXPECT_TRUE(own.gap == 0 || !verify(instance.data, claiming).holds);
}

Rational exact_score(const Instance& instance, std::size_t i, const std::vector<Rational>& x, const Rational& b) {
  Rational z = b;
  for (std::size_t j = 0; j < x.size(); ++j) z += instance.exact.a[i][j] * x[j];
  return z;
}

bool inside(const Rational& value, const Interval& interval) {
  return (interval.lo == -infinity || Rational(interval.lo) <= value) &&
         (interval.hi == infinity || value <= Rational(interval.hi));
}

// Signs that the dual point proves are those of the exact optimum, and so are the intervals of weights without lambda; the
// verifier accepts the claim, and refuses one that is wrong.
void check_signs(const Instance& instance, const Optimum& optimum, const Problem& problem, const Point& point,
                 LinearModel& model) {
  model.proved_signs = proved_signs(problem, point.y, {static_cast<const Bounds&>(*model.certificate)});
  if (model.proved_signs.empty()) return;
  ASSERT_EQ(model.proved_signs.size(), optimum.x.size());
  std::string wrong(optimum.x.size(), sign_unknown);
  for (std::size_t j = 0; j < optimum.x.size(); ++j) {
    const char sign = model.proved_signs[j];
    EXPECT_TRUE(sign != sign_zero || optimum.x[j] == 0);
    EXPECT_TRUE(sign != sign_not_negative || optimum.x[j] >= 0);
    EXPECT_TRUE(sign != sign_not_positive || optimum.x[j] <= 0);
    if (optimum.x[j] != 0) wrong[j] = optimum.x[j] > 0 ? sign_not_positive : sign_zero;
  }
  const std::vector<Interval> weights = weight_bounds(model);
  for (std::size_t j = 0; j < weights.size(); ++j)
    EXPECT_TRUE(inside(optimum.x[j], weights[j])) << weights[j].lo << " " << weights[j].hi;
  EXPECT_EQ(verify(instance.data, model).problems, std::vector<std::string>{});
  if (wrong.find_first_not_of(sign_unknown) == std::string::npos) return;
  LinearModel claiming = model;
  claiming.proved_signs = wrong;
  EXPECT_FALSE(verify(instance.data, claiming).holds);
}

// Intervals of weights, intercept, scores and labels contain those of the exact optimum; the verifier accepts the claim,
// and refuses one that excludes the optimum.
void check_region(const Instance& instance, const Optimum& optimum, const Problem& problem, const Point& point,
                  LinearModel model) {
  check_signs(instance, optimum, problem, point, model);
  model.optimum = optimum_region(problem, point, *model.certificate);
  if (!(model.objective.lambda > 0)) {
    EXPECT_FALSE(model.optimum.has_value());
  }
  if (!model.optimum) return;
  const OptimumBounds& bounds = *model.optimum;
  const std::vector<double>& centre = bounds.centre.empty() ? model.x : bounds.centre;
  Rational apart = 0;
  for (std::size_t j = 0; j < centre.size(); ++j)
    apart += (optimum.x[j] - Rational(centre[j])) * (optimum.x[j] - Rational(centre[j]));
  EXPECT_LE(apart, Rational(bounds.radius[0]) * Rational(bounds.radius[0]));
  EXPECT_TRUE(inside(optimum.b, bounds.intercept[0])) << bounds.intercept[0].lo << " " << bounds.intercept[0].hi;
  if (model.certificate->distance_bound) {
    EXPECT_LE(bounds.radius[0], *model.certificate->distance_bound * (1 + 0x1p-38) + 0x1p-500);
  }

  const std::vector<Interval> weights = weight_bounds(model), intercepts = intercept_bounds(model);
  for (std::size_t j = 0; j < weights.size(); ++j) EXPECT_TRUE(inside(optimum.x[j], weights[j]));
  const bool constant = model.transform.constant_feature;
  EXPECT_TRUE(inside(constant ? optimum.x.back() : optimum.b, intercepts[0]));
  const PredictionBounds predictions(model, instance.data);
  for (std::size_t i = 0; i < instance.data.n(); ++i) {
    const Rational z = exact_score(instance, i, optimum.x, optimum.b);
    EXPECT_TRUE(inside(z, predictions.score(i))) << predictions.score(i).lo << " " << predictions.score(i).hi;
    if (const auto label = predictions.label(i)) {
      EXPECT_EQ(*label, model.labels[z > 0 ? 1 : 0]);
    }
  }
  EXPECT_EQ(verify(instance.data, model).problems, std::vector<std::string>{});
  if (bounds.radius[0] > 0) {
    LinearModel wrong = model;
    wrong.optimum->radius[0] *= 0.5;
    const Rational less = Rational(wrong.optimum->radius[0]);
    if (apart > less * less) {
      EXPECT_FALSE(verify(instance.data, wrong).holds);
    }
  }
  if (model.objective.intercept == Intercept::free && bounds.intercept[0].lo > -infinity) {
    LinearModel wrong = model;
    wrong.optimum->intercept[0] = {bounds.intercept[0].hi + 1, bounds.intercept[0].hi + 2};
    if (Rational(wrong.optimum->intercept[0].lo) > optimum.b) {
      EXPECT_FALSE(verify(instance.data, wrong).holds);
    }
  }
}

// Training: the guaranteed certificate contains the optimum, and the verifier accepts it.
template <class AnyCertifier>
void check_training(const Instance& instance, const Optimum& optimum, const LinearModel& at) {
  if constexpr (requires(AnyCertifier certifier, Point point) { certifier.certify_rigorously(point); }) {
    const Dataset prepared = apply(at.transform, instance.data);
    const SolvedObjective& solved = at.objective;
    Objective objective;
    objective.loss = solved.loss;
    if (!solved.loss_parameter_name.empty()) objective.loss_parameter = solved.loss_parameter;
    objective.regularizer = solved.lambda > 0 ? (solved.l1 > 0 ? "elastic-net" : "l2") : "l1";
    if (solved.lambda > 0) objective.lambda = solved.lambda;
    if (solved.l1 > 0) objective.l1 = solved.l1;
    objective.intercept = solved.intercept;
    objective.class_weights = solved.class_weights;
    const Problem problem = make_problem(prepared, objective);
    Point point{.x = at.x, .intercept = at.intercept, .y = at.y};
    AnyCertifier certifier(problem);
    const Certificate certificate = certifier.certify_rigorously(point);
    if (!certificate.guaranteed || !(certificate.gap < infinity)) return;
    EXPECT_GE(Rational(certificate.primal), optimum.value);
    EXPECT_LE(Rational(certificate.dual), optimum.value);
    EXPECT_GE(certificate.gap, 0);
    LinearModel model = at;
    model.x = point.x;
    model.y = point.y;
    model.intercept = point.intercept;
    model.certificate = certificate;
    EXPECT_EQ(verify(instance.data, model).problems, std::vector<std::string>{});
    check_region(instance, optimum, problem, point, model);
  }
}

std::size_t problem_count() {
  const char* const text = std::getenv("SEESAW_ORACLE_PROBLEMS");
  return text == nullptr ? 500 : static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
}

TEST(Oracle, the_interval_contains_the_exact_optimum) {
  Rng rng(13);
  std::size_t solved = 0, tight = 0;
  const std::size_t wanted = problem_count();
  for (std::size_t trial = 0; trial < wanted; ++trial) {
    const Instance instance = random_instance(rng);
    SCOPED_TRACE(fmt::format("problem {}: {}", trial, instance.name));
    const std::optional<Optimum> optimum = ExactSolver(instance.exact).solve();
    if (!optimum) continue;
    ++solved;
    LinearModel model = instance.model;
    place_at_optimum(instance, *optimum, model);
    check_verifier(instance, *optimum, model);
    check_training<Certifier>(instance, *optimum, model);
    const LinearModel best = model;
    move_at_random(instance, model, rng);
    check_verifier(instance, *optimum, model);
    check_training<Certifier>(instance, *optimum, model);
    model = best;
    make_hostile(instance, model);
    check_verifier(instance, *optimum, model);
    check_training<Certifier>(instance, *optimum, model);

    verifier::Problems problems;
    const verifier::Bounds bounds = verifier::recompute(verifier::StatedProblem(instance.data, best), problems).at(0);
    if ((bounds.primal - bounds.dual).upper() <= 1e-6 * bounds.primal.upper()) ++tight;
    if (HasFailure()) break;
  }
  EXPECT_GE(solved, wanted * 9 / 10);  // the exact solver succeeds on most problems
  EXPECT_GE(tight, solved / 3);        // the bounds are not trivial
}

}  // namespace oracle_test
}  // namespace seesaw
