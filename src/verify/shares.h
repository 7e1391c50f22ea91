// The verifier's own c_i = s_i / sum s, s_i being the row's weight times that of its label. One-versus-rest has the
// same shares for every class.
#pragma once

#include <cstddef>
#include <vector>

#include "data/dataset.h"
#include "model/linear_model.h"
#include "verify/formulas.h"

namespace seesaw::verifier {

inline std::vector<Real> shares(const Dataset& data, const LinearModel& model) {
  std::vector<Real> c;
  Real total = 0;
  for (std::size_t i = 0; i < data.n(); ++i) {
    const auto of_class = model.objective.class_weights.find(data.labels[i]);
    const Real by_class = of_class == model.objective.class_weights.end() ? 1 : of_class->second;
    c.push_back(by_class * (data.weights.empty() ? 1 : data.weights[i]));
    total += c.back();
  }
  for (Real& share : c) share /= total;
  return c;
}

}  // namespace seesaw::verifier
