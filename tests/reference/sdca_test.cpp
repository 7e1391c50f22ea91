// SDCA against a slow, simple version: dense, eager, long double, every step found by search. The same rows in the same
// order, iterate by iterate.
#include <gtest/gtest.h>

#include <numeric>

#include "model/intercept.h"
#include "sampling/uniform.h"
#include "solvers/catalog.h"
#include "support/problems.h"

namespace seesaw {
namespace sdca_test {

using test::Matrix;
using test::Storage;

// argmax_y of a concave function on [lo, hi] by golden section in long double.
template <class F>
long double argmax(const F& f, long double lo, long double hi) {
  const long double golden = (std::sqrt(5.0L) - 1) / 2;
  for (int k = 0; k < 160; ++k) {
    const long double a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
    if (f(a) < f(b)) lo = a;
    else hi = b;
  }
  return (lo + hi) / 2;
}

struct Reference {
  const Problem& p;
  Matrix a;
  std::vector<long double> y, v, norm;
  long double center = 0, kappa = 0;

  explicit Reference(const Problem& problem)
      : p(problem), a(test::matrix_of(*problem.data)), y(p.n()), v(p.d()), norm(p.n()) {
    long double mean = 0;
    for (std::size_t i = 0; i < p.n(); ++i) {
      for (double e : a[i]) norm[i] += (long double)e * e;
      mean += p.normalized_weight[i] * norm[i];
    }
    if (p.free_intercept()) {
      const double gamma = gamma_of(p.scalar().loss);
      long double size = 0;
      for (std::size_t i = 0; i < p.n(); ++i) size += p.normalized_weight[i] * std::abs(p.scalar().target[i]);
      kappa = 1 / std::max(mean / (3 * p.penalty.l2()), gamma > 0 ? 3.0L * gamma : size);
      center = best_intercept(p, std::vector<double>(p.n()), 0, 0);
    }
    if (!p.free_intercept())
      for (std::size_t i = 0; i < p.n(); ++i)
        if (norm[i] == 0)
          y[i] =
              std::visit([&](const auto& loss) { return loss.derivative(p.scalar().target[i], 0); }, p.scalar().loss);
  }
  long double intercept() const {
    if (!p.free_intercept()) return 0;
    long double sum = 0;
    for (std::size_t i = 0; i < p.n(); ++i) sum += p.normalized_weight[i] * y[i];
    return center - sum / kappa;
  }
  std::vector<long double> x() const {
    std::vector<long double> result;
    for (long double vj : v)
      result.push_back(std::copysign(std::max(0.0L, std::abs(vj) - p.penalty.l1()), vj) / p.penalty.l2());
    return result;
  }
  void step(std::size_t i) {
    const auto primal = x();
    long double z = intercept();
    for (std::size_t j = 0; j < p.d(); ++j) z += a[i][j] * primal[j];
    const long double q = p.normalized_weight[i] * (norm[i] / p.penalty.l2() + (p.free_intercept() ? 1 / kappa : 0));
    const Interval box =
        std::visit([&](const auto& loss) { return loss.domain(p.scalar().target[i]); }, p.scalar().loss);
    const auto objective = [&](long double t) {
      return t * z -
             test::conjugate_by_hand<long double>(std::string(p.kind->name), p.loss_parameter, p.scalar().target[i],
                                                  t) -
             q / 2 * (t - y[i]) * (t - y[i]);
    };
    const long double best = argmax(objective, std::max(box.lo, -200.0), std::min(box.hi, 200.0));
    for (std::size_t j = 0; j < p.d(); ++j) v[j] -= p.normalized_weight[i] * (best - y[i]) * a[i][j];
    y[i] = best;
  }
};

class SdcaReference : public testing::TestWithParam<const LossKind*> {};

TEST_P(SdcaReference, agrees_iterate_by_iterate) {
  const LossKind& kind = *GetParam();
  for (const Storage storage : test::all_storages)
    for (const double l1 : {0.0, 0.03})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const bool iid : {false, true}) {
          Dataset data = test::random_data(14, 5, kind.target, 3, storage);
          data.weights = {1, 2, 1, 1, 0.5, 1, 3, 1, 1, 1, 1, 0.25, 1, 1};
          Objective objective;
          objective.loss = kind.name;
          objective.lambda = 0.1;
          if (l1 > 0) objective.l1 = l1;
          objective.intercept = intercept;
          const Problem problem = make_problem(data, objective);
          const auto solver =
              make_solver(problem, {"sdca", iid ? OptionValues{{"draw", "iid"}} : OptionValues{{"shrink", "off"}}, 7});

          Reference reference(problem);
          Rng rng(7);
          std::vector<std::uint32_t> order;
          for (std::uint32_t i = 0; i < 14; ++i)
            if (reference.norm[i] > 0 || problem.free_intercept()) order.push_back(i);
          UniformSampler uniform(order, Rng(7));
          std::vector<std::uint32_t> draws(14);
          for (int pass = 0; pass < 4; ++pass) {
            rng.shuffle(std::span(order));
            uniform.fill(draws);
            for (std::uint32_t i : iid ? draws : order) reference.step(i);
            reference.center = reference.intercept();
            solver->epoch();
            Point point;
            solver->read(point);
            const auto x = reference.x();
            // Golden section finds an argmax only to the square root of the precision of long double.
            for (std::size_t i = 0; i < 14; ++i)
              ASSERT_NEAR(point.y[i], (double)reference.y[i], 2e-8) << kind.name << " pass " << pass << " row " << i;
            for (std::size_t j = 0; j < 5; ++j)
              ASSERT_NEAR(point.x[j], (double)x[j], 2e-7) << kind.name << " pass " << pass;
            ASSERT_NEAR(point.intercept[0], (double)reference.intercept(), 2e-7) << kind.name << " pass " << pass;
          }
          EXPECT_NEAR(solver->work().passes, iid ? 4 : 4.0 * (double)order.size() / 14, 1e-12);
        }
}

std::vector<const LossKind*> every_loss() {
  std::vector<const LossKind*> all;
  for (const LossKind& kind : loss_kinds()) all.push_back(&kind);
  return all;
}

INSTANTIATE_TEST_SUITE_P(EveryLoss, SdcaReference, testing::ValuesIn(every_loss()), [](const auto& instance) {
  std::string name(instance.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace sdca_test
}  // namespace seesaw
