// softmax (multinomial logistic):   phi(z) = log(sum_k exp(z_k)) - z_b
//                                   phi*(y) = sum_k p_k log p_k,  p = y + e_b in the simplex
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/elementary.h"
#include "base/scalar.h"
#include "model/losses/simplex.h"

namespace seesaw {

struct Softmax {
  std::size_t classes;  // K

  static constexpr bool can_shrink = false;  // p lies inside the simplex
  double gamma() const { return 2; }

  [[gnu::noinline]] double value(std::size_t b, const double* z) const {
    const double largest = *std::max_element(z, z + classes);
    double others = 0;
    for (std::size_t k = 0; k < classes; ++k)
      if (k != b) others += exp_of(z[k] - largest);
    if (z[b] == largest) return log1p_of(others);  // small losses keep their digits
    return (largest - z[b]) + log_of(others + exp_of(z[b] - largest));
  }

  [[gnu::noinline]] void derivative(std::size_t b, const double* z, double* y) const {
    const double total = log_sum_exp(z);
    for (std::size_t k = 0; k < classes; ++k) y[k] = exp_of(z[k] - total);
    close_simplex(b, y, classes);
  }

  double conjugate(std::size_t b, const double* y) const {
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double p = k == b ? y[k] + 1 : y[k];
      if (!(p >= 0)) return infinity;
      if (p > 0) sum += p * log_of(p);  // 0 log 0 = 0
    }
    return sum;
  }

  // argmax_p  <z, p> - sum p log p - (q/2)|p - p0|^2 over the simplex, p0 = y0 + e_b. With the multiplier nu,
  //     q p_k + log p_k = c_k - nu,  c_k = z_k + q p0_k:     q p_k = omega(c_k - nu + log q),  omega + log omega = t.
  // sum p_k is convex and falls with nu; at nu = max c - q it is at least 1. Newton is monotone left of the root and
  // jumps there from the right, so it may start at log sum exp(z), which is the root where p0 is optimal already.
  // y must not be y0.
  [[gnu::noinline]] void dual_step(std::size_t b, const double* z, const double* y0, double q, double* y) const {
    if (q == 0) return derivative(b, z, y);
    const double log_q = log_of(q);
    double largest = -infinity;
    for (std::size_t k = 0; k < classes; ++k) largest = std::max(largest, c(k, b, z, y0, q));
    const double leftmost = largest - q, enough = 1e-7 + 1e-15 * q;
    double nu = std::max(leftmost, log_sum_exp(z)), move = 0;
    for (int round = 0; round < 100; ++round) {
      double total = 0, fall = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        const double t = c(k, b, z, y0, q) - nu + log_q;
        const bool near = round > 0 && std::abs(move) < 0.5;
        const double w = omega(t, near ? moved(y[k], move) : first_guess(t)), p = w / q;
        y[k] = w;
        total += p;
        fall += p / (1 + w);
      }
      const double next = std::max(leftmost, nu + (total - 1) / fall);
      move = next - nu;
      if (std::abs(move) < enough) break;
      nu = next;
    }
    // The last move, to first order: what is left is of the order of its square.
    for (std::size_t k = 0; k < classes; ++k) y[k] = y[k] / q * (1 - move / (1 + y[k]));
    // Scores or q outside the range of calculations: no step.
    if (!std::all_of(y, y + classes, [](double p) { return p >= 0 && p <= 2; })) std::copy(y0, y0 + classes, y);
    close_simplex(b, y, classes);
  }

 private:
  static double c(std::size_t k, std::size_t b, const double* z, const double* y0, double q) {
    return z[k] + q * (k == b ? y0[k] + 1 : y0[k]);
  }

  double log_sum_exp(const double* z) const {
    const double largest = *std::max_element(z, z + classes);
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) sum += exp_of(z[k] - largest);
    return largest + log_of(sum);
  }

  static double first_guess(double t) {
    if (t > 1) return t - log_of(t);
    const double e = exp_of(t);
    return e / (1 + e) * (t < -2 ? 1 : 1.2);
  }

  // omega(t - move) from w = omega(t), to first order and never below 0: d omega / dt = w / (1 + w).
  static double moved(double w, double move) { return move > 0 ? w / (1 + move / (1 + w)) : w * (1 - move / (1 + w)); }

  // The root of w + log w = t (Wright's omega), by the iteration of Fritsch, Shafer and Crowley (fourth order).
  static double omega(double t, double w) {
    if (t < -37 || !(w > 0)) return exp_of(t);  // w is below the rounding of t
    for (int round = 0; round < 6; ++round) {
      const double r = t - w - log_of(w);
      const double u = (1 + w) * (1 + w + 2.0 / 3 * r);
      const double change = r / (1 + w) * (u - 0.5 * r) / (u - r);
      w *= 1 + change;
      if (std::abs(change) < 1e-4) break;  // the next error is of the order of its fourth power
    }
    return w;
  }
};

}  // namespace seesaw
