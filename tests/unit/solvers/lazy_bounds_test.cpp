// Deferred coordinates with bounds and an l1 of their own, against steps that move and clip all of them at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "solvers/parts/primal/lazy_primal.h"

namespace seesaw {
namespace lazy_bounds_test {

constexpr std::size_t d = 6;

struct Eager {
  explicit Eager(const Penalty& of) : penalty(of), x(d), before(d), s(d), push(d) {}

  void add(const std::vector<double>& a, double ds, double dx) {
    for (std::size_t j = 0; j < d; ++j) {
      s[j] += ds * a[j];
      push[j] += dx * a[j];
    }
  }
  void step(double tau) {
    before = x;
    for (std::size_t j = 0; j < d; ++j) x[j] = penalty.coordinate(j).prox(x[j] + push[j] - tau * s[j], tau);
    std::fill(push.begin(), push.end(), 0.0);
  }
  double score(const std::vector<double>& a, double theta) const {
    double z = 0;
    for (std::size_t j = 0; j < d; ++j) z += a[j] * (x[j] + theta * (x[j] - before[j]));
    return z;
  }

  double next_ds(const std::vector<double>& a, Rng& rng) const {  // random, and s stays small
    double along = 0;
    for (std::size_t j = 0; j < d; ++j) along += a[j] * s[j];
    return 0.1 * rng.normal() - 0.1 * along;
  }

  const Penalty& penalty;
  std::vector<double> x, before, s, push;
};

Penalty penalty_with(double l2, double l1) {
  return Penalty(l2, l1,
                 {.l1_factor = {1, 0.2, 3, 1, 0.5, 1},
                  .lower = {0, -0.3, -infinity, -0.01, 0, -infinity},
                  .upper = {infinity, 0.1, 0.05, 0.02, 0, infinity}});
}

// Rows with zeros, so that some coordinates are touched seldom.
std::vector<double> random_row(Rng& rng) {
  std::vector<double> a(d);
  for (double& value : a) value = rng.uniform() < 0.4 ? rng.normal() : 0;
  return a;
}

template <bool keeps_previous>
void compare(double l2, double l1, std::uint64_t seed) {
  const Penalty penalty = penalty_with(l2, l1);
  LazyPrimal<true, keeps_previous, OneOutput> lazy(d, {}, penalty);
  Eager eager(penalty);
  Rng rng(seed);
  for (int step = 0; step < 4000; ++step) {
    const std::vector<double> a = random_row(rng);
    struct Sparse {  // only the entries that are not 0
      std::vector<double> value;
      std::vector<std::uint32_t> column;
    } entries;
    for (std::uint32_t j = 0; j < d; ++j)
      if (a[j] != 0) {
        entries.value.push_back(a[j]);
        entries.column.push_back(j);
      }
    const SparseRow<double, std::uint32_t> row{entries.column.data(), entries.value.data(), entries.value.size()};
    const double theta = keeps_previous ? 0.9 : 0, tau = 0.05 * (1 + rng.uniform());
    double z;
    lazy.score(row, theta, &z);
    EXPECT_NEAR(z, eager.score(a, theta), 1e-11) << step;
    const double ds = eager.next_ds(a, rng), dx = 0.3 * rng.normal();
    lazy.add(row, &ds, &dx);
    lazy.step(tau);
    eager.add(a, ds, dx);
    eager.step(tau);
    if (step % 97 == 0) {
      std::vector<double> x;
      lazy.read(x);
      for (std::size_t j = 0; j < d; ++j) EXPECT_NEAR(x[j], eager.x[j], 1e-11) << step << " " << j;
    }
  }
}

TEST(LazyBounds, deferred_coordinates_are_those_of_steps_that_clip) {
  for (const double l2 : {0.0, 0.3})
    for (const double l1 : {0.0, 0.05}) {
      compare<false>(l2, l1, 1);
      compare<true>(l2, l1, 2);
    }
}

TEST(LazyBounds, add_and_step_is_add_then_step) {
  const Penalty penalty = penalty_with(0.2, 0.03);
  LazyPrimal<true, false, OneOutput> lazy(d, {}, penalty);
  Eager eager(penalty);
  Rng rng(3);
  for (int step = 0; step < 4000; ++step) {
    const std::vector<double> a = random_row(rng);
    const DenseRow<double> row{a.data(), a.size()};
    double z;
    lazy.score(row, 0, &z);
    EXPECT_NEAR(z, eager.score(a, 0), 1e-11) << step;
    const double ds = eager.next_ds(a, rng), dx = 0.3 * rng.normal(), tau = 0.05 * (1 + rng.uniform());
    lazy.add_and_step(row, ds, dx, tau);
    eager.add(a, ds, dx);
    eager.step(tau);
  }
}

}  // namespace lazy_bounds_test
}  // namespace seesaw
