// Errors in Desforges, Karpe & Roux 2018 (docs/errata.md): what is printed is wrong and the correction right.
#include <gtest/gtest.h>

#include "papers/errata.h"

namespace seesaw {
namespace errata_sdca_test {

// The minimizer of the expected loss (2) of a label that is +1 with probability p is the logarithm of the odds.
TEST(ErrataDesforgesKarpeRoux, equation_1_is_about_the_logarithm_of_the_odds) {
  for (const double p : {0.2, 0.5, 0.8}) {
    const double score =
        test::argmin([&](double z) { return p * test::logistic(z) + (1 - p) * test::logistic(-z); }, -20, 20);
    EXPECT_NEAR(score, std::log(p / (1 - p)), 1e-6);
    EXPECT_GT(std::abs(score - p / (1 - p)), 0.9);
  }
}

// One row, x = y = 1. (3) is stationary in w where w = -alpha e^-w, not at w = alpha, and has no minimum in z. With
// z = y w.x and log(1 + e^-z) the minimizer is w = alpha, and the minimum in z is finite.
TEST(ErrataDesforgesKarpeRoux, equation_3_needs_an_affine_constraint) {
  const double C = 2, alpha = 0.9;
  const auto printed_in_w = [&](double w) { return alpha * std::exp(-w) + w; };  // its derivative
  EXPECT_GT(printed_in_w(alpha), 1);
  const auto printed_in_z = [&](double z) { return C * std::log1p(z) + alpha * z; };
  EXPECT_LT(printed_in_z(-1 + 1e-12), printed_in_z(-1 + 1e-6) - 20);
  EXPECT_NEAR(test::argmin([&](double w) { return -alpha * w + w * w / 2; }, -9, 9), alpha, 1e-6);
  const double in_z = test::argmin([&](double z) { return C * test::logistic(z) + alpha * z; }, -60, 60);
  EXPECT_NEAR(C * test::sigmoid(-in_z), alpha, 1e-6);
}

// n = 1: the values of (2) and (5) differ by C log C, of n rows by n C log C.
TEST(ErrataDesforgesKarpeRoux, equation_5_lacks_a_constant) {
  for (const double C : {0.5, 2.0, 7.0}) {
    const auto primal = [&](double w) { return C * test::logistic(w) + w * w / 2; };
    const auto printed = [&](double alpha) {
      return -alpha * std::log(alpha) - (C - alpha) * std::log(C - alpha) - alpha * alpha / 2;
    };
    const double lowest = primal(test::argmin(primal, -20, 20));
    const double highest = test::maximum(printed, 1e-12, C - 1e-12);
    EXPECT_NEAR(lowest, highest + C * std::log(C), 1e-9);
    EXPECT_GT(std::abs(lowest - highest), 0.3);
  }
}

// n = 1, x = y = 1, (a - 1)^2, lambda = 1/2: P(w) >= D(alpha), equal at the optimum only; the gap is P - D.
TEST(ErrataDesforgesKarpeRoux, primal_and_dual_are_equal_at_the_optimum_only) {
  const double lambda = 0.5, best = 0.2;
  const auto P = [&](double w) { return (w - 1) * (w - 1) + lambda / 2 * w * w; };
  const auto D = [&](double alpha) { return alpha - alpha * alpha / 4 - alpha * alpha / (2 * lambda); };
  EXPECT_NEAR(P(0.8), best, 1e-15);
  EXPECT_NEAR(D(0.4), best, 1e-15);
  for (double w = -1; w <= 2; w += 0.25)
    for (double alpha = -1; alpha <= 1; alpha += 0.25) EXPECT_GT(P(w), D(alpha));  // the optimum is not on this grid
  const double alpha = 0.2, w = alpha / lambda;
  EXPECT_NEAR(P(w) - D(alpha), 0.25, 1e-15);
  EXPECT_NEAR(P(w) - best, 0.2, 1e-15);
}

TEST(ErrataDesforgesKarpeRoux, absolute_step_is_clipped_to_minus_one_and_one) {
  const double label = -0.5, q = 2, z = 0.1;
  for (const double alpha : {-0.9, 0.2, 1.0}) {
    const double exact =
        test::argmax([&](double t) { return t * label - (t - alpha) * z - q / 2 * (t - alpha) * (t - alpha); }, -1, 1);
    const double step = (label - z) / q + alpha;
    EXPECT_NEAR(std::max(-1.0, std::min(1.0, step)), exact, 1e-6);
    EXPECT_GT(std::abs(std::max(1.0, std::min(1.0, step)) - exact), 0.2);  // as printed: 1
  }
}

TEST(ErrataDesforgesKarpeRoux, conjugate_of_the_log_loss_has_a_plus) {
  for (const double p : {0.1, 0.3, 0.8}) {  // a y, y = 1
    const double found = test::conjugate_of(test::logistic, -p);
    EXPECT_NEAR(found, p * std::log(p) + (1 - p) * std::log(1 - p), 1e-9);
    EXPECT_GT(std::abs(found - (-p * std::log(p) + (1 - p) * std::log(1 - p))), 0.1);
  }
}

// The step is a lower bound of the maximizer. gamma = 4 gives the longer step (u - alpha)/(1 + q/4); its length over
// that of the printed one, (1/4 + q)/(1 + q/4), tends to 4.
TEST(ErrataDesforgesKarpeRoux, log_loss_step_is_not_the_maximizer) {
  const double z = -1, alpha = 0.1, u = test::sigmoid(-z);
  for (const double q : {2.0, 8.0, 1000.0}) {
    const auto D = [&](double t) { return -test::entropy(t) - (t - alpha) * z - q / 2 * (t - alpha) * (t - alpha); };
    const double exact = test::argmax(D, 1e-12, 1 - 1e-12);
    const double printed = alpha + (u - alpha) / std::max(1.0, 0.25 + q);
    const double longer = alpha + (u - alpha) / (1 + q / 4);
    EXPECT_GT(D(longer), D(alpha));
    EXPECT_GT(D(longer) - D(alpha), 1.1 * (D(printed) - D(alpha)));
    EXPECT_GE(D(exact), D(longer));
    EXPECT_GT(D(exact) - D(alpha), 1.1 * (D(printed) - D(alpha)));
    EXPECT_NEAR((longer - alpha) / (printed - alpha), (0.25 + q) / (1 + q / 4), 1e-9);
  }
}

TEST(ErrataDesforgesKarpeRoux, smoothed_hinge_is_printed_as_the_hinge) {
  const double gamma = 0.5;
  for (const double a : {0.4, 0.9}) {
    const double conjugate = -a + gamma * a * a / 2;  // as printed
    EXPECT_NEAR(test::conjugate_of([&](double z) { return test::smooth_hinge(z, gamma); }, -a), conjugate, 1e-9);
    EXPECT_GT(std::abs(test::conjugate_of(test::hinge, -a) - conjugate), 0.03);
  }
}

// Two orthogonal rows of norm 1, labels 1, (a - 1)^2 (gamma = 1/2), lambda = 1, T0 = 1. A step solves its coordinate, so
// that one coordinate of w^(1) is 0 whichever row is drawn, and 1/2 is the optimum. In the best case the other row is
// drawn next, one of T - 1 points has the error 1/2 in one coordinate, and the gap of the mean is 2 (error)^2. On average
// the row is drawn after K steps, E K^2 = 6.
TEST(ErrataDesforgesKarpeRoux, theorem_for_smooth_losses_needs_t0_in_the_logarithm) {
  const double m = 2 + 1 / (1 * 0.5), T0 = 1;
  for (const double T : {50.0, 200.0, 1000.0}) {
    const double of_one = 0.5 / (T - T0), best_case = 2 * of_one * of_one, mean_gap = 6 * best_case;
    const double printed = m / (T - T0) * std::exp(-T / m);     // T = m log(m/((T - T0) eps))
    const double corrected = m / (T - T0) * std::exp(-T0 / m);  // T0 = m log(m/((T - T0) eps))
    EXPECT_GT(best_case, 10 * printed) << T;
    EXPECT_LE(mean_gap, corrected) << T;
  }
}

}  // namespace errata_sdca_test
}  // namespace seesaw
