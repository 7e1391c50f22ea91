// What certificates add up: P, D and gap, each compensated.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/compensated_sum.h"
#include "base/parallel.h"
#include "model/certificate.h"
#include "model/penalty/penalty.h"

namespace seesaw {

struct CertificateSums {
  CompensatedSum primal, dual, gap;
  CertificateSums() = default;
  explicit CertificateSums(const std::array<CompensatedSum, 3>& sums) : primal(sums[0]), dual(sums[1]), gap(sums[2]) {}
  CertificateSums& operator+=(const CertificateSums& other) {
    primal += other.primal;
    dual += other.dual;
    gap += other.gap;
    return *this;
  }

  // `allowance`: what rounding in the constraints on y may be worth; off D, and part of the gap.
  void put_into(Certificate& certificate, double allowance, double lambda) const {
    certificate.primal = primal.value();
    certificate.dual = dual.value() - allowance;
    certificate.gap = gap.value() + allowance;
    if (!std::isfinite(certificate.gap)) certificate.gap = infinity;
    if (lambda > 0) certificate.distance_bound = std::sqrt(2 * certificate.gap / lambda);
  }
};

// The largest s <= 1 for which g* is finite at s v, less a margin so that rounding cannot leave its domain.
inline double scale_into_dual_domain(const Penalty& penalty, const std::vector<double>& v, std::size_t outputs = 1) {
  constexpr double margin = 1 - 1e-14;
  if (penalty.uniform()) {
    const double bound = penalty.dual_bound();
    double largest = 0;
    for (double vj : v) largest = std::max(largest, std::abs(vj));
    return largest > bound ? margin * bound / largest : 1;
  }
  double s = 1;
  for (std::size_t at = 0; at < v.size(); ++at) {
    const Interval domain = penalty.coordinate(at / outputs).dual_domain();
    if (v[at] > domain.hi) s = std::min(s, margin * domain.hi / v[at]);
    if (v[at] < domain.lo) s = std::min(s, margin * domain.lo / v[at]);
  }
  return s;
}

inline double not_below_zero(double term) { return term < 0 ? 0 : term; }  // rounding goes, NaN stays

// P, D and gap of the coordinates: sum g(x_j), -sum g*(v_j), sum g(x_j) + g*(v_j) - x_j v_j >= 0.
template <class Shape>
CertificateSums over_coordinates(const Shape& g, const std::vector<double>& x, const std::vector<double>& v) {
  return parallel_sum<CertificateSums>(chunks_of(x.size()), [&](std::size_t begin, std::size_t end) {
    const double *xs = x.data(), *vs = v.data();
    return CertificateSums(sum_in_lanes<3>(
        begin, end, [=](std::size_t j) __attribute__((always_inline)) {
          return std::array{g.value(xs[j]), -g.conjugate(vs[j]), not_below_zero(g.fenchel_gap(xs[j], vs[j]))};
        }));
  });
}

// With K outputs, x and v have K numbers per feature.
inline CertificateSums over_coordinates(const Penalty& penalty, const std::vector<double>& x,
                                        const std::vector<double>& v, std::size_t outputs = 1) {
  if (penalty.uniform()) return std::visit([&](const auto& g) { return over_coordinates(g, x, v); }, penalty.shape());
  return parallel_sum<CertificateSums>(chunks_of(x.size()), [&](std::size_t begin, std::size_t end) {
    CertificateSums sums;
    for (std::size_t at = begin; at < end; ++at) {
      const Coordinate g = penalty.coordinate(at / outputs);
      sums.primal += g.value(x[at]);
      sums.dual += -g.conjugate(v[at]);
      sums.gap += not_below_zero(g.fenchel_gap(x[at], v[at]));
    }
    return sums;
  });
}

}  // namespace seesaw
