// Every registered loss satisfies the laws below; a new loss is tested once it is registered. The values are also
// compared with independent formulas (support/formulas.h).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "model/losses/loss.h"
#include "support/formulas.h"

namespace seesaw {
namespace losses_test {

using test::conjugate_by_hand;
using test::phi_by_hand;

struct Case {
  const LossKind* kind;
  double parameter;
  Loss loss;
};

rc::Gen<double> in_range(double lo, double hi) {
  return rc::gen::map(rc::gen::inRange(0, 1 << 20), [=](int k) { return lo + (hi - lo) * k / double(1 << 20); });
}

Case any_loss() {
  const LossKind& kind = loss_kinds()[*rc::gen::inRange<std::size_t>(0, loss_kinds().size())];
  const double parameter = kind.parameter.name == "quantile" ? *in_range(0.05, 0.95)
                           : kind.parameter.name.empty()     ? 0
                                                             : *in_range(0.05, 3);
  return {&kind, parameter, kind.make(parameter)};
}

double any_label(const LossKind& kind) {
  if (kind.target == Target::sign) return *rc::gen::element(-1.0, 1.0);
  return *in_range(-4, 4);
}

double any_dual(const Loss& loss, double b) {
  const Interval box = std::visit([&](const auto& l) { return l.domain(b); }, loss);
  return *in_range(std::max(box.lo, -6.0), std::min(box.hi, 6.0));
}

double value(const Loss& l, double b, double z) {
  return std::visit([&](const auto& f) { return f.value(b, z); }, l);
}
double derivative(const Loss& l, double b, double z) {
  return std::visit([&](const auto& f) { return f.derivative(b, z); }, l);
}
double second(const Loss& l, double b, double z) {
  return std::visit([&](const auto& f) { return f.second_derivative(b, z); }, l);
}
double conjugate(const Loss& l, double b, double y) {
  return std::visit([&](const auto& f) { return f.conjugate(b, y); }, l);
}
double step(const Loss& l, double b, double z, double y0, double q) {
  return std::visit([&](const auto& f) { return f.dual_step(b, z, y0, q); }, l);
}

RC_GTEST_PROP(Losses, value_and_conjugate_are_those_of_the_table, ()) {
  const Case c = any_loss();
  const double b = any_label(*c.kind), z = *in_range(-5, 5), y = any_dual(c.loss, b);
  const std::string name(c.kind->name);
  RC_ASSERT(std::abs(value(c.loss, b, z) - phi_by_hand(name, c.parameter, b, z)) <=
            1e-12 * (1 + std::abs(z * z) + b * b));
  RC_ASSERT(std::abs(conjugate(c.loss, b, y) - conjugate_by_hand(name, c.parameter, b, y)) <=
            1e-12 * (1 + y * y + std::abs(b * y)));
}

RC_GTEST_PROP(Losses, fenchel_young_is_not_negative_and_zero_at_the_derivative, ()) {
  const Case c = any_loss();
  const double b = any_label(*c.kind), z = *in_range(-5, 5), y = any_dual(c.loss, b);
  RC_ASSERT(value(c.loss, b, z) + conjugate(c.loss, b, y) - y * z >= -1e-12 * (1 + z * z + y * y));
  const double s = derivative(c.loss, b, z);
  RC_ASSERT(std::abs(value(c.loss, b, z) + conjugate(c.loss, b, s) - s * z) <= 1e-11 * (1 + z * z + b * b));
}

RC_GTEST_PROP(Losses, derivative_is_the_derivative, ()) {
  const Case c = any_loss();
  const double b = any_label(*c.kind), z = *in_range(-5, 5), h = 1e-6;
  const double left = (value(c.loss, b, z) - value(c.loss, b, z - h)) / h,
               right = (value(c.loss, b, z + h) - value(c.loss, b, z)) / h;
  const double s = derivative(c.loss, b, z);  // a subgradient: between the one-sided difference quotients
  RC_ASSERT(left - 1e-5 * (1 + std::abs(s)) <= s);
  RC_ASSERT(s <= right + 1e-5 * (1 + std::abs(s)));
}

RC_GTEST_PROP(Losses, second_derivative_is_that_of_the_value, ()) {
  const Case c = any_loss();
  const double b = any_label(*c.kind), z = *in_range(-5, 5), h = 1e-4;
  const double below = second(c.loss, b, z - h), at = second(c.loss, b, z), above = second(c.loss, b, z + h);
  RC_PRE(std::abs(below - at) < 0.01 && std::abs(above - at) < 0.01);  // not where the piece changes
  RC_ASSERT(std::abs((derivative(c.loss, b, z + h) - derivative(c.loss, b, z - h)) / (2 * h) - at) <= 0.02);
}

RC_GTEST_PROP(Losses, derivative_stays_in_the_domain, ()) {
  const Case c = any_loss();
  const double b = any_label(*c.kind), z = *in_range(-50, 50);
  RC_ASSERT(std::isfinite(conjugate(c.loss, b, derivative(c.loss, b, z))));
}

RC_GTEST_PROP(Losses, conjugate_is_infinite_outside_the_domain, ()) {
  const Case c = any_loss();
  const double b = any_label(*c.kind);
  const Interval box = std::visit([&](const auto& l) { return l.domain(b); }, c.loss);
  if (std::isfinite(box.lo)) RC_ASSERT(std::isinf(conjugate(c.loss, b, box.lo - 0.1)));
  if (std::isfinite(box.hi)) RC_ASSERT(std::isinf(conjugate(c.loss, b, box.hi + 0.1)));
  RC_ASSERT(box.contains(0));  // scaling a dual point towards 0 keeps it feasible
}

RC_GTEST_PROP(Losses, dual_step_maximizes, ()) {
  const Case c = any_loss();
  const double b = any_label(*c.kind), z = *in_range(-5, 5), y0 = any_dual(c.loss, b),
               q = std::pow(10.0, *in_range(-3, 4));
  const auto objective = [&](double y) { return y * z - conjugate(c.loss, b, y) - q / 2 * (y - y0) * (y - y0); };
  const double best = step(c.loss, b, z, y0, q);
  const double at_best = objective(best);
  RC_ASSERT(std::isfinite(at_best));
  const Interval box = std::visit([&](const auto& l) { return l.domain(b); }, c.loss);
  for (double move : {-1.0, -0.1, -1e-2, -1e-3, 1e-3, 1e-2, 0.1, 1.0}) {
    const double y = box.clip(best + move);
    RC_ASSERT(objective(y) <= at_best + 1e-12 * (1 + std::abs(at_best) + q));
  }
}

RC_GTEST_PROP(Losses, gamma_is_the_smoothness_and_delta_the_strong_convexity, ()) {
  const Case c = any_loss();
  const double gamma = gamma_of(c.loss), delta = delta_of(c.loss);
  const double b = any_label(*c.kind), z1 = *in_range(-5, 5), z2 = *in_range(-5, 5);
  const double rise = (derivative(c.loss, b, z2) - derivative(c.loss, b, z1)) * (z2 - z1),
               square = (z2 - z1) * (z2 - z1);
  if (gamma > 0) RC_ASSERT(rise <= square / gamma * (1 + 1e-9) + 1e-12);
  RC_ASSERT(rise >= delta * square * (1 - 1e-9) - 1e-12);
}

RC_GTEST_PROP(Losses, projected_gradient_is_zero_exactly_where_the_coordinate_is_solved, ()) {
  const Case c = any_loss();
  RC_PRE(std::holds_alternative<PiecewiseQuadratic>(c.loss));
  const auto& loss = std::get<PiecewiseQuadratic>(c.loss);
  const double b = any_label(*c.kind), z = *in_range(-5, 5);
  const Interval box = loss.domain(b);
  const double y = *rc::gen::element(0, 1, 2) == 0 && std::isfinite(box.lo) ? box.lo : any_dual(c.loss, b);
  const auto gradient = loss.projected_gradient(b, z, y);
  const double moved = loss.dual_step(b, z, y, 10) - y;  // the direction of the step
  if (gradient.violation > 1e-9) RC_ASSERT(moved > 0);
  if (gradient.violation < -1e-9) RC_ASSERT(moved < 0);
  if (gradient.margin > 0) {
    RC_ASSERT(gradient.violation == 0);
    RC_ASSERT(moved == 0);
  }
}

RC_GTEST_PROP(Losses, smoothing_lies_below_by_at_most_half_g_of_the_largest_square, ()) {
  const Case c = any_loss();
  RC_PRE(std::holds_alternative<PiecewiseQuadratic>(c.loss));
  const double g = *in_range(0.01, 2), b = any_label(*c.kind), z = *in_range(-5, 5);
  const Loss smooth = smoothed(c.loss, g);
  RC_ASSERT(gamma_of(smooth) == gamma_of(c.loss) + g);
  const double difference = value(c.loss, b, z) - value(smooth, b, z);
  const double y = derivative(c.loss, b, z);  // phi - phi_g <= g/2 y^2 at y = phi'(z)
  RC_ASSERT(difference >= -1e-12 * (1 + z * z));
  RC_ASSERT(difference <= g / 2 * y * y + 1e-10 * (1 + z * z));
}

// The one-dimensional solve against bisection in long double, on adversarial cases.
TEST(Logistic, dual_step_is_right_to_rounding_on_adversarial_cases) {
  const Logistic loss;
  for (double q : {1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6, 1e8})
    for (double p0 : {0.0, 1e-300, 1e-20, 1e-8, 1e-3, 0.3, 0.5, 0.9, 1 - 1e-9, 1 - 1e-16, 1.0})
      for (double m : {-700.0, -40.0, -5.0, -1e-3, 0.0, 1e-3, 3.0, 36.0, 700.0}) {
        const long double clamped = std::min(std::max((long double)p0, 1e-300L), 1 - 1e-16L);
        long double lo = std::min(-(long double)m, std::log(clamped) - std::log1p(-clamped));
        long double hi = std::max(-(long double)m, std::log(clamped) - std::log1p(-clamped));
        const auto sigmoid = [](long double t) {
          return t >= 0 ? 1 / (1 + std::exp(-t)) : std::exp(t) / (1 + std::exp(t));
        };
        for (int k = 0; k < 300; ++k) {
          const long double t = (lo + hi) / 2;
          (t + m + q * (sigmoid(t) - clamped) > 0 ? hi : lo) = t;
        }
        const long double truth = sigmoid((lo + hi) / 2);
        const double p = -loss.dual_step(1, m, -p0, q);
        EXPECT_LE(std::abs(p - (double)truth), 1e-15) << "q " << q << " p0 " << p0 << " m " << m;
      }
}

TEST(Losses, names_are_found_and_others_refused_with_the_list) {
  for (const LossKind& kind : loss_kinds()) EXPECT_EQ(&loss_kind(kind.name), &kind);
  EXPECT_GE(loss_kinds().size(), 10u);
  try {
    loss_kind("hing");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("squared-hinge"), std::string::npos);
  }
}

}  // namespace losses_test
}  // namespace seesaw
