// The batch engines against the same methods in long double with every product written out, iterate by iterate; and
// identities between methods.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <functional>

#include "sampling/subset.h"
#include "solvers/catalog.h"
#include "solvers/engines/accelerated_gradient.h"
#include "solvers/engines/primal_dual.h"
#include "solvers/parts/steps/data_curvature.h"
#include "solvers/parts/steps/spectral_norm.h"
#include "support/eager_batch.h"
#include "support/problems.h"

namespace seesaw {
namespace batch_test {

using test::EagerBatch;
using test::Storage;

struct Case {
  const LossKind* kind;
  double lambda, l1;
  Intercept intercept = Intercept::none;
  Storage storage = Storage::sparse;
  bool weighted = false;
};

// 50 rows, one of them empty, with a label in the range that smoothing changes.
struct Posed {
  explicit Posed(const Case& c) : data(test::random_data(50, 8, c.kind->target, 11, c.storage)) {
    if (c.kind->target == Target::number) data.labels[3] = 0.0025;
    if (c.weighted)
      for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
    Objective objective;
    objective.loss = c.kind->name;
    objective.lambda = c.lambda;
    objective.l1 = c.l1;
    objective.intercept = c.intercept;
    problem = make_problem(data, objective);
    bias_entry = RowFacts(problem).bias_entry;
    norm = spectral_norm(problem, bias_entry);
  }
  Dataset data;
  Problem problem;
  double bias_entry, norm;
};

class FixedSteps final : public BatchStepRule {
 public:
  FixedSteps(const Problem& problem, const BatchSteps& steps) : BatchStepRule(problem), steps_(steps) {}
  BatchSteps steps(double) override { return steps_; }

 private:
  BatchSteps steps_;
};

BatchSteps some_steps(const Posed& posed, double gamma, DualStep dual_step) {
  const double e = std::max(posed.problem.penalty.l2(), 1e-3);
  return {.tau = std::sqrt(gamma / e) / posed.norm,
          .sigma = std::sqrt(dual_step == DualStep::dual_free ? e * gamma : e / gamma) / posed.norm,
          .theta = 0.93};
}

double distance(Solver& solver, EagerBatch& eager, int iterations, const std::function<void()>& step) {
  double worst = 0;
  Point point;
  for (int k = 0; k < iterations; ++k) {
    solver.epoch();
    step();
    solver.read(point);
    worst = std::max(worst, eager.distance(point));
  }
  return worst;
}

double distance_of_primal_dual(const Case& c, DualStep dual_step) {
  const Posed posed(c);
  EagerBatch eager(posed.problem, dual_step);
  const BatchSteps steps = some_steps(posed, eager.gamma(), dual_step);
  const auto solver = make_batch_primal_dual(
      posed.problem, {.rule = std::make_unique<FixedSteps>(posed.problem, steps), .dual_step = dual_step}, {});
  return distance(*solver, eager, 60, [&] { eager.primal_dual_step(steps.tau, steps.sigma, steps.theta); });
}

double distance_of_gradient(const Case& c, const AcceleratedGradientSpec& spec, int* restarts = nullptr) {
  const Posed posed(c);
  EagerBatch eager(posed.problem, DualStep::euclidean);
  const double L = posed.norm * posed.norm / eager.gamma();
  const auto solver = make_accelerated_gradient(posed.problem, spec, {});
  const double result = distance(*solver, eager, 100, [&] { eager.gradient_step(L, spec); });
  if (restarts != nullptr) *restarts += eager.restarts;
  return result;
}

// The derivative of a nonsmooth loss smoothed by g magnifies the rounding of z by 1/g, about 100 here.
double allowed_of_gradient(const LossKind& kind) { return kind.gamma() > 0 ? 1e-11 : 1e-10; }

TEST(BatchPrimalDual, is_the_one_in_long_double) {
  for (const LossKind& kind : loss_kinds())
    for (const auto& [lambda, l1] : {std::pair{1e-2, 0.0}, {1e-4, 2e-3}, {0.0, 2e-3}, {0.0, 0.0}})
      for (const DualStep dual_step : {DualStep::euclidean, DualStep::dual_free})
        EXPECT_LE(distance_of_primal_dual({&kind, lambda, l1}, dual_step), 1e-11)
            << kind.name << " lambda " << lambda << " l1 " << l1 << " dual step " << int(dual_step);
}

TEST(AcceleratedGradient, is_the_one_in_long_double) {
  int restarts[2] = {};
  for (const LossKind& kind : loss_kinds())
    for (const auto& [lambda, l1] : {std::pair{1e-2, 0.0}, {1e-4, 2e-3}, {0.0, 2e-3}, {0.0, 0.0}})
      for (const double mu : {0.0, lambda, lambda + 1e-3})
        for (const bool restart : {true, false})
          EXPECT_LE(distance_of_gradient({&kind, lambda, l1}, {mu, restart}, mu > 0 ? &restarts[1] : &restarts[0]),
                    allowed_of_gradient(kind))
              << kind.name << " lambda " << lambda << " l1 " << l1 << " mu " << mu << " restart " << restart;
  EXPECT_GT(restarts[0], 10);  // restarts occurred, without and with mu
  EXPECT_GT(restarts[1], 10);
}

TEST(BatchMethods, are_the_same_in_every_storage_with_weights_and_intercepts) {
  for (const char* loss : {"smooth-hinge", "logistic", "squared", "absolute"})
    for (const double l1 : {0.0, 2e-3})
      for (const Storage storage : test::all_storages)
        for (const Intercept intercept : {Intercept::none, Intercept::free}) {
          const Case c{&loss_kind(loss), 1e-2, l1, intercept, storage, true};
          for (const DualStep dual_step : {DualStep::euclidean, DualStep::dual_free})
            EXPECT_LE(distance_of_primal_dual(c, dual_step), 1e-11)
                << loss << " l1 " << l1 << " storage " << int(storage) << " intercept " << int(intercept);
          for (const double mu : {0.0, 1e-2})
            EXPECT_LE(distance_of_gradient(c, {.mu = mu}), allowed_of_gradient(*c.kind))
                << loss << " l1 " << l1 << " storage " << int(storage) << " intercept " << int(intercept);
        }
}

// The recipes use the steps printed in the paper, with n and K = |A|.
TEST(BatchRecipes, use_the_printed_steps) {
  const Posed posed({&loss_kind("squared"), 1e-3, 2e-3});
  const double n = 50, lambda = 1e-3, gamma = 1;
  const double K = std::sqrt(n) * posed.norm, mu2 = n * data_curvature(posed.problem, 0), Delta = mu2 / n;
  const auto expect = [&](const char* name, DualStep dual_step, double tau, double sigma, double theta) {
    EagerBatch eager(posed.problem, dual_step);
    const auto solver = make_solver(posed.problem, {name, {}, 1});
    EXPECT_LE(distance(*solver, eager, 60, [&] { eager.primal_dual_step(tau, sigma, theta); }), 1e-11) << name;
  };
  expect("bpd", DualStep::euclidean, std::sqrt(n * gamma / lambda) / K, std::sqrt(n * lambda / gamma) / K,
         1 / (1 + 2 * std::sqrt(n * lambda * gamma) / K));
  const double e = lambda + Delta, tau = std::sqrt(n * gamma / e) / K, sigma = std::sqrt(e / (n * gamma)) / K;
  const double ty = 1 / (1 + sigma * n * gamma / 2), df = 1 / n;
  expect("opt-bpd", DualStep::euclidean, tau, n * sigma,
         std::max(ty, (1 - df / (df + 2 * sigma) * mu2 / (K * K)) / (1 + tau * lambda)));
  const double tau0 = std::sqrt(n * gamma / lambda) / K, sigma0 = std::sqrt(n * gamma * lambda) / K;
  expect("df-bpd", DualStep::dual_free, tau0, sigma0, std::max(1 / (1 + sigma0 / 2), 1 / (1 + tau0 * lambda)));
  EXPECT_GT(Delta, lambda);
}

// Without strong convexity of the loss opt-bpd equals bpd.
TEST(OptBpd, is_bpd_if_delta_is_zero) {
  for (const char* loss : {"logistic", "smooth-hinge", "huber", "hinge"}) {
    const Posed posed({&loss_kind(loss), 1e-3, 0});
    Point a, b;
    const auto opt = make_solver(posed.problem, {"opt-bpd", {}, 1}), bpd = make_solver(posed.problem, {"bpd", {}, 1});
    for (int k = 0; k < 30; ++k) {
      opt->epoch();
      bpd->epoch();
    }
    opt->read(a);
    bpd->read(b);
    EXPECT_EQ(a.x, b.x) << loss;
    EXPECT_EQ(a.y, b.y) << loss;
  }
}

class AllRows final : public StepRule {  // SPDC with all rows in one batch
 public:
  AllRows(const Problem& problem, const BatchSteps& steps) : StepRule(problem), steps_(steps) {
    sampler = std::make_unique<SubsetSampler>(facts.drawable, Rng(5));
  }
  Steps steps(double) override { return {{steps_.tau}, {steps_.theta}, {steps_.sigma}, facts.normalized_weight}; }

 private:
  BatchSteps steps_;
};

TEST(BatchPrimalDual, is_spdc_with_all_rows_in_a_batch_at_equal_steps) {
  for (const char* loss : {"squared", "logistic", "smooth-hinge"})
    for (const double l1 : {0.0, 2e-3})
      for (const Intercept intercept : {Intercept::none, Intercept::free}) {
        test::Matrix matrix = test::random_matrix(50, 8, 11);
        matrix[3].assign(8, 0.5);  // no empty row: an epoch is one batch
        Dataset data = test::table(matrix);
        data.labels = test::random_labels(matrix, loss_kind(loss).target, 11);
        for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
        Objective objective;
        objective.loss = loss;
        objective.lambda = 1e-3;
        objective.l1 = l1;
        objective.intercept = intercept;
        const Problem problem = make_problem(data, objective);
        const double N = spectral_norm(problem, RowFacts(problem).bias_entry), e = 1e-3, gamma = problem.gamma();
        const BatchSteps steps{std::sqrt(gamma / e) / N, std::sqrt(e / gamma) / N, 0.9};
        const auto batch = make_batch_primal_dual(problem, {.rule = std::make_unique<FixedSteps>(problem, steps)}, {});
        const auto spdc =
            make_primal_dual(problem, {.rule = std::make_unique<AllRows>(problem, steps), .batch = 50}, {});
        Point a, b;
        for (int k = 1; k <= 60; ++k) {
          batch->epoch();
          spdc->epoch();
          batch->read(a);
          spdc->read(b);
          for (std::size_t j = 0; j < 8; ++j) ASSERT_NEAR(a.x[j], b.x[j], 1e-11) << loss << " iteration " << k;
          for (std::size_t i = 0; i < 50; ++i) ASSERT_NEAR(a.y[i], b.y[i], 1e-11) << loss << " iteration " << k;
          ASSERT_NEAR(a.intercept[0], b.intercept[0], 1e-11) << loss << " iteration " << k;
        }
      }
}

TEST(DualFreeBatch, is_the_euclidean_method_for_the_squared_loss) {
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    const Posed posed({&loss_kind("squared"), 1e-3, 2e-3, intercept, Storage::dense, true});
    const BatchSteps steps = some_steps(posed, 1, DualStep::euclidean);
    const auto make = [&](DualStep kind) {
      return make_batch_primal_dual(
          posed.problem, {.rule = std::make_unique<FixedSteps>(posed.problem, steps), .dual_step = kind}, {});
    };
    const auto euclidean = make(DualStep::euclidean), dual_free = make(DualStep::dual_free);
    Point a, b;
    for (int k = 1; k <= 100; ++k) {
      euclidean->epoch();
      dual_free->epoch();
      euclidean->read(a);
      dual_free->read(b);
      for (std::size_t j = 0; j < a.x.size(); ++j) ASSERT_NEAR(a.x[j], b.x[j], 1e-12) << k;
      for (std::size_t i = 0; i < a.y.size(); ++i) ASSERT_NEAR(a.y[i], b.y[i], 1e-12) << k;
    }
  }
}

// Large enough that products and loops are split into chunks.
TEST(BatchMethods, have_the_same_bits_for_any_number_of_threads) {
  const Dataset data = test::random_data(20000, 12, Target::sign, 6);
  for (const char* loss : {"logistic", "hinge"}) {
    Objective objective;
    objective.loss = loss;
    objective.lambda = 1e-4;
    const Problem problem = make_problem(data, objective);
    for (const char* name : {"bpd", "opt-bpd", "ada-bpd", "df-bpd", "primal-ag"}) {
      Point points[2];
      for (const std::size_t threads : {1, 2}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        const auto solver = make_solver(problem, {name, {}, threads});  // the seed has no effect either
        for (int k = 0; k < 25; ++k) solver->epoch();
        solver->read(points[threads - 1]);
      }
      EXPECT_EQ(points[0].x, points[1].x) << name << " " << loss;
      EXPECT_EQ(points[0].y, points[1].y) << name << " " << loss;
      EXPECT_EQ(points[0].intercept, points[1].intercept) << name << " " << loss;
    }
  }
}

}  // namespace batch_test
}  // namespace seesaw
