// softmax (multinomial logistic):   phi(z) = log(sum_k exp(z_k)) - z_b
//                                   phi*(y) = sum_k p_k log p_k,  p = y + e_b in the simplex
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/scalar.h"

namespace seesaw {

struct Softmax {
  std::size_t classes;  // K

  double gamma() const { return 2; }

  double value(std::size_t b, const double* z) const { return log_sum_exp(z) - z[b]; }

  void slope(std::size_t b, const double* z, double* y) const {
    const double total = log_sum_exp(z);
    for (std::size_t k = 0; k < classes; ++k) y[k] = std::exp(z[k] - total);
    y[b] -= 1;
  }

  double conjugate(std::size_t b, const double* y) const {
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double p = k == b ? y[k] + 1 : y[k];
      if (!(p >= 0)) return infinity;
      if (p > 0) sum += p * std::log(p);  // 0 log 0 = 0
    }
    return sum;
  }

  // argmax_p  <z, p> - sum p log p - (q/2)|p - p0|^2 over the simplex, p0 = y0 + e_b. With the multiplier nu,
  //     q p_k + log p_k = c_k - nu,  c_k = z_k + q p0_k:     q p_k = omega(c_k - nu + log q),  omega + log omega = t.
  // sum p_k is convex and falls with nu; at nu = max c - q it is at least 1, so Newton from there is monotone.
  void dual_step(std::size_t b, const double* z, const double* y0, double q, double* y) const {
    if (q == 0) return slope(b, z, y);
    const double log_q = std::log(q);
    double largest = -infinity;
    for (std::size_t k = 0; k < classes; ++k) largest = std::max(largest, c(k, b, z, y0, q));
    double nu = largest - q, total = 0;
    for (int step = 0; step < 100; ++step) {
      total = 0;
      double slope_of_total = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        const double w = omega(c(k, b, z, y0, q) - nu + log_q), p = w / q;
        y[k] = p;
        total += p;
        slope_of_total += p / (1 + w);
      }
      const double move = (total - 1) / slope_of_total;
      if (!(move > 1e-9 * (1 + std::abs(nu))) && step > 0) break;  // what is left goes with the division below
      nu += move;
    }
    for (std::size_t k = 0; k < classes; ++k) y[k] /= total;
    y[b] -= 1;
  }

 private:
  static double c(std::size_t k, std::size_t b, const double* z, const double* y0, double q) {
    return z[k] + q * (k == b ? y0[k] + 1 : y0[k]);
  }

  double log_sum_exp(const double* z) const {
    const double largest = *std::max_element(z, z + classes);
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) sum += std::exp(z[k] - largest);
    return largest + std::log(sum);
  }

  // The root of w + log w = t (Wright's omega), by the iteration of Fritsch, Shafer and Crowley (fourth order).
  static double omega(double t) {
    if (t < -37) return std::exp(t);  // w is below the rounding of t
    double w = t < 1 ? std::exp(t) / (1 + std::exp(t)) * (t < -2 ? 1 : 1.2) : t - std::log(t);
    for (int step = 0; step < 4; ++step) {
      const double r = t - w - std::log(w);
      const double u = (1 + w) * (1 + w + 2.0 / 3 * r);
      const double change = r / (1 + w) * (u - 0.5 * r) / (u - r);
      w *= 1 + change;
      if (std::abs(change) < 1e-4) break;  // the next error is of the order of its fourth power
    }
    return w;
  }
};

}  // namespace seesaw
