// The verifier's arithmetic against 400-digit floating point: every ball contains the exact value, and is small.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "data/rows.h"
#include "verify/losses.h"
#include "verify/short_sum.h"
#include "verify/sum.h"

namespace seesaw::verifier {
namespace balls_test {

using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<400>>;

Exact exact(const Ball& a) { return Exact(a.high) + Exact(a.low); }

// `digits`: the radius is at most 2^-digits of the value.
void expect_contains(const Ball& ball, const Exact& value, int digits, const char* what) {
  EXPECT_LE(abs(exact(ball) - value), Exact(ball.radius)) << what << " " << ball.high;
  EXPECT_LE(Exact(ball.radius), abs(value) * Exact(std::ldexp(1.0, -digits)) + Exact(0x1p-1050)) << what;
}

Ball random_pair(double scale, Rng& rng) {
  const double high = scale * rng.normal();
  return Ball(two_sum(high, high * 0x1p-54 * rng.uniform()));
}
double random_power(int most, Rng& rng) {
  return std::ldexp(1.0, static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * most))) - most);
}

TEST(Balls, sums_products_quotients_and_roots_contain_the_exact_value) {
  Rng rng(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const Ball a = random_pair(random_power(60, rng), rng), b = random_pair(random_power(60, rng), rng);
    expect_contains(a + b, exact(a) + exact(b), 103, "+");
    expect_contains(a * b, exact(a) * exact(b), 101, "*");
    expect_contains(a / b, exact(a) / exact(b), 100, "/");
    expect_contains(square_root(absolute(a)), sqrt(abs(exact(a))), 100, "sqrt");
    const Ball far = random_pair(random_power(500, rng), rng), near = random_pair(random_power(500, rng), rng);
    expect_contains(far * near, exact(far) * exact(near), 60, "far *");
  }
}

TEST(Balls, exp_and_log_contain_the_exact_value) {
  Rng rng(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Ball x = random_pair(trial % 3 == 0 ? 200 : trial % 3 == 1 ? 3 : 1e-5, rng);
    if (std::abs(x.high) < 600) expect_contains(exp_of(x), exp(exact(x)), 96, "exp");
    const Ball a = absolute(random_pair(random_power(400, rng), rng));
    expect_contains(log_of(a), log(exact(a)), 90, "log");
    const double p = rng.uniform() * std::ldexp(1.0, -trial);
    const Ball rest(two_sum(1, -p));
    expect_contains(log_of(rest), log(exact(rest)), 90, "log near 1");
    const Ball t = -absolute(x);
    if (t.high > -600)
      expect_contains(log_of_one_plus_exp(t), boost::multiprecision::log1p(exp(exact(t))), 90, "log(1 + e^t)");
  }
}

TEST(Balls, sums_that_cancel_keep_their_digits) {
  Rng rng(3);
  for (int trial = 0; trial < 300; ++trial) {
    Sum sum;
    Exact value = 0;
    for (int k = 0; k < 60; ++k) {
      const double a = rng.normal() * random_power(30, rng), b = rng.normal() * random_power(30, rng);
      sum.add_product(a, b);
      sum.add_product(-a, std::nextafter(b, 0));
      value += Exact(a) * Exact(b) - Exact(a) * Exact(std::nextafter(b, 0));
    }
    const Ball ball = sum.value(240);
    EXPECT_LE(abs(exact(ball) - value), Exact(ball.radius));
    EXPECT_LE(Exact(ball.radius), abs(value) * Exact(0x1p-70));
  }
}

TEST(Balls, short_sums_contain_the_exact_value_within_the_bound_of_dot2) {
  Rng rng(6);
  constexpr std::size_t rows = 21, columns = 11;
  for (int trial = 0; trial < 200; ++trial) {
    const bool weighted = trial % 2 == 1;
    const int spread = trial % 3 == 0 ? 300 : 30;
    std::vector<std::vector<double>> a(rows, std::vector<double>(columns));
    std::vector<double> x(columns);
    std::vector<ShortSum> sparse(columns), dense(columns), joined(columns), rest(columns);
    const std::size_t cut = static_cast<std::size_t>(trial) % rows;  // the bits do not depend on it
    std::optional<DenseColumnSums<double>> dense_rows(std::in_place, dense.data(), columns, 1);
    std::vector<Exact> value(columns, 0), size(columns, 0);
    for (double& xj : x) xj = rng.normal() * random_power(spread, rng);
    for (std::size_t i = 0; i < rows; ++i) {
      Ball w = weighted ? random_pair(random_power(spread, rng), rng) : Ball(rng.normal());
      for (std::size_t j = 0; j < columns; ++j) {
        a[i][j] = rng.normal() * random_power(spread, rng);
        if (i + 1 == rows && sparse[j].sum != 0) a[i][j] = -sparse[j].sum / w.high;  // nearly complete cancellation
        sparse[j].add_product(a[i][j], w);
        (i < cut ? joined : rest)[j].add_product(a[i][j], w);
        value[j] += Exact(a[i][j]) * exact(w);
        size[j] += abs(Exact(a[i][j]) * exact(w));
      }
      if (i == cut) {
        dense_rows->store();
        dense_rows.emplace(dense.data(), columns, 1);
      }
      dense_rows->add(a[i].data(), w);
      Exact score = 0.5, of_score = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        score += Exact(a[i][j]) * Exact(x[j]);
        of_score += abs(Exact(a[i][j]) * Exact(x[j]));
      }
      const Ball z = short_score(DenseRow<double>{a[i].data(), columns}, x.data(), 0.5);
      EXPECT_LE(abs(exact(z) - score), Exact(z.radius));
      EXPECT_LE(Exact(z.radius), Exact(0x1p-98) * (of_score + 1));
    }
    dense_rows->store();
    for (std::size_t j = 0; j < columns; ++j) {
      const auto bits = [](const ShortSum& sum) { return std::bit_cast<std::array<std::uint64_t, 4>>(sum); };
      EXPECT_EQ(bits(dense[j]), bits(sparse[j]));
      joined[j] += rest[j];
      for (const Ball& ball : {sparse[j].value(rows), joined[j].value(rows)}) {
        EXPECT_LE(abs(exact(ball) - value[j]), Exact(ball.radius));
        EXPECT_LE(Exact(ball.radius), Exact(0x1p-95) * size[j] + Exact(0x1p-1060));
      }
    }
  }
}

TEST(Balls, tiny_and_huge_numbers_never_lose_the_exact_value) {
  Rng rng(4);
  for (int trial = 0; trial < 2000; ++trial) {
    const double a = rng.normal() * random_power(1000, rng), b = rng.normal() * random_power(1000, rng);
    const Ball product = Ball(a) * Ball(b), quotient = Ball(a) / Ball(b);
    if (finite(product)) {
      EXPECT_LE(abs(exact(product) - Exact(a) * Exact(b)), Exact(product.radius));
    }
    if (finite(quotient)) {
      EXPECT_LE(abs(exact(quotient) - Exact(a) / Exact(b)), Exact(quotient.radius));
    }
    Sum sum;
    sum.add_product(a, b);
    if (const Ball value = sum.value(1); finite(value)) {
      EXPECT_LE(abs(exact(value) - Exact(a) * Exact(b)), Exact(value.radius));
    }
  }
}

TEST(Balls, the_logistic_loss_and_its_conjugate_contain_the_exact_value) {
  Rng rng(5);
  for (int trial = 0; trial < 300; ++trial) {
    const double m = 30 * rng.normal(), p = trial % 2 == 0 ? rng.uniform() : std::ldexp(rng.uniform(), -trial);
    expect_contains(loss_value(LossName::logistic, Ball(m), 0), boost::multiprecision::log1p(exp(-Exact(m))), 90,
                    "phi");
    const Exact q = Exact(1) - Exact(p);
    expect_contains(loss_conjugate(LossName::logistic, p, 0), Exact(p) * log(Exact(p)) + q * log(q), 85, "phi*");
  }
}

}  // namespace balls_test
}  // namespace seesaw::verifier
