// The losses of all rows along a line, f(t) = sum_i c_i phi_i(z_i + t q_i), with the derivatives per row that a
// second-order step needs. In parallel, with the same bits for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "base/leaves.h"
#include "model/losses/loss.h"

namespace seesaw {

class LossCurve {
 public:
  // All must outlive this.
  LossCurve(const Loss& loss, std::span<const double> target, std::span<const double> normalized_weight,
            const Leaves& leaves)
      : loss_(loss), target_(target), normalized_weight_(normalized_weight), leaves_(leaves) {}

  struct At {
    double value = 0, derivative = 0, curvature = 0;  // f, f', f''
    At& operator+=(const At& other);
  };
  // At z + t q: f and its derivatives; derivative[i] = c_i phi_i', curvature[i] = c_i phi_i''. About 3 ns per row.
  At evaluate(std::span<const double> z, std::span<const double> q, double t, std::span<double> derivative,
              std::span<double> curvature) const;

 private:
  const Loss& loss_;
  std::span<const double> target_, normalized_weight_;
  const Leaves& leaves_;  // of the rows
};

}  // namespace seesaw
