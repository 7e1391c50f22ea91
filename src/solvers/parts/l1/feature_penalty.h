// The penalty of working sets, whose l1 is that of the problem or, on a path, a larger one: its sums over features, and
// what v = -A^T C y means for them. `features` are the features that v belongs to. A uniform penalty is one expression.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "model/penalty/penalty.h"

namespace seesaw {

class FeaturePenalty {
 public:
  explicit FeaturePenalty(const Penalty& penalty) : penalty_(penalty), uniform_(penalty.uniform()) {}

  bool uniform() const { return uniform_; }
  // Coordinate j with another l1 for factor 1, that of the path.
  Coordinate at(std::size_t j, double path_l1) const {
    Coordinate g = penalty_.coordinate(j);
    if (path_l1 != penalty_.l1()) g.l1 *= path_l1 / penalty_.l1();
    return g;
  }
  double l1_at(std::size_t j, double path_l1) const { return uniform_ ? path_l1 : at(j, path_l1).l1; }
  double value(const std::vector<double>& x, double path_l1) const {
    double sum = 0;
    if (uniform_)
      for (const double xj : x) sum += path_l1 * std::abs(xj) + 0.5 * penalty_.l2() * xj * xj;
    else
      for (std::size_t j = 0; j < x.size(); ++j) sum += at(j, path_l1).value(x[j]);
    return sum;
  }
  // |v|, or 0 if x_j cannot move in the direction of v: x_j = 0 is optimal if this is at most l1_j.
  double relevant_size(std::size_t j, double v) const {
    if (uniform_) return std::abs(v);
    const Interval bounds = penalty_.bounds(j);
    return (v > 0 ? bounds.hi > 0 : bounds.lo < 0) ? std::abs(v) : 0;
  }
  // The smallest l1 for which x = 0 is optimal, apart from unpenalized features.
  double largest(const std::vector<std::uint32_t>& features, const std::vector<double>& v) const {
    double largest = 0;
    if (uniform_) {
      for (const double vj : v) largest = std::max(largest, std::abs(vj));
      return largest;
    }
    for (std::size_t k = 0; k < v.size(); ++k)
      if (const double l1 = penalty_.l1(features[k]); l1 > 0)
        largest = std::max(largest, relevant_size(features[k], v[k]) / l1 * penalty_.l1());
    return largest;
  }
  // The largest s <= 1 with |s v_j| <= l1_j for all x_j without a bound on that side. Unpenalized features: conjugate().
  // `largest`: that of v.
  double scale_into_domain(const std::vector<std::uint32_t>& features, const std::vector<double>& v,
                           double largest) const {
    if (uniform_) return largest > penalty_.l1() ? penalty_.l1() / largest : 1;
    double s = 1;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const Interval bounds = penalty_.bounds(features[k]);
      const double l1 = penalty_.l1(features[k]);
      if (l1 > 0 && std::isinf(v[k] > 0 ? bounds.hi : bounds.lo)) s = std::min(s, l1 / std::abs(v[k]));
    }
    return s;
  }
  // sum_j g_j*(s v_j). Outside the domain, where it is infinite, the amount that the certificate subtracts from D.
  double conjugate(const std::vector<std::uint32_t>& features, const std::vector<double>& v, double s,
                   const std::vector<double>& x) const {
    double sum = 0;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const Coordinate g = penalty_.coordinate(features[k]);
      const double at = s * v[k], inside = g.dual_domain().clip(at);
      sum += g.conjugate(inside) + (inside == at ? 0 : std::abs(at - inside) * (1 + 2 * std::abs(x[features[k]])));
    }
    return sum;
  }

 private:
  const Penalty& penalty_;
  bool uniform_;
};

// The distance of 0 to the subdifferential of P along a coordinate; `derivative`: of the loss.
inline double violation_of(const Coordinate& g, double x, double derivative) {
  const double s = derivative + g.l2 * x;
  const double up = x < g.hi ? -(s + (x >= 0 ? g.l1 : -g.l1)) : 0;  // P decreases at this rate as x increases
  const double down = x > g.lo ? s - (x <= 0 ? g.l1 : -g.l1) : 0;
  return std::max({up, down, 0.0});
}

// s.move + g(x + move) - g(x), summed by coordinate to avoid cancellation: near the optimum each term is small.
// `of(k)`: l2 and l1 of coordinate k.
template <class Coefficients>
double predicted_change(const Eigen::VectorXd& x, const Eigen::VectorXd& move, const Eigen::VectorXd& s,
                        const Coefficients& of) {
  double sum = 0;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const auto [l2, l1] = of(k);
    const double u = x[k] + move[k], derivative = s[k] + l2 * (x[k] + 0.5 * move[k]);
    if (u * x[k] < 0) sum += move[k] * derivative + l1 * (std::abs(u) - std::abs(x[k]));
    else sum += move[k] * (derivative + std::copysign(l1, x[k] != 0 ? x[k] : u));
  }
  return sum;
}

}  // namespace seesaw
