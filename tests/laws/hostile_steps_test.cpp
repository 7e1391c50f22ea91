// Dual steps terminate and stay in the domain for any score, step and curvature: scores and q of data with features
// from 1e-150 to 1e150 and lambda from 5e-324 to 1e300.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.h"
#include "model/losses/loss.h"

namespace seesaw {
namespace hostile_steps_test {

const std::vector<double> sizes = {0,    5e-324, 1e-300, 1e-150, 1e-20, 1e-8,  1e-3,  0.1,    0.5,  1,
                                   3,    30,     700,    745,    1e4,   1e8,   1e12,  1e16,   1e17, 1e20,
                                   1e40, 1e100,  1e149,  1e150,  1e154, 1e200, 1e300, 1.7e308};
const double not_finite[] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};

TEST(HostileSteps, of_the_logistic_loss_end_inside_the_domain) {
  const Logistic loss;
  std::vector<double> qs = sizes, scores = sizes;
  for (const double odd : not_finite) {
    qs.push_back(odd);
    scores.push_back(odd);
  }
  for (const double b : {-1.0, 1.0})
    for (const double size : scores)
      for (const double z : {size, -size})
        for (const double q : qs)
          for (const double p0 : {0.0, 1e-300, 1e-200, 1e-17, 1e-8, 0.3, 0.5, 0.9, 1 - 1e-12, 1 - 1e-16, 1.0}) {
            const double y = loss.dual_step(b, z, -b * p0, q);
            EXPECT_TRUE(loss.domain(b).contains(y)) << b << " " << z << " " << q << " " << p0 << ": " << y;
          }
}

// The exact step solves log(p/(1 - p)) + z + q (p - p0) = 0: the computed p is within `near` of a sign change.
TEST(HostileSteps, of_the_logistic_loss_solve_their_equation_where_q_is_large) {
  const Logistic loss;
  Rng rng(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const double q = std::pow(10, 4 + 146 * rng.uniform()), p0 = std::pow(10, -12 * rng.uniform());
    const double z = (rng.uniform() < 0.5 ? -1 : 1) * std::pow(10, -3 + 150 * rng.uniform());
    if (p0 > 1 - 1e-3) continue;
    const double p = -loss.dual_step(1, z, -p0, q);
    const auto F = [&](long double at) {
      return std::log(at / (1 - at)) + static_cast<long double>(z) + static_cast<long double>(q) * (at - p0);
    };
    const long double near = 1e-9L * p + 1e-15L;
    if (p > near) {
      EXPECT_LE(F(p - near), 0) << z << " " << q << " " << p0 << " " << p;
    }
    if (p + near < 1) {
      EXPECT_GE(F(p + near), 0) << z << " " << q << " " << p0 << " " << p;
    }
  }
}

TEST(HostileSteps, of_the_block_losses_end_inside_the_simplex) {
  Rng rng(7);
  const auto draw = [&] {
    const double size = sizes[rng.below(static_cast<std::uint32_t>(sizes.size() - 1))] * (0.5 + rng.uniform());
    return rng.uniform() < 0.5 ? size : -size;
  };
  for (const std::size_t classes : {2u, 3u, 7u})
    for (int trial = 0; trial < 30000; ++trial) {
      std::vector<double> z(classes), y0(classes), y(classes);
      const std::size_t b = rng.below(static_cast<std::uint32_t>(classes));
      const double common = rng.uniform() < 0.5 ? draw() : 0;
      double others = 0;
      for (std::size_t k = 0; k < classes; ++k) z[k] = common + draw();
      for (std::size_t k = 0; k < classes; ++k)
        if (k != b) others += y0[k] = rng.uniform() / static_cast<double>(classes);
      y0[b] = -others;
      const double q = std::abs(draw());
      const auto check = [&](const auto& loss, const char* name) {
        loss.dual_step(b, z.data(), y0.data(), q, y.data());
        double sum = 0;
        for (std::size_t k = 0; k < classes; ++k) {
          EXPECT_GE(k == b ? y[k] + 1 : y[k], 0) << name << " q " << q << " class " << k;
          sum += y[k];
        }
        EXPECT_NEAR(sum, 0, 1e-12) << name << " q " << q;
      };
      check(MulticlassHinge{classes, 0}, "multiclass-hinge");
      check(MulticlassHinge{classes, 0.1}, "multiclass-hinge, smoothed");
      check(Softmax{classes}, "softmax");
      if (HasFailure()) return;
    }
}

}  // namespace hostile_steps_test
}  // namespace seesaw
