// Dual ascent by lanes against a slow, simple version: dense, long double, every step and every line search by golden
// section on D itself. Then the same bits for any number of threads, and what the data decides.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <bit>
#include <numeric>

#include "model/intercept.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "solvers/parts/dual/lanes.h"
#include "support/problems.h"

namespace seesaw {
namespace lanes_test {

using test::Matrix;
using Real = long double;

template <class F>
Real argmax(const F& f, Real lo, Real hi) {
  const Real golden = (std::sqrt(5.0L) - 1) / 2;
  for (int k = 0; k < 160; ++k) {
    const Real a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
    if (f(a) < f(b)) lo = a;
    else hi = b;
  }
  return (lo + hi) / 2;
}

struct SlowLanes {
  const Problem& p;
  std::size_t lanes, size;  // of a round
  Matrix a;
  std::vector<Real> y;
  Real center = 0, inverse_kappa = 0;  // of the free intercept

  SlowLanes(const Problem& problem, std::size_t count)
      : p(problem), lanes(count), size(0), a(test::matrix_of(*problem.data)), y(p.n()) {
    Real mean = 0, target = 0;
    for (std::size_t i = 0; i < p.n(); ++i) {
      mean += p.normalized_weight[i] * norm(i);
      target += p.normalized_weight[i] * std::abs(p.scalar().target[i]);
      if (norm(i) == 0 && !p.free_intercept())
        y[i] = std::visit([&](const auto& loss) { return loss.derivative(p.scalar().target[i], 0); }, p.scalar().loss);
    }
    if (!p.free_intercept()) return;
    const double gamma = gamma_of(p.scalar().loss);
    inverse_kappa = std::max(mean / (3 * p.penalty.l2()), gamma > 0 ? 3.0L * gamma : target);
    center = best_intercept(p, std::vector<double>(p.n()), 0, 0);
  }
  Real norm(std::size_t i) const {
    return std::inner_product(a[i].begin(), a[i].end(), a[i].begin(), Real{0}, std::plus<>(),
                              [](double u, double v) { return Real{u} * v; });
  }
  Real conjugate(std::size_t i, Real t) const {
    return test::conjugate_by_hand<Real>(std::string(p.kind->name), p.loss_parameter, p.scalar().target[i], t);
  }
  std::vector<Real> x(const std::vector<Real>& at) const {
    std::vector<Real> result(p.d());
    for (std::size_t i = 0; i < p.n(); ++i)
      for (std::size_t j = 0; j < p.d(); ++j) result[j] -= p.normalized_weight[i] * at[i] * a[i][j] / p.penalty.l2();
    return result;
  }
  Real sum(const std::vector<Real>& at) const {
    Real total = 0;
    for (std::size_t i = 0; i < p.n(); ++i) total += p.normalized_weight[i] * at[i];
    return total;
  }
  Real intercept(const std::vector<Real>& at) const {
    return p.free_intercept() ? center - inverse_kappa * sum(at) : 0;
  }
  // D of the problem with the proximal term of the intercept, up to a constant.
  Real dual(const std::vector<Real>& at) const {
    Real value = center * sum(at) - inverse_kappa / 2 * sum(at) * sum(at);
    for (Real xj : x(at)) value -= p.penalty.l2() / 2 * xj * xj;
    for (std::size_t i = 0; i < p.n(); ++i) value -= p.normalized_weight[i] * conjugate(i, at[i]);
    return value;
  }
  void step(std::vector<Real>& at, std::size_t i) const {
    const auto primal = x(at);
    const Real many = static_cast<Real>(lanes) * inverse_kappa;
    Real z = intercept(y) - many * (sum(at) - sum(y));  // the intercept as if all lanes had the same shift
    for (std::size_t j = 0; j < p.d(); ++j) z += a[i][j] * primal[j];
    const Real q = p.normalized_weight[i] * (norm(i) / p.penalty.l2() + many), y0 = at[i];
    const Interval box =
        std::visit([&](const auto& loss) { return loss.domain(p.scalar().target[i]); }, p.scalar().loss);
    at[i] = argmax([&](Real t) { return t * z - conjugate(i, t) - q / 2 * (t - y0) * (t - y0); },
                   std::max(box.lo, -200.0), std::min(box.hi, 200.0));
  }
  void pass(const std::vector<std::uint32_t>& order) {
    size = std::max<std::size_t>(order.size() / (4 * lanes), 1);
    for (std::size_t begin = 0;; begin += size) {
      std::vector<Real> end = y;
      bool any = false;
      for (std::size_t k = 0; k < lanes; ++k) {
        std::vector<Real> own = y;
        const std::size_t first = order.size() * k / lanes, last = order.size() * (k + 1) / lanes;
        for (std::size_t at = first + begin; at < std::min(first + begin + size, last); ++at) {
          step(own, order[at]);
          end[order[at]] = own[order[at]];
          any = true;
        }
      }
      if (!any) break;
      const auto point = [&](Real t) {
        std::vector<Real> at = y;
        for (std::size_t i = 0; i < y.size(); ++i) at[i] += t * (end[i] - y[i]);
        return at;
      };
      const Real best = argmax([&](Real t) { return dual(point(t)); }, 0, 1);
      shortest = std::min(shortest, best);
      y = point(best);
    }
    center = intercept(y);
  }
  Real shortest = 1;
};

Problem problem_of(const Dataset& data, const LossKind& kind, double lambda, Intercept intercept) {
  Objective objective;
  objective.loss = kind.name;
  objective.lambda = lambda;
  objective.intercept = intercept;
  return make_problem(data, objective);
}

TEST(Lanes, agree_with_the_slow_version_iterate_by_iterate) {
  Real shortest = 1;
  for (const LossKind& kind : loss_kinds())
    for (const Intercept intercept : {Intercept::none, Intercept::free})
      for (const std::size_t lanes : {std::size_t{2}, std::size_t{3}}) {
        if (kind.target == Target::index) continue;
        Dataset data = test::random_data(20, 4, kind.target, 5);
        for (std::size_t i = 0; i < 20; ++i) data.weights.push_back(0.5 + static_cast<double>(i % 3));
        const Problem problem = problem_of(data, kind, 0.05, intercept);
        const auto solver = make_solver(problem, {"sdca", {{"shrink", "off"}, {"lanes", std::to_string(lanes)}}, 7});
        SlowLanes slow(problem, lanes);
        Rng rng(7);
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < 20; ++i)
          if (slow.norm(i) > 0 || problem.free_intercept()) order.push_back(i);
        Point point;
        for (int pass = 0; pass < 3; ++pass) {
          rng.shuffle(std::span(order));
          slow.pass(order);
          solver->epoch();
          solver->read(point);
          const auto x = slow.x(slow.y);
          // Golden section on D finds t to about the square root of the precision of long double.
          for (std::size_t i = 0; i < 20; ++i)
            ASSERT_NEAR(point.y[i], static_cast<double>(slow.y[i]), 1e-6)
                << kind.name << " row " << i << " pass " << pass;
          for (std::size_t j = 0; j < 4; ++j) ASSERT_NEAR(point.x[j], static_cast<double>(x[j]), 1e-5) << kind.name;
          ASSERT_NEAR(point.intercept[0], static_cast<double>(slow.intercept(slow.y)), 1e-5) << kind.name;
        }
        EXPECT_NEAR(solver->work().passes, 3.0 * static_cast<double>(order.size()) / 20, 1e-12);
        shortest = std::min(shortest, slow.shortest);
      }
  EXPECT_LT(shortest, 0.8L);  // the line search was needed
}

// Enough rows that `auto` divides a pass, and enough columns for several chunks of a merge.
Dataset long_data() {
  const std::size_t n = 30000, d = 9000, size = 40;
  Rng rng(3);
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  Dataset data = test::table(Matrix(1, std::vector<double>(d, 1.0)));
  std::vector<double> labels;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t> own;
    while (own.size() < size) {
      const auto j = static_cast<std::uint32_t>(static_cast<double>(d) * rng.uniform() * rng.uniform());
      if (std::find(own.begin(), own.end(), j) == own.end()) own.push_back(j);
    }
    std::sort(own.begin(), own.end());
    double score = 0.3 * rng.normal();
    for (std::uint32_t j : own) {
      columns.push_back(j);
      values.push_back(1 / std::sqrt(static_cast<double>(size)));
      score += j % 2 == 0 ? 0.3 : -0.3;
    }
    offsets.push_back(columns.size());
    labels.push_back(score > 0 ? 1 : -1);
  }
  struct Arrays {
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
  };
  const auto owner = std::make_shared<Arrays>(Arrays{std::move(offsets), std::move(columns), std::move(values)});
  data.rows = SparseRows<double>(d, owner->offsets, owner->columns, owner->values, owner);
  data.nnz = owner->values.size();
  data.labels = std::move(labels);
  return data;
}

Point after_passes(const Problem& problem, const OptionValues& options, std::size_t threads, int passes) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const auto solver = make_solver(problem, {"sdca", options, 1});
  for (int pass = 0; pass < passes; ++pass) solver->epoch();
  Point point;
  solver->read(point);
  return point;
}

TEST(Lanes, have_the_same_bits_for_any_number_of_threads) {
  const Dataset data = long_data();
  for (const char* loss : {"hinge", "logistic"}) {
    const Problem problem = problem_of(data, loss_kind(loss), 1 / static_cast<double>(data.n()), Intercept::free);
    for (const char* lanes : {"auto", "3"}) {
      const OptionValues options{{"lanes", lanes}};
      const Point one = after_passes(problem, options, 1, 4);
      for (const std::size_t threads : {2, 3, 8}) {
        const Point other = after_passes(problem, options, threads, 4);
        EXPECT_EQ(other.x, one.x) << loss << " " << lanes << " " << threads;
        EXPECT_EQ(other.y, one.y) << loss << " " << lanes << " " << threads;
        EXPECT_EQ(other.intercept, one.intercept) << loss << " " << lanes << " " << threads;
      }
    }
    // auto is two lanes here, and not the same as a pass in one sequence
    EXPECT_EQ(after_passes(problem, {{"lanes", "auto"}}, 1, 1).y, after_passes(problem, {{"lanes", "2"}}, 1, 1).y);
    EXPECT_NE(after_passes(problem, {{"lanes", "auto"}}, 1, 1).y, after_passes(problem, {{"lanes", "off"}}, 1, 1).y);
  }
}

TEST(Lanes, are_chosen_by_the_data) {
  const auto lanes = [](std::size_t n, std::size_t d, std::size_t per_row, double lambda_n, double square) {
    return plan_lanes(automatic_lanes, n, d, n * per_row, lambda_n / static_cast<double>(n), square).lanes;
  };
  EXPECT_EQ(lanes(70000, 20000, 80, 1, 1), 2u);
  EXPECT_EQ(lanes(200000, 50000, 75, 1, 1), 2u);
  EXPECT_EQ(lanes(70000, 20000, 80, 0.5, 1), 1u);  // badly conditioned
  EXPECT_EQ(lanes(15935, 62061, 80, 1, 1), 1u);    // news20: too few rows for its columns
  EXPECT_EQ(lanes(7770, 8315, 62, 1, 1), 1u);      // reuters: small
  EXPECT_EQ(lanes(32561, 123, 14, 1, 14), 1u);     // a9a
  EXPECT_EQ(plan_lanes(4, 100, 10, 500, 1e-9, 1).lanes, 4u);
}

TEST(Lanes, are_refused_where_they_do_not_apply) {
  const Dataset data = test::random_data(20, 4, Target::sign, 5);
  const Problem l2 = problem_of(data, loss_kind("hinge"), 0.05, Intercept::none);
  EXPECT_THROW(make_solver(l2, {"sdca", {{"lanes", "2"}, {"draw", "iid"}}, 1}), InvalidOption);
  EXPECT_THROW(make_solver(l2, {"sdca", {{"lanes", "5"}}, 1}), InvalidOption);
  Objective elastic;
  elastic.loss = "hinge";
  elastic.lambda = 0.05;
  elastic.l1 = 0.01;
  const Problem with_l1 = make_problem(data, elastic);
  EXPECT_THROW(make_solver(with_l1, {"sdca", {{"lanes", "2"}}, 1}), InvalidOption);
  EXPECT_NO_THROW(make_solver(with_l1, {"sdca", {{"lanes", "auto"}}, 1}));
}

}  // namespace lanes_test
}  // namespace seesaw
