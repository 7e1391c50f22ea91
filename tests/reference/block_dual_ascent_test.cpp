// Dual ascent for the multiclass hinge: its steps against a slow version in long double, iterate by iterate, and steps on
// faces, which may not decrease D.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/rng.h"
#include "solvers/catalog.h"
#include "support/block_formulas.h"
#include "support/multiclass.h"
#include "support/problems.h"

namespace seesaw {
namespace block_dual_ascent_test {

using Long = std::vector<long double>;

// The projection of u onto the simplex, by sorting.
Long projection(const Long& u) {
  Long sorted = u;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  long double sum = 0, threshold = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const long double next = (sum - 1) / static_cast<long double>(k + 1);
    if (sorted[k] > next) threshold = next;
  }
  Long p;
  for (const long double value : u) p.push_back(std::max(0.0L, value - threshold));
  return p;
}

struct Slow {
  const Problem& problem;
  test::Matrix a;
  std::size_t K;
  Rng rng{1};
  std::vector<std::uint32_t> order;
  Long p, x;  // p_ik = y_ik + [k is the class of row i]

  explicit Slow(const Problem& one)
      : problem(one), a(test::matrix_of(*one.data)), K(one.outputs()), p(one.n() * K), x(one.d() * K) {
    for (std::size_t i = 0; i < problem.n(); ++i) {
      p[i * K + problem.block().class_of_row[i]] = 1;
      if (problem.squared_row_norms()[i] > 0) order.push_back(static_cast<std::uint32_t>(i));  // empty rows change no x
    }
  }

  void pass() {
    rng.shuffle(std::span(order));
    for (const std::uint32_t i : order) {
      const long double c = problem.normalized_weight[i], lambda = problem.penalty.l2();
      long double square = 0;
      for (const double value : a[i]) square += static_cast<long double>(value) * value;
      const long double q = c * square / lambda;
      Long u(K);
      for (std::size_t k = 0; k < K; ++k) {
        for (std::size_t j = 0; j < a[i].size(); ++j) u[k] += a[i][j] * x[j * K + k];
        u[k] = p[i * K + k] + (u[k] - (k == problem.block().class_of_row[i])) / q;
      }
      const Long next = projection(u);
      for (std::size_t k = 0; k < K; ++k) {
        for (std::size_t j = 0; j < a[i].size(); ++j) x[j * K + k] -= c / lambda * a[i][j] * (next[k] - p[i * K + k]);
        p[i * K + k] = next[k];
      }
    }
  }
};

TEST(BlockDualAscent, takes_the_steps_of_a_slow_version) {
  for (const std::size_t classes : {2, 3, 5, 9, 30})
    for (const test::Storage storage : test::all_storages)
      for (const bool weighted : {false, true}) {
        Dataset data = test::random_classes(60, 7, classes, 11, storage);
        if (weighted) test::add_weights(data);
        const Problem problem = make_problem(data, test::objective_of("multiclass-hinge", 1e-2, 0, Intercept::none));
        Slow slow(problem);
        const auto solver =
            make_solver(problem, {"sdca", {{"shrink", "off"}, {"extrapolate", "off"}, {"faces", "off"}}, 1});
        Point point;
        for (int pass = 0; pass < 12; ++pass) {
          solver->epoch();
          slow.pass();
          solver->read(point);
          double largest = 0;
          for (std::size_t at = 0; at < point.x.size(); ++at)
            largest = std::max(largest, std::abs(static_cast<double>(point.x[at] - slow.x[at])));
          EXPECT_LT(largest, 1e-9) << classes << " classes, storage " << int(storage) << ", pass " << pass;
        }
      }
}

TEST(BlockDualAscent, steps_on_faces_do_not_decrease_D_and_keep_x_that_of_y) {
  for (const std::size_t classes : {2, 3, 6})
    for (const bool weighted : {false, true}) {
      Dataset data = test::random_classes(120, 8, classes, 5);
      if (weighted) test::add_weights(data);
      const Problem problem = make_problem(data, test::objective_of("multiclass-hinge", 1e-3, 0, Intercept::none));
      const auto solver = make_solver(problem, {"sdca", {{"extrapolate", "off"}}, 1});
      const test::Matrix a = test::matrix_of(data);
      Point point;
      long double before = 0;
      for (int pass = 0; pass < 90; ++pass) {
        solver->epoch();
        solver->read(point);
        const long double dual = test::slow_block_dual(problem, point.y);  // -infinity outside the simplices
        EXPECT_GE(dual, before - 1e-12L) << classes << " classes, pass " << pass;
        before = dual;
        for (std::size_t j = 0; j < problem.d(); ++j)
          for (std::size_t k = 0; k < classes; ++k) {
            long double v = 0;
            for (std::size_t i = 0; i < a.size(); ++i)
              v -= problem.normalized_weight[i] * a[i][j] * static_cast<long double>(point.y[i * classes + k]);
            ASSERT_NEAR(point.x[j * classes + k], static_cast<double>(v / problem.penalty.l2()), 1e-9) << pass;
          }
      }
      double cg_steps = 0;
      for (const Diagnostic& one : solver->diagnostics().values)
        if (one.name == "cg_iterations") cg_steps = one.value;
      EXPECT_GT(cg_steps, 0) << classes;
    }
}

TEST(BlockDualAscent, needs_fewer_passes_with_steps_on_faces_and_few_checks) {
  const Dataset data = test::random_classes(800, 10, 4, 3);
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    double passes[2];  // conjugate gradients included
    for (const double lambda : {1e-4, 3e-5})
      for (const bool on : {false, true}) {
        FitSpec spec = test::spec_of("multiclass-hinge", lambda, 0, intercept, 0);
        spec.criteria.gap = 1e-5;
        spec.solver.options = {{"faces", on ? "on" : "off"}};
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged);
        EXPECT_EQ(test::verification_problems(data, result), "");
        passes[on] = result.outcome.last.passes;
        if (lambda == 1e-4) {
          EXPECT_LE(result.outcome.trace.size(), 12u) << on;
        }
      }
    EXPECT_LT(passes[true], 0.5 * passes[false]);  // of the smaller lambda
  }
}

}  // namespace block_dual_ascent_test
}  // namespace seesaw
