// Errors in Liu, Wang & So 2021 (docs/errata.md): each test shows that what is printed is wrong and the correction right.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "papers/errata.h"

namespace seesaw {
namespace errata_ais_test {

double dual_prox(double u, double sigma, double b) { return (u - sigma * b) / (1 + sigma); }  // squared loss

// The gradient map is 0 at y = phi'(<a, x>) with a plus.
TEST(ErrataLiuWangSo, equation_11_adds_the_score) {
  const double b = 0.7, z = 1.3, y = z - b;
  for (const double sigma : {0.1, 1.0, 10.0}) {
    EXPECT_NEAR((dual_prox(y + sigma * z, sigma, b) - y) / sigma, 0, 1e-12);
    EXPECT_GT(std::abs((dual_prox(y - sigma * z, sigma, b) - y) / sigma), 0.2);
  }
}

double mixed(double delta, double n, double score, double sum) { return (1 - delta) / n + delta * score / sum; }

// delta = 1 gives a row whose gradient map is 0 the probability 0, its step the factor 1/0, and Theorem 1 steps of 0.
TEST(ErrataLiuWangSo, delta_is_below_1) {
  EXPECT_EQ(mixed(1, 4, 0, 3), 0);
  EXPECT_NEAR(mixed(0.8, 4, 0, 3), 0.05, 1e-15);
}

struct Setting {
  double n, gamma, R, lambda;
  double sigma() const { return std::sqrt(n * lambda / gamma) / (2 * R); }
  double tau() const { return std::sqrt(gamma / (n * lambda)) / (2 * R); }
  double primal_rate() const { return 2 * lambda * tau() / (1 + 2 * lambda * tau()); }
};
constexpr Setting short_rows{.n = 10, .gamma = 4, .R = 0.01, .lambda = 1};

// Uniform draws, delta = 0: (15) is an inequality between numbers, and the printed mu violates it if gamma > 1. The
// printed rate would be impossible: with probability 1 - 1/n a coordinate does not move.
TEST(ErrataLiuWangSo, rate_of_theorem_1_has_gamma_in_both_terms) {
  const Setting& p = short_rows;
  const double printed = p.gamma / (p.n / p.sigma() + p.n), corrected = 1 / (p.n / (2 * p.sigma() * p.gamma) + p.n);
  const double left = 1 / (2 * p.sigma()) + p.gamma * (1 - 1 / p.n), right = 1 / (2 * p.sigma()) + p.gamma;
  ASSERT_LT(printed, p.primal_rate());  // so that it is the minimum
  EXPECT_GT(left, 1.4 * (1 - printed) * right);
  EXPECT_NEAR(left, (1 - corrected) * right, 1e-12);
  EXPECT_GT(printed, 1 / p.n);
}

// The same for Theorem 2, with the term of (24), at the smallest probability.
TEST(ErrataLiuWangSo, rate_of_theorem_2_has_gamma_in_both_terms_and_half_of_rho) {
  const Setting& p = short_rows;
  const double delta = 0.2, rho = 0.05, sigma = p.sigma(), smallest = (1 - delta) / p.n;
  const double printed = (p.gamma + rho * sigma * delta) / (p.n / sigma + p.n / (1 - delta));
  const double corrected = (p.gamma + rho * sigma * delta / 2) / (p.n / (2 * sigma) + p.n * p.gamma / (1 - delta));
  const double left = 1 / (2 * sigma) - delta * sigma * rho / (2 * p.n) + p.gamma * (1 - smallest) / (p.n * smallest);
  const double right = 1 / (2 * sigma) + p.gamma / (p.n * smallest);
  ASSERT_LT(printed, p.primal_rate());
  EXPECT_GT(left, 1.3 * (1 - printed) * right);
  EXPECT_NEAR(left, (1 - corrected) * right, 1e-12);
}

// What (20), (22) and (23) leave for the dual variables, with the steps sigma G_i of the proof, the draws of (12) and the
// largest rho that Assumption 1 permits at this point. The sum over rows in the display after (24) has delta sigma rho/2 for
// every row, n times as much; (24) itself has delta sigma rho/(2n).
TEST(ErrataLiuWangSo, display_after_24_lacks_a_factor_1_over_n) {
  const std::array<double, 3> z = {1, -2, 0.5}, b = {0.3, 0.4, -1}, y = {0.1, 0.2, -0.6}, best = {0.6, -1.4, 0.9};
  const double sigma = 0.6, delta = 0.8, n = 3;
  std::array<double, 3> map{};
  double sum = 0, squares = 0, cubes = 0, distance = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    map[i] = std::abs(dual_prox(y[i] + sigma * z[i], sigma, b[i]) - y[i]) / sigma;
    sum += map[i];
    squares += map[i] * map[i];
    cubes += map[i] * map[i] * map[i];
    distance += (y[i] - best[i]) * (y[i] - best[i]);
  }
  double left = -(1 - delta) * sigma / (2 * n) * squares - delta * sigma / (2 * n * n) * sum * sum;  // (22) and (23)
  for (const double g : map) left += mixed(delta, n, g, sum) * (sigma * g) * (sigma * g) / (2 * sigma);  // (20)
  const double rho = (cubes / sum - sum / n * (sum / n)) / (distance / n);
  double printed = 0, corrected = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    printed += delta * sigma * rho / 2 * (y[i] - best[i]) * (y[i] - best[i]);
    corrected += delta * sigma * rho / (2 * n) * (y[i] - best[i]) * (y[i] - best[i]);
  }
  ASSERT_GT(rho, 0.1);
  EXPECT_NEAR(left, corrected, 1e-14);
  EXPECT_GT(printed, 2.9 * left);
}

// The proof of Theorem 2 ends as that of Theorem 1, which uses (15), but the theorem does not assume (15). Two rows, the
// probabilities of its own formula change from (0.9, 0.1) to (0.1, 0.9), and y - y* = (1, 0): it fails for any theta.
TEST(ErrataLiuWangSo, theorem_2_needs_a_condition_on_the_change_of_probabilities) {
  const double n = 2, delta = 0.8, gamma = 1, sigma = 0.1, rho = 0.7;
  const double before = mixed(delta, n, 1, 1), after = mixed(delta, n, 0, 1);
  const double left = 1 / (2 * sigma) - delta * sigma * rho / (2 * n) + gamma * (1 - after) / (n * after);
  EXPECT_GT(left, 1.5 * (1 / (2 * sigma) + gamma / (n * before)));
  EXPECT_LT(1 / (2 * sigma) - delta * sigma * rho / (2 * n) + gamma * (1 - before) / (n * before),
            1 / (2 * sigma) + gamma / (n * before));  // unchanged probabilities
}

// (20) and (22) use steps sigma G_sigma; Algorithm 1 has the step sigma/(n p_i). Equal only if n p_i = 1.
TEST(ErrataLiuWangSo, proof_of_theorem_2_uses_other_steps_than_algorithm_1) {
  const double b = 0.7, z = 1.3, y = 0.2, sigma = 0.5;
  for (const double np : {0.2, 1.0, 3.0}) {
    const double of_algorithm = dual_prox(y + sigma / np * z, sigma / np, b) - y;
    const double exact = test::argmax(
        [&](double t) { return z * t - (t * t / 2 + b * t) - np / (2 * sigma) * (t - y) * (t - y); }, -20, 20);
    const double of_proof = dual_prox(y + sigma * z, sigma, b) - y;
    EXPECT_NEAR(of_algorithm, exact - y, 1e-6);
    EXPECT_EQ(std::abs(of_algorithm - of_proof) > 0.05, np != 1);
  }
}

// Remark 1: without importance sampling theta of Theorem 2 would be SPDC's. As printed only for gamma = 1; for gamma = 4
// uniform draws would be faster than themselves. With the corrected rate it is that of SPDC's own theorem, for any gamma.
TEST(ErrataLiuWangSo, remark_1_holds_for_gamma_1_only) {
  for (const double gamma : {1.0, 4.0}) {
    const Setting p{.n = 100, .gamma = gamma, .R = 1, .lambda = 1e-2};
    const double root = p.R * std::sqrt(p.n / (p.lambda * gamma));
    const double printed = gamma / (p.n / p.sigma() + p.n);
    EXPECT_NEAR(1 / printed, p.n / gamma + 2 * root, 1e-9);
    EXPECT_EQ(std::abs(1 / printed - (p.n + 2 * root)) > 50, gamma > 1);
    EXPECT_NEAR(p.n / (2 * p.sigma() * gamma) + p.n, p.n + root, 1e-9);
  }
}

// With y^{t+1} = y^t the left side of the last display of the proof is |dx|^2/(2 tau), above the right side.
TEST(ErrataLiuWangSo, proof_of_proposition_1_bounds_from_below) {
  const double tau = 0.3, theta = 0.9, dx = 1, before = 0.7;
  const double left = dx * dx / (2 * tau), right = dx * dx / (4 * tau) - theta * before * before / (4 * tau);
  EXPECT_GT(left, right);
  // The extreme case of Young's inequality: equality at 2 dy |a|/(n p) tau = dx = before, theta = 1, sigma tau = 1/4.
  const double a = 1, dy = dx / (2 * tau * a), sigma = 1 / (4 * tau);
  EXPECT_NEAR(dx * dx / (2 * tau) + dy * dy / (2 * sigma) - dy * a * (dx + dx),
              dx * dx / (4 * tau) - dx * dx / (4 * tau), 1e-12);
}

// Assumption 1 for the squared loss: y_i = z_i - b_i - t makes all gradient maps equal and the left side 0, for any t;
// the right side is positive where y differs from y*.
TEST(ErrataLiuWangSo, assumption_1_fails_for_every_rho) {
  const std::array<double, 3> z = {1, -2, 0.5}, b = {0.3, 0.4, -1}, best = {0.2, -1, 1};
  const double sigma = 0.6, n = 3;
  for (const double t : {0.5, -2.0}) {
    double sum = 0, cubes = 0, distance = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double y = z[i] - b[i] - t, map = std::abs((dual_prox(y + sigma * z[i], sigma, b[i]) - y) / sigma);
      sum += map;
      cubes += map * map * map;
      distance += (y - best[i]) * (y - best[i]);
    }
    EXPECT_NEAR(cubes / sum - sum / n * (sum / n), 0, 1e-12);
    EXPECT_GT(distance / n, 0.1);
  }
}

// g_j(x) = (lambda/2) x^2, s = <A^j, y>/n: the optimum -s/lambda is a fixed point of argmin{+ g +}; argmax{- g -} has the
// fixed point s/lambda.
TEST(ErrataLiuWangSo, x_step_of_algorithm_2_is_a_minimum) {
  const double lambda = 0.5, s = 0.8, weight = 3;  // d q_j/tau
  const auto corrected = [&](double x) {
    return test::argmin([&](double t) { return s * t + lambda / 2 * t * t + weight / 2 * (t - x) * (t - x); }, -9, 9);
  };
  const auto printed = [&](double x) {
    return test::argmax([&](double t) { return s * t - lambda / 2 * t * t - weight / 2 * (t - x) * (t - x); }, -9, 9);
  };
  EXPECT_NEAR(corrected(-s / lambda), -s / lambda, 1e-6);
  EXPECT_GT(std::abs(printed(-s / lambda) + s / lambda), 0.3);
  EXPECT_NEAR(printed(s / lambda), s / lambda, 1e-6);
}

// The mean of y + dy_i/p_i over the drawn row is the step of all rows; that of y' + n dy is not, uniform draws included.
TEST(ErrataLiuWangSo, ybar_of_algorithm_2_is_unbiased) {
  const std::array<double, 2> move = {0.5, -0.2};
  for (const std::array<double, 2>& p : {std::array{0.5, 0.5}, std::array{0.8, 0.2}}) {
    const double n = 2;
    for (std::size_t i = 0; i < 2; ++i) {  // coordinate i moves if row i is drawn
      const double corrected = p[i] * (move[i] / p[i]), printed = p[i] * (move[i] + n * move[i]);
      EXPECT_NEAR(corrected, move[i], 1e-15);
      EXPECT_GT(std::abs(printed - move[i]), 0.05);
    }
  }
}

// psi_j of Algorithm 2 is half of the gradient map of section 3.1. Coordinates not yet drawn have psi_j = 1, so the
// probabilities differ from those of the maps.
TEST(ErrataLiuWangSo, scores_of_algorithm_2_are_half_of_the_gradient_maps) {
  const double x = 0.4, s = 0.9, tau = 0.2, lambda = 0.5;  // uniform draws: d q_j = 1
  const double moved = (x - tau * s) / (1 + tau * lambda), map = (x - moved) / tau, printed = (moved - x) / (2 * tau);
  EXPECT_NEAR(std::abs(printed), map / 2, 1e-12);
  const auto share = [](double score) {
    return std::sqrt(score) / (std::sqrt(score) + 1);
  };  // kappa = 1/2, one not drawn
  EXPECT_GT(share(map) - share(std::abs(printed)), 0.05);
}

// The mean over i' of a_i'j (y_i' - yt_i') is (1/n) sum_i a_ij (y_i - yt_i) for uniform draws only; over n p_i' for any.
TEST(ErrataLiuWangSo, gradients_of_algorithm_3_need_weights) {
  const std::array<double, 3> a = {1, -2, 0.5}, distance = {0.3, 0.1, -0.7};
  for (const std::array<double, 3>& p : {std::array{1 / 3.0, 1 / 3.0, 1 / 3.0}, std::array{0.7, 0.2, 0.1}}) {
    double mean = 0, printed = 0, corrected = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      mean += a[i] * distance[i] / 3;
      printed += p[i] * a[i] * distance[i];
      corrected += p[i] * a[i] * distance[i] / (3 * p[i]);
    }
    EXPECT_NEAR(corrected, mean, 1e-15);
    EXPECT_EQ(std::abs(printed - mean) > 0.05, p[0] > 0.5);
  }
}

// n = d = 1, squared loss, T = 1 step per period (deterministic). Returns x after the periods.
double periods_of_algorithm_3(int periods, bool restart_at_first_point) {
  const double a = 1, b = 1, lambda = 0.5, tau = 0.3, sigma = 0.3;
  double x = 0, y = 0;
  for (int k = 0; k < periods; ++k) {
    const double xt = x, yt = y, gx = a * yt, gy = a * xt;
    if (restart_at_first_point) x = y = 0;
    const auto prox = [&](double v) { return v / (1 + tau * lambda); };
    const double xbar = prox(x - tau * (a * (y - yt) + gx)),
                 ybar = dual_prox(y + sigma * (a * (x - xt) + gy), sigma, b);
    x = prox(x - tau * (a * (ybar - yt) + gx));
    y = dual_prox(y + sigma * (a * (xbar - xt) + gy), sigma, b);
  }
  return x;
}

// Line 7 as printed, (x^0, y^0) = (xt^0, yt^0), starts every period at the first point.
TEST(ErrataLiuWangSo, periods_of_algorithm_3_continue) {
  const double best = 1 / 1.5;  // (x - 1)^2/2 + x^2/4
  EXPECT_NEAR(periods_of_algorithm_3(500, false), best, 1e-9);
  EXPECT_NEAR(periods_of_algorithm_3(500, true), periods_of_algorithm_3(1, true), 1e-15);
  EXPECT_GT(std::abs(periods_of_algorithm_3(500, true) - best), 0.3);
}

// q_j^L of section 4.2 sums to (1 - delta) d/n + delta.
TEST(ErrataLiuWangSo, probabilities_of_columns_have_1_over_d) {
  const std::vector<double> norms = {3, 1, 2};
  const double n = 10, d = 3, delta = 0.8, sum = 6;
  double printed = 0, corrected = 0;
  for (const double norm : norms) {
    printed += mixed(delta, n, norm, sum);
    corrected += mixed(delta, d, norm, sum);
  }
  EXPECT_NEAR(corrected, 1, 1e-15);
  EXPECT_NEAR(printed, 0.2 * 3 / 10 + 0.8, 1e-15);
}

// Section 4.1 calls |a_i| the Lipschitz constant of a_i phi'(a_i.x): it is |a_i|^2/gamma.
TEST(ErrataLiuWangSo, lipschitz_constants_are_squared_norms) {
  for (const double a : {0.1, 4.0}) {
    const auto gradient = [&](double x) { return -a * std::clamp(1 - a * x, 0.0, 1.0); };  // smooth hinge, b = 1
    const double constant = (gradient(0.9 / a) - gradient(0.1 / a)) / (0.8 / a);
    EXPECT_NEAR(constant, a * a, 1e-12);
    EXPECT_GT(std::abs(constant - a), 0.05);
  }
}

}  // namespace errata_ais_test
}  // namespace seesaw
