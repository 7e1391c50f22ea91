// L-BFGS against its textbook form in long double, iterate by iterate.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "solvers/catalog.h"
#include "solvers/engines/lbfgs.h"
#include "support/eager_lbfgs.h"
#include "support/problems.h"

namespace seesaw {
namespace lbfgs_test {

using test::EagerLbfgs;
using test::Storage;

struct Case {
  const char* loss;
  double lambda = 1e-2;
  std::size_t pairs = 5;
  Intercept intercept = Intercept::none;
  Storage storage = Storage::sparse;
  bool weighted = false;
};

Dataset data_of(const Case& c) {
  const LossKind& kind = loss_kind(c.loss);
  Dataset data = kind.target == Target::index ? test::random_classes(60, 8, 3, 11, c.storage)
                                              : test::random_data(60, 8, kind.target, 11, c.storage);
  if (c.weighted)
    for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
  return data;
}

Problem problem_of(const Dataset& data, const Case& c) {
  Objective objective;
  objective.loss = c.loss;
  objective.lambda = c.lambda;
  objective.intercept = c.intercept;
  return make_problem(data, objective);
}

// The largest distance of the iterates, until the gradient is `until` of the first; 40 of them, since differences by
// rounding grow where the Hessian is badly conditioned or discontinuous.
double distance(const Case& c, int* iterations = nullptr, bool rounded = true, long double until = 1e-9L) {
  const Dataset data = data_of(c);
  const Problem problem = problem_of(data, c);
  EagerLbfgs eager(problem, c.pairs, lbfgs_line_accuracy, rounded);
  const auto solver = make_lbfgs(problem, {.pairs = c.pairs}, {});
  const long double first = eager.gradient_norm();
  double worst = 0;
  Point point;
  int k = 0;
  for (; k < 40 && eager.gradient_norm() > until * first; ++k) {
    solver->epoch();
    eager.step();
    solver->read(point);
    worst = std::max(worst, eager.distance(point));
  }
  if (iterations != nullptr) *iterations = k;
  return worst;
}

constexpr double allowed = 1e-9;

TEST(Lbfgs, is_the_one_in_long_double) {
  for (const char* loss :
       {"squared", "huber", "squared-epsilon-insensitive", "smooth-hinge", "squared-hinge", "logistic", "softmax"})
    for (const double lambda : {1.0, 1e-2, 1e-4})
      for (const std::size_t pairs : {1u, 5u, 20u}) {
        int iterations = 0;
        EXPECT_LE(distance({loss, lambda, pairs}, &iterations), allowed)
            << loss << " lambda " << lambda << " pairs " << pairs << " iterations " << iterations;
        EXPECT_GE(iterations, 4) << loss;
      }
}

// Pairs stored as floats make steps that differ by about 1e-7 from those of exact pairs.
TEST(Lbfgs, is_close_to_the_one_with_exact_pairs) {
  for (const char* loss : {"squared", "squared-hinge", "logistic", "softmax"})
    for (const double lambda : {1.0, 1e-2})
      EXPECT_LE(distance({loss, lambda, 10}, nullptr, false, 1e-4L), 1e-5) << loss << " lambda " << lambda;
}

TEST(Lbfgs, is_the_same_in_every_storage_with_weights_and_intercepts) {
  for (const char* loss : {"squared", "smooth-hinge", "logistic", "softmax"})
    for (const Storage storage : test::all_storages)
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        EXPECT_LE(distance({loss, 1e-2, 5, intercept, storage, true}), allowed)
            << loss << " storage " << int(storage) << " intercept " << int(intercept);
}

TEST(Lbfgs, has_the_same_bits_for_any_number_of_threads) {
  for (const char* loss : {"logistic", "squared-hinge", "softmax"}) {
    const bool classes = std::string(loss) == "softmax";
    const Dataset data =
        classes ? test::random_classes(1500, 250, 40, 3) : test::random_data(20000, 30, Target::sign, 3);
    const Problem problem = problem_of(data, {loss, 1e-4, 10, Intercept::free});
    Point points[2];
    for (const std::size_t threads : {1u, 2u}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      const auto solver = make_solver(problem, {"lbfgs", {}, threads});  // the seed has no effect either
      for (int k = 0; k < 12; ++k) solver->epoch();
      solver->read(points[threads - 1]);
    }
    EXPECT_EQ(points[0].x, points[1].x) << loss;
    EXPECT_EQ(points[0].y, points[1].y) << loss;
    EXPECT_EQ(points[0].intercept, points[1].intercept) << loss;
  }
}

}  // namespace lbfgs_test
}  // namespace seesaw
