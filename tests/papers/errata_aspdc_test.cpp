// Errors in Liang et al. 2022 (docs/errata.md): each test shows that what is printed is wrong and the correction right.
#include <gtest/gtest.h>

#include "papers/errata.h"

namespace seesaw {
namespace errata_aspdc_test {

// One row, squared loss with label b, alpha of the sign of (2): D(alpha + t) - D(alpha) is t z - phi*(alpha + t) +
// phi*(alpha) - (q/2) t^2, q = |x|^2/(lambda n). With + (q/2) t^2 there is no maximum if q > 1.
TEST(ErrataLiang, equation_9_subtracts_the_quadratic_term) {
  const double b = 0.6, q = 2, alpha = 0.3, z = -q * alpha;  // z = x.w, w = -alpha x/(lambda n)
  const auto conjugate = [&](double y) { return y * y / 2 + b * y; };
  const auto D = [&](double y) { return -conjugate(y) - q / 2 * y * y; };
  const auto objective = [&](double t, double sign) { return t * z - conjugate(alpha + t) + sign * q / 2 * t * t; };
  for (const double t : {-1.0, 0.5, 2.0})
    EXPECT_NEAR(objective(t, -1) - objective(0, -1), D(alpha + t) - D(alpha), 1e-12);
  EXPECT_NEAR(alpha + test::argmax([&](double t) { return objective(t, -1); }, -20, 20), -b / (1 + q), 1e-6);
  EXPECT_GT(objective(100, 1), objective(10, 1) + 1000);
}

// P is (1/gamma + lambda)-smooth and lambda-strongly convex.
TEST(ErrataLiang, condition_number_has_gamma_in_the_denominator) {
  const double lambda = 0.1;
  for (const double gamma : {0.5, 1.0, 4.0}) {
    const double ratio = (1 / gamma + lambda) / lambda;
    EXPECT_NEAR(ratio, (1 + gamma * lambda) / (gamma * lambda), 1e-12);
    EXPECT_NEAR(ratio, 1 / (lambda * gamma) + 1, 1e-12);
    EXPECT_EQ(std::abs(ratio - (1 + gamma * lambda) / lambda) > 1, gamma != 1);  // as printed
  }
}

// n = 1, squared loss, |x| = R: ASPDC is y <- -(R^2/(lambda n)) y - b. The condition is lambda >= 4 R^2/(n gamma), and a
// row of norm 1 has the norm sqrt(2) once the feature 1 of the bias is appended.
TEST(ErrataLiang, conditions_are_about_rows_of_any_norm) {
  const auto error_after = [](double R, double lambda) {
    const double b = 1, optimum = -b / (1 + R * R / lambda);
    double y = 0;
    for (int t = 0; t < 60; ++t) y = -R * R / lambda * y - b;
    return std::abs(y - optimum);
  };
  EXPECT_LT(error_after(1, 4), 1e-12);  // 4/(n gamma), rows of norm 1
  EXPECT_GT(error_after(3, 4), 1e12);   // the same lambda
  EXPECT_LT(error_after(3, 4 * 9), 1e-12);
  EXPECT_NEAR(std::hypot(0.6, 0.8, 1.0), std::sqrt(2.0), 1e-15);
}

// g(w) = lambda |w|_1, their third example: P is strongly convex by the squared loss, as assumption 2 allows, but
// min_w f(w, alpha) is -infinity after the first dual step, alpha = -b, unless |b| <= lambda; for l2 it is finite.
TEST(ErrataLiang, primal_step_needs_a_strongly_convex_penalty) {
  const double lambda = 0.1, alpha = -1;  // n = 1, x = 1, b = 1
  const auto lasso = [&](double w) { return alpha * w + lambda * std::abs(w); };
  EXPECT_LT(lasso(1e6), lasso(1e3) - 1e5);
  EXPECT_NEAR(test::argmin([&](double w) { return alpha * w + lambda / 2 * w * w; }, -100, 100), -alpha / lambda, 1e-4);
}

// Tables 5 and 6: seconds to the gap over seconds per pass are the passes. ASPDC-i takes more of them than ASDCA on all
// three sets. And ASDCA has figures for covtype at lambda = 1e-6, where the text says that it cannot be applied.
TEST(ErrataLiang, tables_5_and_6_contradict_the_text) {
  struct Row {
    double asdca, aspdc_i, asdca_pass, aspdc_i_pass;
  };
  for (const Row& row :
       {Row{0.582, 0.8464, 0.0165, 0.0167}, Row{0.994, 2.033, 0.0305, 0.0302}, Row{8.407, 47.734, 0.208, 0.408}})
    EXPECT_GT(row.aspdc_i / row.aspdc_i_pass, 1.4 * row.asdca / row.asdca_pass);
  EXPECT_LT(1 / (10 * 581012.0), 1e-6);  // 1/(10 n gamma) of covtype, gamma = 1
}

// Where Lemma 2 applies, lambda >= 4/(n gamma), the condition number 1/(lambda gamma) is at most n/4: SVRG and SPDC take
// O(n log(1/eps)) steps too. The factor d of their complexities is the cost of a step, which that of ASPDC leaves out.
TEST(ErrataLiang, complexities_are_of_the_same_order_where_lemma_2_applies) {
  for (const double n : {10.0, 1e6})
    for (const double factor : {1.0, 100.0}) {
      const double kappa = n / 4 / factor;
      EXPECT_LE(n + kappa, 1.25 * n);
      EXPECT_LE(n + std::sqrt(n * kappa), 1.5 * n);
    }
}

}  // namespace errata_aspdc_test
}  // namespace seesaw
