// Errors in Wang & Xiao 2017 (docs/errata.md): each test shows that what is printed is wrong and the correction right.
#include <gtest/gtest.h>

#include <vector>

#include "papers/errata.h"

namespace seesaw {
namespace errata_bpd_test {

// Two columns: the eigenvalues of [1, r; r, 1] are 1 - r and 1 + r.
TEST(ErrataWangXiao, covariance_has_a_negative_exponent) {
  for (const double scale : {2.0, 100.0}) {
    EXPECT_LT(1 - std::exp2(1 / scale), 0);   // as printed: indefinite
    EXPECT_GT(1 - std::exp2(-1 / scale), 0);  // 2^(-|i-j|/scale)
  }
}

struct Rates {
  double x, y;
};
Rates theorem_3(double L, double gamma, double lambda, double delta_mu2) {  // 1 - theta_x, 1 - theta_y of (13), (14)
  const double e = lambda + delta_mu2, tau = std::sqrt(gamma / e) / L, sigma = std::sqrt(gamma * e) / L;
  return {1 - (1 - tau * sigma * delta_mu2 / (4 + 2 * sigma)) / (1 + tau * lambda), 1 - 1 / (1 + sigma / 2)};
}

// The approximations after Theorem 3 are those of steps half as long as (13).
TEST(ErrataWangXiao, approximations_after_theorem_3_belong_to_other_steps) {
  const double L = 1000, gamma = 2;
  const Rates data = theorem_3(L, gamma, 0, 0.01), penalty = theorem_3(L, gamma, 0.01, 0);
  const double by_data = gamma * 0.01 / (L * L), by_penalty = std::sqrt(gamma * 0.01) / L;
  EXPECT_NEAR(data.x / (by_data / 4), 1, 1e-3);        // printed: 16
  EXPECT_NEAR(data.y / (by_penalty / 2), 1, 1e-3);     // printed: 4
  EXPECT_NEAR(penalty.x / by_penalty, 1, 1e-3);        // printed: 2 in the denominator
  EXPECT_NEAR(penalty.y / (by_penalty / 2), 1, 1e-3);  // printed: 4
  EXPECT_GT(data.x, 3 * by_data / 16);
  EXPECT_GT(penalty.x, 1.9 * by_penalty / 2);
  EXPECT_GT(penalty.y, 1.9 * by_penalty / 4);
}

// (16) has n(4 + 2 sigma), the text after it 2n(sigma + 4): they differ by up to 2, and the text is the weaker claim.
TEST(ErrataWangXiao, equation_16_and_the_text_after_it_differ) {
  for (const double sigma : {1e-6, 1e-2, 1.0}) {
    const double n = 100, tau = 0.5, delta_mu2 = 0.1;
    const double of_equation = tau * sigma * delta_mu2 / (n * (4 + 2 * sigma));
    const double of_text = tau * sigma * delta_mu2 / (2 * n * (sigma + 4));
    EXPECT_GT(of_equation, 1.6 * of_text);
  }
}

// Theorem 4 at t = 0, where x cancels: gamma/4 D <= (1/sigma + 1/2) D. sigma does not change if loss and penalty are
// multiplied by a number, but gamma does. With D/2, as in Theorem 3, it holds.
TEST(ErrataWangXiao, theorem_4_bounds_half_of_the_bregman_distance) {
  const double R = 1, gamma = 100, lambda = 0.16;  // n = 1, phi(z) = z^2/(2 gamma), delta mu^2 = 0
  const double sigma = std::sqrt(gamma * lambda) / (4 * R);
  EXPECT_NEAR(sigma, 1, 1e-12);
  const double distance = gamma / 2;  // D(y*, y0) with |y* - y0| = 1
  EXPECT_GT(gamma / 4 * distance, (1 / sigma + 0.5) * distance);
  EXPECT_LE(0.5 * distance, (1 / sigma + 0.5) * distance);
}

// Two rows, logistic, Algorithm 7 (draws in turn). x where it ends, and the minimizer of P.
double dual_free_end(double u) {
  const double a[] = {1, 2}, b[] = {1, -1}, lambda = 0.5, R = 2, n = 2, gamma = 4;
  const double tau = std::sqrt(gamma / (n * lambda)) / (4 * R), sigma = std::sqrt(gamma * n * lambda) / (4 * R);
  const double theta = (1 + (1 - 1 / n) * sigma / 2) / (1 + sigma / 2);
  double v[] = {0, 0}, y[] = {-b[0] / 2, -b[1] / 2}, x = 0, extrapolated = 0;
  for (int t = 0; t < 4000; ++t) {
    const int k = t % 2;
    v[k] = (v[k] + sigma * a[k] * extrapolated) / (1 + sigma);
    const double next = -b[k] * test::sigmoid(-b[k] * v[k]), dy = next - y[k];
    y[k] = next;
    const double moved = (x - tau * (u + dy * a[k])) / (1 + tau * lambda);
    u += dy * a[k] / n;
    extrapolated = moved + theta * (moved - x);
    x = moved;
  }
  return x;
}

// Algorithms 5 and 7 do not initialize u. It must be (1/n) A^T y(0), which is not 0 for the y(0) of the logistic loss.
TEST(ErrataWangXiao, u_starts_at_the_mean_of_the_rows_times_y) {
  const double best =
      test::argmin([](double x) { return (test::logistic(x) + test::logistic(-2 * x)) / 2 + 0.25 * x * x; }, -10, 10);
  const double u0 = (1 * -0.5 + 2 * 0.5) / 2;
  EXPECT_NEAR(dual_free_end(u0), best, 1e-6);
  EXPECT_GT(std::abs(dual_free_end(0) - best), 0.1);
}

// One row, A = 1, f(z) = z^2/(2 gamma), lambda = gamma = 1/100, (x, y) = (1, 1): sigma = tau = 1.
TEST(ErrataWangXiao, duality_gap_of_bpd_is_not_monotone) {
  const double gamma = 0.01, lambda = 0.01, sigma = 1, tau = 1, theta = 1 / (1 + gamma / 2);
  const auto gap = [&](double x, double y) {
    return x * x / (2 * gamma) + lambda / 2 * x * x + gamma / 2 * y * y + y * y / (2 * lambda);
  };
  double x = 1, y = 1, extrapolated = 1;
  std::vector<double> gaps = {gap(x, y)};
  for (int t = 0; t < 5000; ++t) {
    y = (y + sigma * extrapolated) / (1 + sigma * gamma);
    const double moved = (x - tau * y) / (1 + tau * lambda);
    extrapolated = moved + theta * (moved - x);
    x = moved;
    gaps.push_back(gap(x, y));
  }
  EXPECT_GT(gaps[1], 2 * gaps[0]);
  EXPECT_LT(gaps.back(), 1e-9 * gaps[0]);  // it converges nevertheless
}

// Theorem 2 without strong convexity of the data has half of the steps of SPDC, and n + 8 R sqrt(n/(lambda gamma)) where
// SPDC's own theorem has n + R sqrt(n/(lambda gamma)): the same order, not the same parameters and rate.
TEST(ErrataWangXiao, theorem_2_recovers_spdc_up_to_constants) {
  const double n = 1000, R = 3, lambda = 1e-5, gamma = 4, root = std::sqrt(n / (lambda * gamma));
  const double tau = std::sqrt(gamma / (n * lambda)) / (4 * R), sigma = std::sqrt(n * lambda / gamma) / (4 * R);
  EXPECT_NEAR(tau / (std::sqrt(gamma / (n * lambda)) / (2 * R)), 0.5, 1e-12);
  const double theta_y = (1 + (n - 1) / n * sigma * gamma / 2) / (1 + sigma * gamma / 2);
  EXPECT_NEAR(1 / (1 - theta_y), n + 8 * R * root, 1e-6 * root);
  EXPECT_GT(1 / (1 - theta_y), 5 * (n + R * root));
}

}  // namespace errata_bpd_test
}  // namespace seesaw
