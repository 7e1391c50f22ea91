// Derivative steps and outer loops against the eager version in long double, iterate by iterate; and identities: an outer
// loop without its term, derivative steps and over-relaxation, two formulas for the gap of the shifted problem.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sampling/uniform.h"
#include "solvers/catalog.h"
#include "support/eager_outer_loop.h"

namespace seesaw {
namespace outer_loop_test {

using test::EagerOuterLoop;
using test::Real;
using test::Storage;

struct Case {
  std::string solver, loss;
  double lambda, l1 = 0;
  Intercept intercept = Intercept::none;
  Storage storage = Storage::sparse;
  OptionValues options = {};
};

Dataset data_of(const LossKind& kind, Storage storage, bool weighted = true) {
  Dataset data = test::random_data(24, 6, kind.target, 3, storage);  // row 3 is empty
  if (weighted)
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 4) / 2);
  return data;
}

Problem problem_of(const Dataset& data, const Case& c) {
  Objective objective;
  objective.loss = c.loss;
  objective.lambda = c.lambda;
  if (c.l1 > 0) objective.l1 = c.l1;
  objective.intercept = c.intercept;
  return make_problem(data, objective);
}

// The specification of the recipe, stated independently.
ProximalPointSpec spec_of(const Case& c, double gamma) {
  const auto given = [&](const char* name, const char* value) {
    return c.options.contains(name) && c.options.at(name) == value;
  };
  ProximalPointSpec spec;
  if (c.solver == "aspdc") spec.K = 0;
  if (c.solver == "aspdc-i") {
    spec = {.K = 4, .mu = 0.5};
    spec.momentum = gamma == 0 || given("momentum", "on");
  }
  if (c.solver == "asdca") spec = {.mu = 0.5, .restart = false};
  if (given("restart", "off")) spec.restart = false;
  if (given("schedule", "precision")) spec.schedule = Schedule::precision;
  if (c.options.contains("kappa")) spec.K = std::stod(c.options.at("kappa"));
  if (c.options.contains("inner-passes")) spec.inner_passes = std::stoul(c.options.at("inner-passes"));
  return spec;
}

// The largest distance of x, y and b between the two over the epochs, relative to the size of x.
double distance(const Case& c, int epochs) {
  const LossKind& kind = loss_kind(c.loss);
  const Dataset data = data_of(kind, c.storage);
  const Problem problem = problem_of(data, c);
  const auto solver = make_solver(problem, {c.solver, c.options, 7});
  const RowStep step = c.solver.starts_with("aspdc") ? RowStep::derivative : RowStep::exact;
  EagerOuterLoop eager(problem, step, spec_of(c, problem.gamma()));

  const bool iid = c.options.contains("draw") && c.options.at("draw") == "iid";
  Rng rng(7);
  std::vector<std::uint32_t> order = eager.drawable, draws(data.n());
  UniformSampler uniform(eager.drawable, Rng(7));
  double worst = 0;
  Point point;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    rng.shuffle(std::span(order));
    uniform.fill(draws);
    solver->epoch();
    eager.epoch(iid ? draws : order);
    solver->read(point);
    std::vector<double> x = eager.as_doubles(eager.x());
    const double b = static_cast<double>(eager.intercept());
    if (eager.kappa > 0) {
      const std::vector<double> other = eager.as_doubles(eager.x_of_dual());
      const Real difference = test::slow_primal(problem, other, b) - test::slow_primal(problem, x, b);
      if (std::abs(difference) < 1e-12) x = point.x;  // either may be selected
      else if (difference < 0) x = other;
    }
    double size = 1;
    for (double xj : x) size = std::max(size, std::abs(xj));
    for (std::size_t j = 0; j < x.size(); ++j) worst = std::max(worst, std::abs(point.x[j] - x[j]) / size);
    for (std::size_t i = 0; i < data.n(); ++i)
      worst = std::max(worst, std::abs(point.y[i] - static_cast<double>(eager.y[i])) / size);
    worst = std::max(worst, std::abs(point.intercept[0] - b) / size);
  }
  EXPECT_NEAR(solver->work().passes, iid ? epochs : epochs * double(order.size()) / double(data.n()), 1e-12);
  return worst;
}

constexpr double rounding = 1e-10;

TEST(OuterLoop, is_the_eager_one_for_every_loss) {
  for (const LossKind& kind : loss_kinds())
    for (const char* solver : {"aspdc-i", "asdca", "catr"})
      for (const double l1 : {0.0, 0.03})
        for (const Intercept intercept : {Intercept::none, Intercept::free})
          for (const char* draw : {"permutation", "iid"})
            EXPECT_LE(distance({.solver = solver,
                                .loss = std::string(kind.name),
                                .lambda = 0.02,
                                .l1 = l1,
                                .intercept = intercept,
                                .options = {{"draw", draw}}},
                               15),
                      rounding)
                << fmt::format("{} {} l1 {} intercept {} {}", solver, kind.name, l1, name_of(intercept), draw);
}

TEST(OuterLoop, is_the_eager_one_in_every_storage_and_with_every_option) {
  for (const char* loss : {"smooth-hinge", "logistic"})
    for (const double l1 : {0.0, 0.03}) {
      for (const Storage storage : test::all_storages)
        EXPECT_LE(distance({"catr", loss, 0.02, l1, Intercept::free, storage}, 15), rounding) << loss << int(storage);
      for (const OptionValues& options : std::vector<OptionValues>{{{"kappa", "0.3"}},
                                                                   {{"kappa", "5"}, {"inner-passes", "1"}},
                                                                   {{"inner-passes", "3"}, {"restart", "off"}}})
        EXPECT_LE(distance({"catr", loss, 0.02, l1, Intercept::none, Storage::sparse, options}, 15), rounding) << loss;
      for (const OptionValues& options :
           std::vector<OptionValues>{{{"kappa", "2"}, {"momentum", "on"}}, {{"momentum", "on"}, {"restart", "off"}}})
        EXPECT_LE(distance({"aspdc-i", loss, 0.02, l1, Intercept::none, Storage::sparse, options}, 15), rounding)
            << loss;
      EXPECT_LE(
          distance({"aspdc-i", loss, 0.001, l1, Intercept::none, Storage::sparse, {{"schedule", "precision"}}}, 40),
          rounding)
          << loss;
    }
}

TEST(DerivativeSteps, are_the_eager_ones) {
  for (const LossKind& kind : loss_kinds()) {
    if (kind.gamma() == 0) continue;
    for (const double l1 : {0.0, 0.03})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const char* draw : {"permutation", "iid"})
          EXPECT_LE(distance({"aspdc", std::string(kind.name), 5, l1, intercept, Storage::dense, {{"draw", draw}}}, 15),
                    rounding)
              << fmt::format("{} l1 {} intercept {} {}", kind.name, l1, name_of(intercept), draw);
  }
}

// Beyond pass 50, when w has been recomputed from y and the center.
TEST(OuterLoop, continues_unchanged_when_w_is_recomputed) {
  for (const char* solver : {"aspdc-i", "catr"})
    for (const double l1 : {0.0, 0.03})
      EXPECT_LE(distance({solver, "logistic", 1e-4, l1, Intercept::free}, 120), rounding) << solver << " " << l1;
}

// The eager precision schedule moves its center within the 40 passes above, and not after every pass.
TEST(OuterLoop, precision_determines_when_the_center_moves) {
  const Dataset data = data_of(loss_kind("smooth-hinge"), Storage::sparse);
  const Problem problem = problem_of(data, {.solver = "", .loss = "smooth-hinge", .lambda = 0.001});
  EagerOuterLoop eager(problem, RowStep::derivative, {.K = 4, .schedule = Schedule::precision, .momentum = false});
  int moves = 0;
  for (int epoch = 0; epoch < 40; ++epoch) {
    const std::vector<Real> before = eager.center;
    eager.epoch(eager.drawable);
    moves += eager.center != before;
  }
  EXPECT_GT(moves, 3);
  EXPECT_LT(moves, 36);
}

// ---- identities ----

Point after(Solver& solver, int passes) {
  Point point;
  for (int k = 0; k < passes; ++k) solver.epoch();
  solver.read(point);
  return point;
}

TEST(OuterLoop, without_its_term_is_its_inner_method_bit_for_bit) {
  for (const char* loss : {"smooth-hinge", "logistic", "squared"})
    for (const double l1 : {0.0, 0.03})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const char* draw : {"permutation", "iid"}) {
          const Dataset data = data_of(loss_kind(loss), Storage::sparse);
          const Problem problem = problem_of(data, {"", loss, 20, l1, intercept});  // c is above 4: kappa <= 0
          const OptionValues drawn = {{"draw", draw}};
          OptionValues plain = {{"draw", draw}, {"extrapolate", "off"}, {"shrink", "off"}};
          for (const auto& [outer, inner, options] :
               {std::tuple{"catr", "sdca", plain}, {"asdca", "sdca", plain}, {"aspdc-i", "aspdc", drawn}}) {
            const Point a = after(*make_solver(problem, {outer, drawn, 5}), 60);
            const Point b = after(*make_solver(problem, {inner, options, 5}), 60);
            EXPECT_EQ(a.x, b.x) << outer << " " << loss;
            EXPECT_EQ(a.y, b.y) << outer << " " << loss;
            EXPECT_EQ(a.intercept, b.intercept) << outer << " " << loss;
          }
        }
}

// The center starts at the given x, not at 0: passes over the first problem of the outer loop do not move away from it.
TEST(OuterLoop, stays_at_the_optimum_that_it_starts_from) {
  const Dataset data = data_of(loss_kind("smooth-hinge"), Storage::sparse);
  for (const double l1 : {0.0, 0.03})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const Problem problem = problem_of(data, {"", "smooth-hinge", 0.02, l1, intercept});
      const Point best = after(*make_solver(problem, {"catr", {}, 1}), 1000);
      for (const char* solver : {"aspdc-i", "asdca", "catr"})
        for (const bool has_x : {true, false}) {
          Start start{.y = best.y, .intercept = best.intercept};
          if (has_x) start.x = best.x;
          Point point = after(*make_solver(problem, {solver, {}, 1}, start), 1);
          EXPECT_LE(Certifier(problem).certify(point).gap, 1e-10) << solver << " has x: " << has_x;
        }
    }
}

// phi* quadratic: the derivative step is SDCA's exact step times 1 + c_i |a_i|^2/(lambda gamma).
TEST(DerivativeSteps, are_over_relaxed_exact_steps_if_the_conjugate_is_quadratic) {
  const Dataset data = data_of(loss_kind("squared"), Storage::dense);
  const Problem problem = problem_of(data, {"", "squared", 2});
  const test::Matrix a = test::matrix_of(data);
  const auto derivatives = make_solver(problem, {"aspdc", {}, 5});
  Rng rng(5);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < data.n(); ++i)
    if (i != 3) order.push_back(i);
  std::vector<Real> y(data.n()), x(data.d());
  y[3] = -problem.scalar().target[3];
  for (int pass = 0; pass < 12; ++pass) {
    rng.shuffle(std::span(order));
    for (std::uint32_t i : order) {
      Real z = 0, square = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        z += a[i][j] * x[j];
        square += Real(a[i][j]) * a[i][j];
      }
      const Real c = problem.normalized_weight[i], q = c * square / problem.penalty.l2();
      const Real exact = (z - problem.scalar().target[i] + q * y[i]) / (1 + q) - y[i];
      const Real omega = 1 + c * square / problem.penalty.l2();
      for (std::size_t j = 0; j < x.size(); ++j) x[j] -= c / problem.penalty.l2() * omega * exact * a[i][j];
      y[i] += omega * exact;
    }
    const Point point = after(*derivatives, 1);
    for (std::size_t j = 0; j < x.size(); ++j) ASSERT_NEAR(point.x[j], double(x[j]), 1e-12) << "pass " << pass;
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(point.y[i], double(y[i]), 1e-12) << "pass " << pass;
  }
}

// g~*(v) = max_x x v - g~(x), by golden section.
TEST(OuterTerm, makes_a_penalty_whose_conjugate_is_the_formula) {
  Rng rng(9);
  for (int k = 0; k < 200; ++k) {
    const Real v = 3 * rng.normal(), center = rng.normal(), lambda = rng.uniform() + 0.01,
               l1 = k % 3 == 0 ? 0 : rng.uniform(), kappa = 4 * rng.uniform();
    const auto value = [&](Real x) {
      return x * v - l1 * std::abs(x) - lambda / 2 * x * x - kappa / 2 * (x - center) * (x - center);
    };
    Real lo = -1000, hi = 1000;
    const Real golden = (std::sqrt(Real(5)) - 1) / 2;
    for (int step = 0; step < 200; ++step) {
      const Real a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
      (value(a) < value(b) ? lo : hi) = value(a) < value(b) ? a : b;
    }
    EXPECT_NEAR(double(value((lo + hi) / 2)), double(test::shifted_conjugate(v, center, lambda, l1, kappa)), 1e-12);
  }
}

// The gap of the precision schedule has only the terms of the rows; it equals the full formula.
TEST(OuterTerm, leaves_only_the_terms_of_the_rows_in_the_gap) {
  for (const LossKind& kind : loss_kinds()) {
    if (kind.gamma() == 0) continue;
    for (const double l1 : {0.0, 0.03}) {
      const Dataset data = data_of(kind, Storage::sparse);
      const Problem problem = problem_of(data, {"", std::string(kind.name), 0.05, l1});
      EagerOuterLoop eager(problem, RowStep::exact, {.K = 1});
      ASSERT_GT(eager.kappa, 0);
      for (int epoch = 0; epoch < 7; ++epoch) {
        eager.epoch(eager.drawable);
        const Point point{eager.as_doubles(eager.x()), {0.0}, eager.as_doubles(eager.y)};
        std::vector<double> scores;
        const double gap = static_cast<double>(eager.gap_with_outer_term());
        EXPECT_NEAR(gap_of_rows(problem, point, 0, scores), gap, 1e-13) << kind.name;
        EXPECT_GT(gap, 1e-9) << kind.name;
      }
    }
  }
}

}  // namespace outer_loop_test
}  // namespace seesaw
