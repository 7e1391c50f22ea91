// The primal-dual engine with its deferred coordinates against an eager version in long double, iterate by iterate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sampling/subset.h"
#include "sampling/uniform.h"
#include "solvers/parts/steps/spdc_steps.h"
#include "support/eager_primal_dual.h"
#include "support/problems.h"

namespace seesaw {
namespace primal_dual_test {

using test::Storage;

enum class Kind { constant, by_row, non_uniform };  // steps

class TestSteps final : public StepRule {
 public:
  TestSteps(const Problem& problem, Kind kind, std::size_t batch) : StepRule(problem), kind_(kind), batch_(batch) {
    if (batch > 1) sampler = std::make_unique<SubsetSampler>(facts.drawable, Rng(5));
    else sampler = std::make_unique<UniformSampler>(facts.drawable, Rng(5));
  }
  Steps steps(double gamma) override {
    Steps steps;
    const auto b = static_cast<double>(batch_);
    const double R = facts.largest;
    const SpdcSteps all = spdc_steps(R, facts.m, b, facts.lambda, gamma);
    if (kind_ != Kind::by_row) {
      steps.tau = {all.tau};
      steps.theta = {all.theta};
    }
    for (std::size_t i = 0; i < facts.n; ++i) {
      const SpdcSteps own = spdc_steps(std::max(facts.norm[i], 0.3 * R), facts.m, b, facts.lambda, gamma);
      const double factor =
          kind_ == Kind::non_uniform ? 0.5 + static_cast<double>(i % 5) / 4 : 1;  // as if p_i differed
      if (kind_ == Kind::by_row) {
        steps.tau.push_back(own.tau);
        steps.theta.push_back(own.theta);
      }
      steps.sigma.push_back((kind_ == Kind::by_row ? own.sigma : all.sigma) / factor / 2);
      steps.weight.push_back(facts.normalized_weight[i] * facts.m / b / factor);
    }
    return steps;
  }

 private:
  Kind kind_;
  std::size_t batch_;
};

Dataset sparse_data(Target target, Storage storage, std::uint64_t seed) {
  Rng rng(seed);
  test::Matrix matrix(50, std::vector<double>(40));
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < 40; ++j)
      if (i != 7 && rng.uniform() < 0.15) matrix[i][j] = rng.normal();  // row 7 is empty
  Dataset data = test::table(matrix, storage);
  data.labels = test::random_labels(matrix, target == Target::index ? Target::sign : target, seed);
  if (target == Target::index)
    for (std::size_t i = 0; i < 50; ++i) data.labels[i] = static_cast<double>(i % 3);
  data.source = "random";
  return data;
}

struct Case {
  const LossKind* kind;
  double lambda, l1;
  Kind steps = Kind::constant;
  Extrapolate extrapolate = Extrapolate::primal;
  DualStep dual_step = DualStep::euclidean;
  std::size_t batch = 1;
  BatchNorm batch_norm = BatchNorm::largest;
  Intercept intercept = Intercept::none;
  Storage storage = Storage::sparse;
  bool weighted = false;
};

// The largest distance over the epochs of x, y and b of the two, relative to the size of x.
double distance(const Case& c, int epochs) {
  Dataset data = sparse_data(c.kind->target, c.storage, 11);
  if (c.weighted)
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
  Objective objective;
  objective.loss = c.kind->name;
  objective.lambda = c.lambda;
  objective.l1 = c.l1;
  objective.intercept = c.intercept;
  const Problem problem = make_problem(data, objective);
  const auto solver = make_primal_dual(problem,
                                       {.rule = std::make_unique<TestSteps>(problem, c.steps, c.batch),
                                        .extrapolate = c.extrapolate,
                                        .dual_step = c.dual_step,
                                        .batch = c.batch,
                                        .batch_norm = c.batch_norm},
                                       {});
  TestSteps rule(problem, c.steps, c.batch);
  test::EagerPrimalDual eager(problem, rule, c.extrapolate, c.dual_step, c.batch, c.batch_norm);
  double worst = 0, smallest_size = c.lambda > 1 ? 0 : 1;  // x itself is of the order of 1/lambda
  Point point;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    solver->epoch();
    eager.epoch();
    solver->read(point);
    const std::vector<double> x = eager.x();
    double size = smallest_size;
    for (double xj : x) size = std::max(size, std::abs(xj));
    for (std::size_t j = 0; j < x.size(); ++j) {
      worst = std::max(worst, std::abs(point.x[j] - x[j]) / size);
      if (c.l1 > 0 && x[j] == 0 && point.x[j] != 0) return infinity;  // zeros are zeros
    }
    for (std::size_t i = 0; i < point.y.size(); ++i)
      worst = std::max(worst, std::abs(point.y[i] - static_cast<double>(eager.y()[i])) / std::max(1.0, size));
    for (std::size_t k = 0; k < point.intercept.size(); ++k)
      worst = std::max(worst, std::abs(point.intercept[k] - eager.intercept(k)) / size);
  }
  return worst;
}

TEST(PrimalDual, deferred_coordinates_are_the_eager_ones) {
  for (const LossKind& kind : loss_kinds())
    for (const double l1 : {0.0, 2e-4, 5e-3})
      for (const double lambda : {1e-2, 1e-4, 1e-6})
        for (const Kind steps : {Kind::constant, Kind::by_row, Kind::non_uniform})
          for (const Extrapolate extrapolate : {Extrapolate::primal, Extrapolate::dual}) {
            if (extrapolate == Extrapolate::dual && steps == Kind::by_row) continue;  // one tau there
            EXPECT_LE(
                distance({.kind = &kind, .lambda = lambda, .l1 = l1, .steps = steps, .extrapolate = extrapolate}, 30),
                1e-11)
                << kind.name << " lambda " << lambda << " l1 " << l1 << " steps " << int(steps) << " extrapolate "
                << int(extrapolate);
          }
}

TEST(PrimalDual, is_the_eager_one_in_every_storage_with_weights_and_intercepts) {
  for (const char* loss : {"smooth-hinge", "logistic", "squared", "absolute"})
    for (const double l1 : {0.0, 2e-3})
      for (const Storage storage : test::all_storages)
        for (const Intercept intercept : {Intercept::none, Intercept::free})
          for (const Extrapolate extrapolate : {Extrapolate::primal, Extrapolate::dual})
            EXPECT_LE(distance({.kind = &loss_kind(loss),
                                .lambda = 1e-2,
                                .l1 = l1,
                                .extrapolate = extrapolate,
                                .intercept = intercept,
                                .storage = storage,
                                .weighted = true},
                               20),
                      1e-11)
                << loss << " l1 " << l1 << " storage " << int(storage) << " intercept " << int(intercept);
}

TEST(PrimalDual, batches_and_dual_free_steps_are_the_eager_ones) {
  for (const char* loss : {"smooth-hinge", "logistic", "squared"})
    for (const double l1 : {0.0, 2e-3}) {
      for (const std::size_t batch : {2, 7, 49})
        for (const BatchNorm norm : {BatchNorm::largest, BatchNorm::mean})
          EXPECT_LE(distance({.kind = &loss_kind(loss),
                              .lambda = 1e-3,
                              .l1 = l1,
                              .steps = Kind::by_row,
                              .batch = batch,
                              .batch_norm = norm},
                             30),
                    1e-11)
              << loss << " l1 " << l1 << " batch " << batch;
      EXPECT_LE(distance({.kind = &loss_kind(loss), .lambda = 1e-3, .l1 = l1, .dual_step = DualStep::dual_free}, 30),
                1e-11)
          << loss;
    }
}

TEST(PrimalDual, blocks_are_the_eager_ones) {
  for (const LossKind& kind : block_loss_kinds())
    for (const double l1 : {0.0, 2e-3})
      for (const Storage storage : {Storage::sparse, Storage::dense})
        for (const Intercept intercept : {Intercept::none, Intercept::free})
          for (const Extrapolate extrapolate : {Extrapolate::primal, Extrapolate::dual})
            for (const std::size_t batch : {1, 4}) {
              if (extrapolate == Extrapolate::dual && batch > 1) continue;
              EXPECT_LE(distance({.kind = &kind,
                                  .lambda = 1e-3,
                                  .l1 = l1,
                                  .extrapolate = extrapolate,
                                  .batch = batch,
                                  .intercept = intercept,
                                  .storage = storage,
                                  .weighted = true},
                                 20),
                        1e-11)
                  << kind.name << " l1 " << l1 << " intercept " << int(intercept) << " batch " << batch;
            }
}

// Beyond pass 50, when s has been recomputed.
TEST(PrimalDual, continues_unchanged_when_s_is_recomputed) {
  for (const double l1 : {0.0, 2e-3})
    for (const Extrapolate extrapolate : {Extrapolate::primal, Extrapolate::dual})
      EXPECT_LE(distance({.kind = &loss_kind("logistic"),
                          .lambda = 1e-3,
                          .l1 = l1,
                          .extrapolate = extrapolate,
                          .intercept = Intercept::free},
                         60),
                1e-11)
          << l1;
}

// Large lambda: the running products would underflow within a pass, and are reset before.
TEST(PrimalDual, survives_products_that_underflow) {
  for (const double l1 : {0.0, 0.1})
    for (const Extrapolate extrapolate : {Extrapolate::primal, Extrapolate::dual})
      EXPECT_LE(distance({.kind = &loss_kind("squared"), .lambda = 1e7, .l1 = l1, .extrapolate = extrapolate}, 20),
                1e-11);
}

}  // namespace primal_dual_test
}  // namespace seesaw
