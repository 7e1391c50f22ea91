#include "solvers/parts/newton/loss_curve.h"

#include <algorithm>

#include "base/tree_sum.h"
#include "kernels/at_level.h"
#include "model/losses/logistic_kernel.h"

namespace seesaw {
namespace {

constexpr std::size_t block = 256;  // rows per block: fits into the L1 cache
constexpr std::size_t lanes = 8;    // independent sums, so that additions are not serialized

// Computes phi, phi' and phi'' of `size` rows with scores z.
[[gnu::always_inline]] inline void curve_of(const Logistic&, const double* b, const double* z, std::size_t size,
                                            double* value, double* derivative, double* curvature) {
  for (std::size_t i = 0; i < size; ++i) {
    const LogisticTerms at = logistic_terms(b[i] * z[i]);
    value[i] = at.value;
    derivative[i] = -b[i] * at.p;
    curvature[i] = at.curvature;
  }
}

// As in PiecewiseQuadratic, with the clipped derivative computed once.
[[gnu::always_inline]] inline void curve_of(const PiecewiseQuadratic& loss, const double* b, const double* z,
                                            std::size_t size, double* value, double* derivative, double* curvature) {
  const double k = loss.curvature, e = loss.insensitivity, inverse = 1 / k;
  const Interval low = loss.domains[0], high = loss.domains[1];
  for (std::size_t i = 0; i < size; ++i) {
    const double r = z[i] - b[i], free = soft_threshold(r, e) * inverse;
    const Interval box = {b[i] > 0 ? high.lo : low.lo, b[i] > 0 ? high.hi : low.hi};
    const double y = box.clip(free);
    value[i] = y * r - e * std::abs(y) - 0.5 * k * y * y;
    derivative[i] = y;
    curvature[i] = (box.lo < free) & (free < box.hi) & ((free != 0) | (e == 0)) ? inverse : 0;
  }
}

}  // namespace

LossCurve::At& LossCurve::At::operator+=(const At& other) {
  value += other.value;
  derivative += other.derivative;
  curvature += other.curvature;
  return *this;
}

LossCurve::At LossCurve::evaluate(std::span<const double> z, std::span<const double> q, double t,
                                  std::span<double> derivative, std::span<double> curvature) const {
  const auto part = [&](const auto& loss, std::size_t first, std::size_t last) __attribute__((always_inline)) {
    double score[block], value[block];
    double values[lanes] = {}, derivatives[lanes] = {}, curvatures[lanes] = {};
    for (std::size_t from = first; from < last; from += block) {
      const std::size_t size = std::min(block, last - from);
      const double *c = normalized_weight_.data() + from, *along = q.data() + from;
      double *y = derivative.data() + from, *h = curvature.data() + from;
      for (std::size_t i = 0; i < size; ++i) score[i] = z[from + i] + t * along[i];
      curve_of(loss, target_.data() + from, score, size, value, y, h);
      for (std::size_t i = 0; i < size; ++i) {
        value[i] *= c[i];
        y[i] *= c[i];
        h[i] *= c[i];
      }
      std::size_t i = 0;
      for (; i + lanes <= size; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          values[lane] += value[i + lane];
          derivatives[lane] += y[i + lane] * along[i + lane];
          curvatures[lane] += h[i + lane] * along[i + lane] * along[i + lane];
        }
      for (; i < size; ++i) {
        values[0] += value[i];
        derivatives[0] += y[i] * along[i];
        curvatures[0] += h[i] * along[i] * along[i];
      }
    }
    At sum;
    for (std::size_t lane = 0; lane < lanes; ++lane) sum += {values[lane], derivatives[lane], curvatures[lane]};
    return sum;
  };
  return std::visit(
      [&](const auto& loss) {
        return tree_sum<At>(leaves_, [&](std::size_t first, std::size_t last) {
          return at_level([&]() __attribute__((always_inline)) { return part(loss, first, last); });
        });
      },
      loss_);
}

}  // namespace seesaw
