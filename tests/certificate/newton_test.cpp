// Optima computed by a slow Newton method in long double, which every fit must bracket.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "run/fit.h"
#include "support/problems.h"

namespace seesaw {
namespace newton_test {

using Vector = std::vector<long double>;

// Solves H s = g by Gaussian elimination with pivoting.
Vector solve(std::vector<Vector> H, Vector g) {
  const std::size_t n = g.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(H[i][k]) > std::abs(H[pivot][k])) pivot = i;
    std::swap(H[k], H[pivot]);
    std::swap(g[k], g[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double f = H[i][k] / H[k][k];
      for (std::size_t j = k; j < n; ++j) H[i][j] -= f * H[k][j];
      g[i] -= f * g[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) g[k] -= H[k][j] * g[j];
    g[k] /= H[k][k];
  }
  return g;
}

// min P by damped Newton with derivatives by differences of independent formulas: phi' and phi'' of the code are not used.
long double optimum_by_newton(const Problem& p) {
  test::Matrix a = test::matrix_of(*p.data);
  const bool free = p.free_intercept();
  if (free)
    for (auto& row : a) row.push_back(1);
  const std::size_t m = a[0].size();
  const std::string name(p.kind->name);
  const auto phi = [&](std::size_t i, long double z) {
    return test::phi_by_hand<long double>(name, p.loss_parameter, p.scalar().target[i], z);
  };
  const auto primal = [&](const Vector& x) {
    long double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      long double z = 0;
      for (std::size_t j = 0; j < m; ++j) z += a[i][j] * x[j];
      sum += p.normalized_weight[i] * phi(i, z);
    }
    for (std::size_t j = 0; j < p.d(); ++j) sum += p.penalty.l2() / 2 * x[j] * x[j];
    return sum;
  };
  Vector x(m);
  for (int round = 0; round < 200; ++round) {
    Vector g(m);
    std::vector<Vector> H(m, Vector(m));
    for (std::size_t i = 0; i < a.size(); ++i) {
      long double z = 0;
      for (std::size_t j = 0; j < m; ++j) z += a[i][j] * x[j];
      const long double h = 1e-6L, up = phi(i, z + h), at = phi(i, z), down = phi(i, z - h);
      const long double derivative = (up - down) / (2 * h), curvature = std::max(0.0L, (up - 2 * at + down) / (h * h));
      for (std::size_t j = 0; j < m; ++j) {
        g[j] += p.normalized_weight[i] * derivative * a[i][j];
        for (std::size_t k = 0; k < m; ++k) H[j][k] += p.normalized_weight[i] * curvature * a[i][j] * a[i][k];
      }
    }
    for (std::size_t j = 0; j < m; ++j) {
      H[j][j] += (j < p.d() ? p.penalty.l2() : 1e-9L);
      if (j < p.d()) g[j] += p.penalty.l2() * x[j];
    }
    const Vector s = solve(H, g);
    const long double before = primal(x);
    for (long double t = 1; t > 1e-12L; t /= 2) {
      Vector next = x;
      for (std::size_t j = 0; j < m; ++j) next[j] -= t * s[j];
      if (primal(next) >= before) continue;
      x = next;
      break;
    }
  }
  return primal(x);
}

TEST(Fit, brackets_the_optimum_of_a_slow_newton_method) {
  for (const char* loss :
       {"squared", "huber", "logistic", "squared-hinge", "smooth-hinge", "squared-epsilon-insensitive"})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      const LossKind& kind = loss_kind(loss);
      Dataset data = test::random_data(40, 4, kind.target, 17);
      for (std::size_t i = 0; i < 40; ++i) data.weights.push_back(1 + double(i % 4));
      FitSpec spec;
      spec.objective.loss = loss;
      spec.objective.lambda = 0.02;
      spec.objective.intercept = intercept;
      spec.solver.name = "sdca";
      spec.criteria.gap = 0;
      spec.criteria.gap_abs = 1e-9;
      const Fit result = fit(data, spec);
      const Certificate& c = result.outcome.certificate;
      const auto truth = static_cast<double>(optimum_by_newton(make_problem(data, spec.objective)));
      ASSERT_EQ(result.outcome.termination, Termination::converged) << loss;
      EXPECT_LE(c.dual, truth + 1e-11) << loss << " "
                                       << name_of(intercept);  // with differences Newton ends about 1e-12 too high
      EXPECT_GE(c.primal, truth - 1e-11) << loss << " " << name_of(intercept);
      EXPECT_LE(c.gap, 1e-9);
    }
}

}  // namespace newton_test
}  // namespace seesaw
