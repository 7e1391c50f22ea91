// Every loss, penalty, intercept and scaling: the verifier against an independent formula, and against the certifier.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/rng.h"
#include "unit/verify/solved_by_hand.h"
#include "verify/verify.h"

namespace seesaw {
namespace verify_objectives_test {

using namespace by_hand;
using test::all_storages;

struct Case {
  std::string loss;
  double lambda, l1;
  Intercept intercept;
  Scaling scaling;
  bool weighted;
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const LossKind& kind : loss_kinds())
    for (const auto& [lambda, l1] : {std::pair{0.3, 0.0}, {0.3, 0.02}, {0.0, 0.02}})
      for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free})
        for (const Scaling scaling :
             {Scaling::none, Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std})
          for (const bool weighted : {false, true})
            result.push_back({std::string(kind.name), lambda, l1, intercept, scaling, weighted});
  return result;
}

std::string name_of(const Case& c) {
  return fmt::format("{}, lambda {}, l1 {}, intercept {}, scaling {}{}", c.loss, c.lambda, c.l1, name_of(c.intercept),
                     name_of(c.scaling), c.weighted ? ", weighted" : "");
}

// Random rows of floats, the third one empty; labels 2 and 5, or numbers.
Dataset random_data(const Case& c, Storage storage, Rng& rng) {
  Matrix matrix(12, std::vector<double>(4));
  std::vector<double> labels, weights;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (double& value : matrix[i])
      if (i != 2 && rng.uniform() < 0.7) value = static_cast<float>(rng.normal());
    labels.push_back(loss_kind(c.loss).target == Target::number ? 2 * rng.normal() : i % 3 == 0 ? 2 : 5);
    weights.push_back(0.5 + rng.uniform());
  }
  Dataset data = data_of(matrix, labels, storage);
  if (c.weighted) data.weights = weights;
  return data;
}

double random_dual(const Interval& domain, Rng& rng) {
  const double lo = std::max(domain.lo, -3.0), hi = std::min(domain.hi, 3.0);
  return lo + (hi - lo) * rng.uniform();
}

// P and D by the definition, in double, on the matrix of apply(), with the losses of src/model. y is made
// feasible by scaling.
void claim_naively(const Case& c, const Dataset& data, LinearModel& model, Rng& rng) {
  const Matrix a = test::matrix_of(apply(model.transform, data));
  const LossKind& kind = loss_kind(c.loss);
  const Loss loss = kind.make(model.objective.loss_parameter);
  const std::size_t n = data.n(), d = model.x.size();
  const auto& class_weights = model.objective.class_weights;

  std::vector<double> b = data.labels, normalized_weight(n, 1.0);
  double total = 0, up = 0, down = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (c.weighted) normalized_weight[i] = data.weights[i];
    if (!class_weights.empty()) normalized_weight[i] *= class_weights.at(data.labels[i]);
    total += normalized_weight[i];
    if (kind.target == Target::sign) b[i] = data.labels[i] == 5 ? 1 : -1;
  }
  for (double& s : normalized_weight) s /= total;

  std::visit(
      [&](const auto& phi) {
        for (std::size_t i = 0; i < n; ++i) model.y.push_back(random_dual(phi.domain(b[i]), rng));
        for (std::size_t i = 0; i < n; ++i) (model.y[i] > 0 ? up : down) += normalized_weight[i] * std::abs(model.y[i]);
        if (c.intercept == Intercept::free)
          for (double& y : model.y) y *= y > 0 ? std::min(1.0, down / up) : std::min(1.0, up / down);
        std::vector<double> v(d);
        const auto set_v = [&] {
          for (std::size_t j = 0; j < d; ++j) {
            v[j] = 0;
            for (std::size_t i = 0; i < n; ++i) v[j] -= normalized_weight[i] * model.y[i] * a[i][j];
          }
        };
        set_v();
        if (c.lambda == 0) {
          double largest = 0;
          for (const double vj : v) largest = std::max(largest, std::abs(vj));
          for (double& y : model.y) y *= std::min(1.0, (1 - 1e-14) * c.l1 / largest);
          set_v();
        }

        double primal = 0, dual = 0;
        for (std::size_t i = 0; i < n; ++i) {
          double z = model.intercept[0];
          for (std::size_t j = 0; j < d; ++j) z += a[i][j] * model.x[j];
          primal += normalized_weight[i] * phi.value(b[i], z);
          dual -= normalized_weight[i] * phi.conjugate(b[i], model.y[i]);
        }
        for (std::size_t j = 0; j < d; ++j) {
          primal += c.lambda / 2 * model.x[j] * model.x[j] + c.l1 * std::abs(model.x[j]);
          if (c.lambda > 0) dual -= std::pow(std::max(0.0, std::abs(v[j]) - c.l1), 2) / (2 * c.lambda);
        }
        model.certificate = Certificate{{primal, dual, primal - dual}};
      },
      loss);
}

LinearModel random_model(const Case& c, const Dataset& data, Rng& rng) {
  LinearModel model = claiming(data, 0, 0);
  const LossKind& kind = loss_kind(c.loss);
  model.objective.loss = c.loss;
  model.objective.loss_parameter_name = kind.parameter.name;
  if (!kind.parameter.name.empty()) model.objective.loss_parameter = 0.2 + 0.6 * rng.uniform();
  model.objective.lambda = c.lambda;
  model.objective.l1 = c.l1;
  model.objective.intercept = c.intercept;
  if (kind.target == Target::sign) model.labels = {2, 5};
  if (kind.target == Target::sign && c.weighted) model.objective.class_weights = {{2, 3}, {5, 0.5}};
  model.transform = fit_transform(data, c.scaling, c.intercept == Intercept::penalized);
  for (std::size_t j = 0; j < data.d() + (c.intercept == Intercept::penalized ? 1 : 0); ++j)
    model.x.push_back(rng.normal());
  if (c.intercept == Intercept::free) model.intercept = {rng.normal()};
  claim_naively(c, data, model, rng);
  return model;
}

TEST(Verify, every_objective_agrees_with_an_independent_formula) {
  Rng rng(17);
  for (const Case& c : cases())
    for (const Storage storage : all_storages) {
      SCOPED_TRACE(name_of(c));
      const Dataset data = random_data(c, storage, rng);
      expect_holds(data, random_model(c, data, rng));
    }
}

TEST(Verify, every_changed_number_is_detected) {
  Rng rng(18);
  for (const Case& c : cases()) {
    SCOPED_TRACE(name_of(c));
    const Dataset data = random_data(c, Storage::sparse, rng);
    const LinearModel honest = random_model(c, data, rng);
    ASSERT_TRUE(verify(data, loosened(honest)).holds);

    LinearModel changed = honest;
    changed.x[rng.below(4)] += 1e4;
    expect_problem(data, changed, "The model claims P = ");
    changed = honest;
    changed.certificate->gap *= 0.99;
    expect_problem(data, changed, "The model claims a gap of ");
    changed = honest;
    changed.certificate->dual += 1e-3;
    expect_problem(data, changed, "The model claims D = ");
    changed = honest;
    changed.certificate->primal -= 1e-3;
    expect_problem(data, changed, "The model claims P = ");
    changed = honest;
    for (double& y : changed.y) y *= 0.9;                              // stays feasible
    if (verify(data, changed).dual < honest.certificate->dual - 1e-6)  // it may also be an improvement
      expect_problem(data, changed, "The model claims D = ");
    changed = honest;
    changed.y[3] = c.loss == "squared-hinge" ? (data.labels[3] == 5 ? 0.1 : -0.1) : 1.5;
    if (c.loss != "squared" && c.loss != "squared-epsilon-insensitive")
      expect_problem(data, changed, "The dual point is not feasible: in row 4 it is ");
    changed = honest;
    changed.y[5] = std::numeric_limits<double>::quiet_NaN();
    expect_problem(data, changed, "The dual point is not feasible: in row 6 it is nan");
  }
}

// ---- the certifier's claims hold ---------------------------------------------------------------------------------

// The guaranteed certificate if there is one; plain ones are relaxed.
template <class AnyCertifier>
LinearModel certified(const Dataset& data, const Objective& objective, Point point, Scaling scaling = Scaling::none) {
  LinearModel model = claiming(data, 0, 0);
  model.transform = fit_transform(data, scaling, objective.intercept == Intercept::penalized);
  const Dataset prepared = apply(model.transform, data);
  const Problem problem = make_problem(prepared, objective);
  AnyCertifier certifier(problem);
  model.certificate = certifier.certify(point);
  constexpr bool rigorous = requires { certifier.certify_rigorously(point); };
  if constexpr (rigorous) model.certificate = certifier.certify_rigorously(point);
  model.objective = solved_objective(problem);
  model.labels = problem.labels;
  model.x = point.x;
  model.intercept = point.intercept;
  model.y = point.y;
  return rigorous ? model : loosened(model);
}

TEST(Verify, the_certifiers_claims_hold) {
  Rng rng(19);
  for (const Case& c : cases())
    for (const double scale : {1e-8, 1.0, 1e5}) {
      SCOPED_TRACE(name_of(c));
      Dataset data = random_data(c, Storage::dense, rng);
      if (loss_kind(c.loss).target == Target::number)
        for (double& label : data.labels) label *= scale;
      Objective objective;
      objective.loss = c.loss;
      objective.regularizer = c.lambda > 0 ? (c.l1 > 0 ? "elastic-net" : "l2") : c.l1 > 0 ? "l1" : "none";
      if (c.lambda > 0) objective.lambda = c.lambda;
      if (c.l1 > 0) objective.l1 = c.l1;
      objective.intercept = c.intercept;
      objective.balanced = c.weighted && loss_kind(c.loss).target == Target::sign;
      Point point;
      for (std::size_t j = 0; j < 4 + (c.intercept == Intercept::penalized ? 1 : 0); ++j)
        point.x.push_back(scale * rng.normal());
      for (std::size_t i = 0; i < data.n(); ++i) point.y.push_back(scale * rng.normal());
      const LinearModel model = certified<Certifier>(data, objective, point, c.scaling);
      const Verification verdict = verify(data, model);
      EXPECT_EQ(verdict.problems, std::vector<std::string>{});
    }
}

TEST(Verify, a_gap_at_the_level_of_rounding_holds) {
  Rng rng(20);
  for (const LossKind& kind : loss_kinds()) {
    if (gamma_of(kind.make(kind.parameter.standard)) == 0) continue;  // converges too slowly to such a gap
    SCOPED_TRACE(kind.name);
    const Case c{std::string(kind.name), 0.1, 0, Intercept::none, Scaling::none, true};
    const Dataset data = random_data(c, Storage::dense, rng);
    Objective objective;
    objective.loss = c.loss;
    objective.lambda = c.lambda;
    objective.intercept = c.intercept;
    const Problem problem = make_problem(data, objective);
    const Matrix a = test::matrix_of(data);
    const std::vector<double> norms = squared_row_norms(data);
    Point point{.x = std::vector<double>(4), .y = std::vector<double>(data.n())};
    for (int pass = 0; pass < 2000; ++pass)  // dual coordinate ascent with x = v / lambda
      for (std::size_t i = 0; i < data.n(); ++i) {
        double z = 0;
        for (std::size_t j = 0; j < 4; ++j) z += a[i][j] * point.x[j];
        const double y = std::visit(
            [&](const auto& loss) {
              return loss.dual_step(problem.scalar().target[i], z, point.y[i],
                                    problem.normalized_weight[i] * norms[i] / c.lambda);
            },
            problem.scalar().loss);
        for (std::size_t j = 0; j < 4; ++j)
          point.x[j] -= problem.normalized_weight[i] * (y - point.y[i]) * a[i][j] / c.lambda;
        point.y[i] = y;
      }
    const LinearModel model = certified<Certifier>(data, objective, point);
    const Verification verdict = verify(data, model);
    EXPECT_LT(verdict.gap, 1e-14 * (1 + model.certificate->primal));
    EXPECT_EQ(verdict.problems, std::vector<std::string>{});
  }
}

TEST(Verify, values_rounded_to_float_are_verified_as_such) {
  Dataset data = data_of({{0.1, 0.7}, {0.3, -0.2}}, {1, 3}, Storage::sparse_float);
  Objective objective;
  objective.loss = "squared";
  objective.lambda = 0.1;
  objective.intercept = Intercept::none;
  LinearModel model = claiming(data, 0, 0);
  model.single_precision = true;
  model.transform = fit_transform(data, Scaling::rows, false);
  const Dataset prepared = apply(model.transform, data, Precision::single);
  const Problem problem = make_problem(prepared, objective);
  Point point{.x = {0.3, 0.4}, .y = {1, 2}};
  model.certificate = Certifier(problem).certify(point);
  model.objective = solved_objective(problem);
  model.x = point.x;
  model.y = point.y;
  EXPECT_NEAR(verify(data, model).primal, model.certificate->primal, 1e-15);
  expect_holds(data, model);
  model.single_precision = false;
  expect_problem(data, model, "The model claims P = ");
}

}  // namespace verify_objectives_test
}  // namespace seesaw
