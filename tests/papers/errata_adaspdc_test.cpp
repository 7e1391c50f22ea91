// Errors in Zhu & Storkey 2015 (docs/errata.md): each test shows that what is printed is wrong and the correction right.
#include <gtest/gtest.h>

#include "data/synthetic.h"
#include "papers/direct_solve.h"
#include "papers/errata.h"
#include "run/fit.h"

namespace seesaw {
namespace errata_adaspdc_test {

// The left side is phi_i, not phi_i*.
TEST(ErrataZhuStorkey, equation_4_defines_the_loss_and_not_its_conjugate) {
  const double b = 0.7;
  const auto phi = [&](double z) { return (z - b) * (z - b) / 2; };
  const auto conjugate = [&](double y) { return y * y / 2 + b * y; };
  for (const double z : {-2.0, 0.5, 3.0}) {
    const double right_side = test::maximum([&](double y) { return z * y - conjugate(y); }, -20, 20);
    EXPECT_NEAR(right_side, phi(z), 1e-12);
    EXPECT_GT(std::abs(right_side - conjugate(z)), 0.1);
  }
}

// phi_i in place of phi_i* gives the step that the paper prints for ridge regression, with + b_i. At a saddle point,
// y = phi'(z), only the step with phi_i* does not move.
TEST(ErrataZhuStorkey, equation_9_needs_the_conjugate_and_the_ridge_step_minus_b) {
  const double b = 0.7, z = 1.3, sigma = 0.4, before = z - b;
  const auto phi = [&](double y) { return (y - b) * (y - b) / 2; };
  const auto conjugate = [&](double y) { return y * y / 2 + b * y; };
  const auto step = [&](const auto& f) {
    return test::argmin([&](double y) { return f(y) - z * y + (y - before) * (y - before) / (2 * sigma); }, -20, 20);
  };
  EXPECT_NEAR(step(phi), (z + b + before / sigma) / (1 + 1 / sigma), 1e-6);
  EXPECT_NEAR(step(conjugate), (z - b + before / sigma) / (1 + 1 / sigma), 1e-6);
  EXPECT_NEAR(step(conjugate), before, 1e-6);
  EXPECT_GT(std::abs(step(phi) - before), 0.1);
}

// With x_i in place of x a function that is not strongly convex would be: g(x) = (lambda/2) x_1^2 in two dimensions.
TEST(ErrataZhuStorkey, strong_convexity_of_g_is_about_all_of_x) {
  const double lambda = 0.5;
  const auto g = [&](double x1, double) { return lambda / 2 * x1 * x1; };
  for (const double x1 : {-1.0, 0.0, 2.0})
    for (const double x2 : {-1.0, 3.0}) {
      const double d1 = 0.3, d2 = 1.1, linear = g(x1, x2) + lambda * x1 * d1;
      EXPECT_GE(g(x1 + d1, x2 + d2), linear + lambda / 2 * d1 * d1 - 1e-15);            // as printed, i = 1
      EXPECT_LT(g(x1 + d1, x2 + d2), linear + lambda / 2 * (d1 * d1 + d2 * d2) - 0.1);  // strong convexity
    }
}

struct StepSizes {
  double tau, sigma;
};
StepSizes steps_of(double R, double n, double m, double lambda, double gamma) {  // (10), (12)
  return {std::sqrt(m * gamma / (n * lambda)) / (2 * R), std::sqrt(n * lambda / (m * gamma)) / (2 * R)};
}

// P of (17) on the span of a_i and the block: [1/(2 tau), -R; -R, 1/(2 sigma)], with determinant 0.
TEST(ErrataZhuStorkey, matrix_17_is_singular_for_one_block) {
  for (const double R : {0.1, 1.0, 7.0}) {
    const StepSizes steps = steps_of(R, 100, 1, 1e-2, 4);
    EXPECT_NEAR(1 / (2 * steps.tau) / (2 * steps.sigma) / (R * R), 1, 1e-12);
  }
}

// The extrapolation pairs tau of a row with sigma of the next one. SPDC's condition tau sigma R^2 <= 1/4 then fails
// whenever the norm increases; for one R for all rows it holds.
TEST(ErrataZhuStorkey, theorem_1_pairs_steps_of_two_rows) {
  const double n = 1000, lambda = 1e-2, before = 1;
  for (const double R : {0.5, 1.0, 2.0, 20.0}) {
    const double product = steps_of(before, n, 1, lambda, 1).tau * steps_of(R, n, 1, lambda, 1).sigma * R * R;
    EXPECT_NEAR(product, R / before / 4, 1e-12);
    EXPECT_EQ(product > 0.25 + 1e-12, R > before);
    EXPECT_LE(steps_of(20, n, 1, lambda, 1).tau * steps_of(20, n, 1, lambda, 1).sigma * R * R, 0.25 + 1e-12);
  }
}

// Generated rows as in the paper's Figure 1, 200 x 20, n lambda = 0.1; the norms are within a factor of 4 of their mean.
// Divided by the factor of |x^T - x*|^2, (16) is |x^T - x*|^2 <= (mean theta)^T start in expectation, since the draws are
// independent. After 150 passes the mean over ten seeds is far above it, and so is the least of them.
TEST(ErrataZhuStorkey, theorem_1_promises_a_rate_that_the_method_does_not_have) {
  constexpr double lambda = 5e-4, n = 200, passes = 150;
  SynthOptions options;
  options.n = 200;
  options.d = 20;
  options.task = Task::regression;
  const Dataset data = synthesize("decay", options);
  const test::Ridge exact = test::solve_ridge(data, lambda);
  const std::vector<double> x(exact.x.data(), exact.x.data() + exact.x.size());
  double theta = 0, of_y = 0, longest = 0, largest = 0, mean_norm = 0;
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i) {
          double square = 0, z = 0;
          for_each(rows.row(i), [&](std::size_t j, double value) {
            square += value * value;
            z += value * x[j];
          });
          const double R = std::sqrt(square);
          const StepSizes steps = steps_of(R, n, 1, lambda, 1);
          theta += (1 - 1 / (n + R * std::sqrt(n / lambda))) / n;  // (15)
          of_y += (1 / (2 * steps.sigma) + 1) * std::pow(z - data.labels[i], 2);
          longest = std::max(longest, steps.tau);
          largest = std::max(largest, R);
          mean_norm += R / n;
        }
      },
      data.rows);
  EXPECT_LT(largest, 4 * mean_norm);
  const double start = exact.x.squaredNorm() + of_y / (1 / (2 * longest) + lambda);
  const double bound = start * std::pow(theta, n * passes);
  double mean = 0, least = infinity;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    FitSpec spec;
    spec.objective.loss = "squared";
    spec.objective.lambda = lambda;
    spec.objective.intercept = Intercept::none;
    spec.solver = {"adaspdc", {{"draw", "iid"}}, seed};
    spec.criteria.gap = 0;
    spec.criteria.max_passes = spec.criteria.check_every = passes;
    const double squared = std::pow(test::distance(fit(data, spec).model.x, exact), 2) * exact.x.squaredNorm();
    mean += squared / 10;
    least = std::min(least, squared);
  }
  EXPECT_GT(mean, 10 * bound);
  EXPECT_GT(least, bound);
}

// (gamma/2) y^2, and the step divides by 1 + gamma sigma; both as printed for gamma = 1 only.
TEST(ErrataZhuStorkey, conjugate_of_the_smooth_hinge_has_the_factor_gamma) {
  const double b = 1, y = -0.6;
  for (const double gamma : {0.25, 0.5, 1.0}) {
    const double found = test::conjugate_of([&](double z) { return test::smooth_hinge(b * z, gamma); }, y);
    EXPECT_NEAR(found, b * y + gamma / 2 * y * y, 1e-9);
    EXPECT_EQ(std::abs(found - (b * y + y * y / 2)) > 0.05, gamma < 1);
    const double before = -0.2, z = 0.3, sigma = 0.8;
    const double step = test::argmax(
        [&](double t) { return z * t - (b * t + gamma / 2 * t * t) - (t - before) * (t - before) / (2 * sigma); }, -1,
        0);
    EXPECT_NEAR(step, std::clamp((before + sigma * (z - b)) / (1 + gamma * sigma), -1.0, 0.0), 1e-6);
  }
}

// The gradient a phi'(a.x) of phi(a.x) has the Lipschitz constant |a|^2/gamma, not |a| (times 1/4 for the logistic).
TEST(ErrataZhuStorkey, constants_of_sag_have_squared_norms) {
  const double a = 3, h = 1e-5;
  const auto curvature = [&](const auto& phi, double x) {
    return (phi(a * (x + h)) - 2 * phi(a * x) + phi(a * (x - h))) / (h * h);
  };
  const double of_hinge = curvature([](double z) { return test::smooth_hinge(z, 1); }, 0.5 / a);
  EXPECT_NEAR(of_hinge, a * a, 1e-3);
  EXPECT_GT(of_hinge, a + 1);
  const double of_logistic = curvature(test::logistic, 0);
  EXPECT_NEAR(of_logistic, a * a / 4, 1e-3);
  EXPECT_GT(of_logistic, a / 4 + 1);
}

}  // namespace errata_adaspdc_test
}  // namespace seesaw
