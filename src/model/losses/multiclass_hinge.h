// multiclass hinge (Crammer and Singer):   phi(z) = max_k (z_k + [k != b]) - z_b
//                                          phi*(y) = y_b,  p = y + e_b in the simplex
// Smoothed by g (the adapter): phi_g*(y) = y_b + (g/2)|y|^2, so that 0 <= phi - phi_g <= g.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/scalar.h"
#include "model/losses/simplex.h"

namespace seesaw {

struct MulticlassHinge {
  std::size_t classes;   // K
  double curvature = 0;  // g

  static constexpr bool can_shrink = true;
  double gamma() const { return curvature; }

  [[gnu::noinline]] double value(std::size_t b, const double* z) const {
    if (curvature == 0) {
      double most = 0;
      for (std::size_t k = 0; k < classes; ++k)
        if (const double at = z[k] + 1 - z[b]; k != b && !(at <= most)) {
          if (std::isnan(at)) return at;
          most = at;
        }
      return most;
    }
    const Projection to = projection(b, z, nullptr, 0);
    double value = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double p = to.probability(point(k, b, z, nullptr, 0)), y = k == b ? p - 1 : p;
      value += y * z[k] - 0.5 * curvature * y * y - (k == b ? y : 0);
    }
    return value;
  }

  // A subgradient: where there is no curvature, towards the class that is largest.
  [[gnu::noinline]] void derivative(std::size_t b, const double* z, double* y) const {
    if (curvature > 0) return dual_step(b, z, nullptr, 0, y);
    std::size_t most = b;
    for (std::size_t k = 0; k < classes; ++k)
      if (k != b && z[k] + 1 > z[most] + (most != b)) most = k;
    std::fill(y, y + classes, 0.0);
    y[most] += 1;
    y[b] -= 1;
  }

  double conjugate(std::size_t b, const double* y) const {
    double squares = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      if (!((k == b ? y[k] + 1 : y[k]) >= 0)) return infinity;
      squares += y[k] * y[k];
    }
    return y[b] + 0.5 * curvature * squares;
  }

  // The gradient of <z, y> - phi_g*(y) in p is G_k = z_k - [k = b] - g y_k; at the optimal p the nonzero p_k have the largest G_k.
  struct ProjectedGradient {
    double violation;  // the largest G above the smallest in use
    double margin;     // at a corner of the simplex: by how much its G is above all others; otherwise 0
    double largest;    // G
    std::size_t used;  // the number of p_k that are not 0
  };
  ProjectedGradient projected_gradient(std::size_t b, const double* z, const double* y) const {
    constexpr double rounding = 1e-12;  // what is left of p_b = 1 - sum of the others is not in use
    double largest = -infinity, smallest_used = infinity, largest_unused = -infinity;
    std::size_t used = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double derivative = z[k] - (k == b ? 1 : 0) - curvature * y[k];
      largest = std::max(largest, derivative);
      if ((k == b ? y[k] + 1 : y[k]) > rounding) {
        smallest_used = std::min(smallest_used, derivative);
        ++used;
      } else {
        largest_unused = std::max(largest_unused, derivative);
      }
    }
    const double margin = smallest_used - largest_unused;
    return {largest - smallest_used, used == 1 && margin > 0 ? margin : 0, largest, used};
  }

  // phi + phi* - <y, z> = max G - sum_k p_k G_k, without curvature; `largest`: max G. 0 where `largest` is in use alone.
  double excess(std::size_t b, const double* z, const double* y, double largest) const {
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k)
      sum += k == b ? (y[k] + 1) * (largest - (z[k] - 1)) : y[k] * (largest - z[k]);
    return sum;
  }

  // argmax_y  <z, y> - phi_g*(y) - (q/2)|y - y0|^2:   p is the projection of (z - e_b + q y0)/(g + q) + e_b onto the
  // simplex. y may be y0.
  [[gnu::noinline]] void dual_step(std::size_t b, const double* z, const double* y0, double q, double* y) const {
    if (curvature + q == 0) return derivative(b, z, y);
    const double scale = curvature + q;
    double largest = -infinity;
    for (std::size_t k = 0; k < classes; ++k) largest = std::max(largest, y[k] = point(k, b, z, y0, q));
    double near[most_near];  // the points that can remain above the threshold: usually few
    std::size_t count = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      y[k] = (y[k] - largest) / scale;
      if (y[k] > -1 && count < most_near) near[count++] = y[k];
    }
    const double nu = count < most_near ? threshold(near, count) : threshold(y, classes);
    for (std::size_t k = 0; k < classes; ++k) y[k] = std::max(0.0, y[k] - nu);
    close_simplex(b, y, classes);
  }

 private:
  static constexpr std::size_t most_near = 16;

  // The threshold nu of Projection for the points u, measured from the largest: the same rounds.
  static double threshold(const double* u, std::size_t size) {
    double nu = -1;
    for (std::size_t before = 0;;) {
      double sum = 0;
      std::size_t count = 0;
      for (std::size_t k = 0; k < size; ++k) {
        if (!(u[k] > nu)) continue;
        sum += u[k];
        ++count;
      }
      if (count == 0 || (before > 0 && count >= before)) return nu;
      nu = (sum - 1) / static_cast<double>(count);
      before = count;
    }
  }

  // (g + q) times the point that is projected.
  double point(std::size_t k, std::size_t b, const double* z, const double* y0, double q) const {
    const double pulled = z[k] + (y0 != nullptr ? q * y0[k] : 0);
    return k == b ? pulled + (curvature + q - 1) : pulled;
  }

  // p_k = max(0, u_k - nu) with u measured from the largest point: only numbers below 1 in size are left to subtract.
  struct Projection {
    double largest, scale, nu;
    double probability(double point) const { return std::max(0.0, (point - largest) / scale - nu); }
  };

  // sum_k p_k = 1 by Michelot's rounds: those that fall below leave, at most K rounds. The largest is at most 1, so
  // nu >= -1. Where rounding lets one return, the rounds end: otherwise they could repeat forever.
  Projection projection(std::size_t b, const double* z, const double* y0, double q) const {
    Projection to{-infinity, curvature + q, -1};
    for (std::size_t k = 0; k < classes; ++k) to.largest = std::max(to.largest, point(k, b, z, y0, q));
    for (std::size_t before = 0;;) {
      double sum = 0;
      std::size_t count = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        const double u = (point(k, b, z, y0, q) - to.largest) / to.scale;
        if (!(u > to.nu)) continue;
        sum += u;
        ++count;
      }
      if (count == 0 || (before > 0 && count >= before)) return to;  // none: the last ones are at the threshold
      to.nu = (sum - 1) / static_cast<double>(count);
      before = count;
    }
  }
};

}  // namespace seesaw
