// The laws of the block losses (softmax, multiclass hinge): those of the scalar losses, block by block.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/rng.h"
#include "model/losses/hinge.h"
#include "model/losses/loss.h"
#include "support/block_formulas.h"

namespace seesaw {
namespace block_losses_test {

using Block = std::vector<double>;
using test::LongBlock;

struct Case {
  std::string name;
  BlockLoss loss;
  std::size_t K, b;
  Rng rng;

  Block scores(double size) {
    Block z(K);
    for (double& zk : z) zk = size * rng.normal();
    return z;
  }
  // p - e_b with p in the simplex: inside, on a face, or a vertex.
  Block dual() {
    Block p(K);
    double sum = 0;
    const double kind = rng.uniform();
    for (double& pk : p) {
      pk = kind < 0.4 && rng.uniform() < 0.6 ? 0 : std::exp(3 * rng.normal());
      sum += pk;
    }
    if (sum == 0 || kind < 0.1) {
      std::fill(p.begin(), p.end(), 0.0);
      p[rng.below(static_cast<std::uint32_t>(K))] = sum = 1;
    }
    double others = 0;
    for (std::size_t k = 0; k < K; ++k)
      if (k != b) others += p[k] /= sum;
    p[b] = -std::min(others, 1.0);
    return p;
  }
};

Case any_case(const LossKind& kind) {
  const auto K = *rc::gen::inRange<std::size_t>(2, 21);
  return {std::string(kind.name), kind.make_block(K), K, *rc::gen::inRange<std::size_t>(0, K),
          Rng(*rc::gen::inRange<std::uint64_t>(0, 1u << 30))};
}

Case any_case() { return any_case(block_loss_kinds()[*rc::gen::inRange<std::size_t>(0, block_loss_kinds().size())]); }

double value(const BlockLoss& l, std::size_t b, const Block& z) {
  return std::visit([&](const auto& f) { return f.value(b, z.data()); }, l);
}
double conjugate(const BlockLoss& l, std::size_t b, const Block& y) {
  return std::visit([&](const auto& f) { return f.conjugate(b, y.data()); }, l);
}
Block derivative(const BlockLoss& l, std::size_t b, const Block& z) {
  Block y(z.size());
  std::visit([&](const auto& f) { f.derivative(b, z.data(), y.data()); }, l);
  return y;
}
Block step(const BlockLoss& l, std::size_t b, const Block& z, const Block& y0, double q) {
  Block y(z.size());
  std::visit([&](const auto& f) { f.dual_step(b, z.data(), y0.data(), q, y.data()); }, l);
  return y;
}
double dot(const Block& a, const Block& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}
bool in_simplex(const Block& y, std::size_t b) {
  double sum = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (!((k == b ? y[k] + 1 : y[k]) >= 0)) return false;
    sum += y[k];
  }
  return std::abs(sum) <= 4e-15;
}

// A slow reference of the dual step: nested bisection in long double.
LongBlock slow_step(const std::string& name, std::size_t b, const Block& z, const Block& y0, double q) {
  LongBlock c(z.size()), p(z.size());
  for (std::size_t k = 0; k < z.size(); ++k) {
    c[k] = z[k] + (long double)q * (k == b ? 1.0L + y0[k] : y0[k]);
    if (name == "multiclass-hinge" && k == b) c[k] -= 1;
  }
  const long double largest = *std::max_element(c.begin(), c.end());
  const auto sum_at = [&](long double nu) {  // of the p_k with  q p_k (+ log p_k) = c_k - nu
    long double sum = 0;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const long double target = c[k] - nu;
      if (name == "multiclass-hinge") {
        p[k] = std::max(0.0L, target / q);
      } else {
        long double lo = -12000, hi = 10;  // bounds of log p_k: Newton, safeguarded by bisection
        long double s = std::min(target, 0.0L);
        for (int round = 0; round < 200; ++round) {
          const long double f = q * std::exp(s) + s - target;
          (f > 0 ? hi : lo) = s;
          const long double next = s - f / (q * std::exp(s) + 1);
          const long double moved = lo < next && next < hi ? next : (lo + hi) / 2;
          if (std::abs(moved - s) <= 1e-19L * (1 + std::abs(s))) break;
          s = moved;
        }
        p[k] = std::exp(s);
      }
      sum += p[k];
    }
    return sum;
  };
  long double lo = largest - q - 1, hi = largest + std::log((long double)z.size()) + 1;
  for (int round = 0; round < 130; ++round) {
    const long double nu = (lo + hi) / 2;
    (sum_at(nu) > 1 ? lo : hi) = nu;
  }
  sum_at((lo + hi) / 2);
  p[b] -= 1;
  return p;
}

// The error in p caused by the rounding of the scores: the hinge conjugate has no curvature, so it is divided by q.
double rounding(const std::string& name, double size, double q) {
  return 1e-15 * size / (name == "softmax" ? std::max(1.0, q) : q);
}

RC_GTEST_PROP(BlockLosses, value_and_conjugate_are_those_of_the_table, ()) {
  Case c = any_case();
  const Block z = c.scores(5), y = c.dual();
  const LongBlock long_z(z.begin(), z.end()), long_y(y.begin(), y.end());
  const double phi = value(c.loss, c.b, z), by_hand = (double)test::block_phi_by_hand(c.name, c.b, long_z);
  RC_ASSERT(std::abs(phi - by_hand) <= 1e-14 * (1 + std::abs(by_hand)));
  if (c.name == "softmax")
    RC_ASSERT(std::abs(phi - by_hand) <= 1e-13 * by_hand);  // small losses have a small relative error
  RC_ASSERT(std::abs(conjugate(c.loss, c.b, y) - (double)test::block_conjugate_by_hand(c.name, c.b, long_y)) <= 1e-14);
}

RC_GTEST_PROP(BlockLosses, fenchel_young_is_not_negative_and_zero_at_the_derivative, ()) {
  Case c = any_case();
  const Block z = c.scores(*rc::gen::element(0.1, 3.0, 30.0)), y = c.dual(), s = derivative(c.loss, c.b, z);
  const double rounding = 1e-13 * (1 + std::sqrt(dot(z, z)));
  RC_ASSERT(value(c.loss, c.b, z) + conjugate(c.loss, c.b, y) - dot(y, z) >= -rounding);
  RC_ASSERT(std::abs(value(c.loss, c.b, z) + conjugate(c.loss, c.b, s) - dot(s, z)) <= rounding);
  RC_ASSERT(in_simplex(s, c.b));
}

RC_GTEST_PROP(BlockLosses, derivative_is_the_derivative, ()) {
  Case c = any_case();
  const Block z = c.scores(3), s = derivative(c.loss, c.b, z);
  const double h = 1e-6;
  for (std::size_t k = 0; k < c.K; ++k) {  // between the one-sided difference quotients
    Block left = z, right = z;
    left[k] -= h;
    right[k] += h;
    RC_ASSERT((value(c.loss, c.b, z) - value(c.loss, c.b, left)) / h <= s[k] + 1e-5);
    RC_ASSERT((value(c.loss, c.b, right) - value(c.loss, c.b, z)) / h >= s[k] - 1e-5);
  }
}

RC_GTEST_PROP(BlockLosses, conjugate_is_infinite_outside_the_simplex_and_finite_at_its_corners, ()) {
  Case c = any_case();
  Block y(c.K);
  RC_ASSERT(conjugate(c.loss, c.b, y) == 0);  // p = e_b
  y[(c.b + 1) % c.K] = -0.1;
  y[c.b] = 0.1;
  RC_ASSERT(std::isinf(conjugate(c.loss, c.b, y)));
}

RC_GTEST_PROP(BlockLosses, gamma_is_the_smoothness, ()) {
  Case c = any_case();
  const BlockLoss loss = c.name == "softmax" ? c.loss : smoothed(c.loss, 0.3);
  const Block z1 = c.scores(2), z2 = c.scores(2), s1 = derivative(loss, c.b, z1), s2 = derivative(loss, c.b, z2);
  Block dz(c.K), ds(c.K);
  for (std::size_t k = 0; k < c.K; ++k) {
    dz[k] = z2[k] - z1[k];
    ds[k] = s2[k] - s1[k];
  }
  RC_ASSERT(dot(ds, dz) <= dot(dz, dz) / gamma_of(loss) * (1 + 1e-9));
}

RC_GTEST_PROP(BlockLosses, dual_step_is_that_of_a_slow_solve_and_stays_in_the_simplex, ()) {
  Case c = any_case();
  const double q = std::pow(10.0, -6 + 14 * c.rng.uniform());
  const Block z = c.scores(std::pow(10.0, -2 + 4 * c.rng.uniform())), y0 = c.dual();
  const Block y = step(c.loss, c.b, z, y0, q);
  const LongBlock truth = slow_step(c.name, c.b, z, y0, q);
  RC_ASSERT(in_simplex(y, c.b));
  for (std::size_t k = 0; k < c.K; ++k)
    RC_ASSERT(std::abs(y[k] - (double)truth[k]) <= 1e-14 + rounding(c.name, std::sqrt(dot(z, z)), q));
}

TEST(BlockLosses, dual_step_is_right_on_adversarial_cases) {
  Rng rng(3);
  for (const LossKind& kind : block_loss_kinds())
    for (const std::size_t K : {2, 3, 10, 20})
      for (const double q : {1e-6, 1e-3, 0.1, 1.0, 10.0, 1e3, 1e5, 1e8})
        for (const double size : {0.0, 1e-3, 1.0, 36.0, 700.0})
          for (const std::size_t vertex : {std::size_t{0}, K - 1}) {  // p0: the row's class, or another
            const BlockLoss loss = kind.make_block(K);
            Block z(K), y0(K);
            for (double& zk : z) zk = size * (rng.uniform() < 0.5 ? 1 : -1) * (rng.uniform() < 0.3 ? 1 : rng.uniform());
            y0[vertex] += 1;
            y0[0] -= 1;
            const Block y = step(loss, 0, z, y0, q);
            const LongBlock truth = slow_step(std::string(kind.name), 0, z, y0, q);
            EXPECT_TRUE(in_simplex(y, 0)) << kind.name << " K " << K << " q " << q << " size " << size;
            for (std::size_t k = 0; k < K; ++k)
              EXPECT_NEAR(y[k], (double)truth[k], 1e-14 + rounding(std::string(kind.name), size, q))
                  << kind.name << " K " << K << " q " << q << " size " << size << " k " << k;
          }
}

RC_GTEST_PROP(BlockLosses, dual_step_for_q_0_is_the_derivative, ()) {
  Case c = any_case();
  const Block z = c.scores(3), y = step(c.loss, c.b, z, c.dual(), 0), s = derivative(c.loss, c.b, z);
  for (std::size_t k = 0; k < c.K; ++k) RC_ASSERT(std::abs(y[k] - s[k]) <= 1e-15);
}

RC_GTEST_PROP(BlockLosses, smoothing_lies_below_by_at_most_g_and_its_step_is_that_of_the_formula, ()) {
  Case c = any_case(loss_kind("multiclass-hinge"));
  const double g = 0.01 + c.rng.uniform(), q = std::pow(10.0, -2 + 4 * c.rng.uniform());
  const BlockLoss smooth = smoothed(c.loss, g);
  RC_ASSERT(gamma_of(smooth) == g);
  const Block z = c.scores(2);
  const double difference = value(c.loss, c.b, z) - value(smooth, c.b, z);
  RC_ASSERT(difference >= -1e-13);
  RC_ASSERT(difference <= g + 1e-13);
  const Block s = derivative(smooth, c.b, z);
  RC_ASSERT(std::abs(value(smooth, c.b, z) + conjugate(smooth, c.b, s) - dot(s, z)) <= 1e-12);
  const Block y0 = c.dual(), y = step(smooth, c.b, z, y0, q);  // step_g(z, y0, q) = step(z, q y0/(q+g), q+g)
  Block shifted = y0;
  for (double& pk : shifted) pk *= q / (q + g);
  const Block adapted = step(c.loss, c.b, z, shifted, q + g);
  for (std::size_t k = 0; k < c.K; ++k) RC_ASSERT(std::abs(y[k] - adapted[k]) <= 1e-12);
}

RC_GTEST_PROP(BlockLosses, projected_gradient_is_zero_exactly_where_the_block_is_solved, ()) {
  Case c = any_case(loss_kind("multiclass-hinge"));
  const MulticlassHinge loss{c.K, c.rng.uniform() < 0.5 ? 0 : c.rng.uniform()};
  const Block z = c.scores(2), y = c.rng.uniform() < 0.5 ? c.dual() : derivative(loss, c.b, z),
              moved = step(loss, c.b, z, y, 10);
  double distance = 0;
  for (std::size_t k = 0; k < c.K; ++k) distance = std::max(distance, std::abs(moved[k] - y[k]));
  const auto gradient = loss.projected_gradient(c.b, z.data(), y.data());
  if (gradient.violation > 1e-9) RC_ASSERT(distance > 0);
  if (gradient.violation == 0) RC_ASSERT(distance <= 1e-11);
  if (gradient.margin > 0) {
    RC_ASSERT(gradient.violation == 0);
    for (double yk : y) RC_ASSERT(std::min(std::abs(yk), 1 - std::abs(yk)) <= 1e-11);
  }
}

RC_GTEST_PROP(BlockLosses, with_two_classes_are_the_binary_losses_of_the_score_difference, ()) {
  Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1u << 30));
  const Block z = {4 * rng.normal(), 4 * rng.normal()};
  const double q = std::pow(10.0, -3 + 6 * rng.uniform()), p0 = rng.uniform();
  for (const std::size_t b : {0, 1}) {
    const double sign = b == 1 ? 1 : -1, difference = z[1] - z[0];
    const Logistic logistic;
    RC_ASSERT(std::abs(value(Softmax{2}, b, z) - logistic.value(sign, difference)) <= 1e-13);
    const double size = 1 + std::max(std::abs(z[0]), std::abs(z[1]));  // z - log sum exp(z) is rounded like z
    RC_ASSERT(std::abs(derivative(Softmax{2}, b, z)[1] - logistic.derivative(sign, difference)) <= 1e-15 * size);
    RC_ASSERT(std::abs(value(MulticlassHinge{2}, b, z) - std::max(0.0, 1 - sign * difference)) <= 1e-14);
    Block y0(2);  // |y - y0|^2 sums over both classes: q of the block is 2 q of the binary loss
    y0[b] = -p0;
    y0[1 - b] = p0;
    const double y = step(Softmax{2}, b, z, y0, q)[1], binary = logistic.dual_step(sign, difference, -sign * p0, 2 * q);
    RC_ASSERT(std::abs(y - binary) <= 1e-14);
    const double hinge = step(MulticlassHinge{2}, b, z, y0, q)[1];
    const double expected = -sign * std::clamp(p0 + (1 - sign * difference) / (2 * q), 0.0, 1.0);
    RC_ASSERT(std::abs(hinge - expected) <= 1e-14 * (1 + std::abs(difference) / q));
  }
}

TEST(BlockLosses, names_are_found) {
  for (const LossKind& kind : block_loss_kinds()) EXPECT_EQ(&loss_kind(kind.name), &kind);
  EXPECT_EQ(block_loss_kinds().size(), 2u);
}

}  // namespace block_losses_test
}  // namespace seesaw
