// What certificates add up: P, D and gap, each compensated.
#pragma once

#include <cmath>
#include <vector>

#include "base/compensated_sum.h"
#include "base/parallel.h"
#include "model/certificate.h"
#include "model/regularizers/regularizer.h"

namespace seesaw {

struct CertificateSums {
  CompensatedSum primal, dual, gap;
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

inline double not_below_zero(double term) { return term < 0 ? 0 : term; }  // rounding goes, NaN stays

// P, D and gap of the coordinates: sum g(x_j), -sum g*(v_j), sum g(x_j) + g*(v_j) - x_j v_j >= 0.
inline CertificateSums over_coordinates(const Regularizer& regularizer, const std::vector<double>& x,
                                        const std::vector<double>& v) {
  return std::visit(
      [&](const auto& g) {
        return parallel_sum<CertificateSums>(chunks_of(x.size()), [&](std::size_t begin, std::size_t end) {
          CertificateSums sums;
          for (std::size_t j = begin; j < end; ++j) {
            sums.primal += g.value(x[j]);
            sums.dual += -g.conjugate(v[j]);
            sums.gap += not_below_zero(g.fenchel_gap(x[j], v[j]));
          }
          return sums;
        });
      },
      regularizer);
}

}  // namespace seesaw
