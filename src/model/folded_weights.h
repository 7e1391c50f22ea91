// A model's transform folded into its weights, so that the rows of a file are scored without a copy.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "model/linear_model.h"

namespace seesaw {

// score = a.x + constant + intercept. Row scaling cannot be folded; with it, score = (a.x + constant) / |(a, B)| +
// intercept, B being the constant feature where the transform has one.
struct FoldedWeights {
  std::vector<double> x;          // one per feature of the file and output
  std::vector<double> constant;   // what the constant feature adds to every score
  std::vector<double> intercept;  // free, never scaled
};

inline FoldedWeights folded_weights(const LinearModel& model) {
  const Transform& transform = model.transform;
  const std::size_t outputs = model.outputs();
  FoldedWeights folded{.x = model.x, .constant = std::vector<double>(outputs), .intercept = model.intercept};
  if (transform.scaling == Scaling::max)
    for (double& weight : folded.x) weight *= transform.factor;
  if (transform.constant_feature) {  // the last one; Scaling::max has scaled it too
    folded.constant.assign(folded.x.end() - static_cast<std::ptrdiff_t>(outputs), folded.x.end());
    folded.x.resize(folded.x.size() - outputs);
    for (double& weight : folded.constant) weight *= transform.constant_value;
  }
  if (transform.scaling == Scaling::columns_max || transform.scaling == Scaling::columns_std)
    for (std::size_t j = 0; j < folded.x.size(); ++j) folded.x[j] *= transform.column_factors[j / outputs];
  return folded;
}

// The divisor of a row under row scaling: |(a, B)|, 1 for an empty row; 1 under any other scaling. In long double no
// square overflows or vanishes.
template <class Row>
double row_divisor(const Transform& transform, Row a) {
  if (transform.scaling != Scaling::rows) return 1;
  const long double B = transform.constant_feature ? transform.constant_value : 0;
  long double squares = B * B;
  for_each(a, [&](std::size_t, double value) { squares += static_cast<long double>(value) * value; });
  const double norm = static_cast<double>(std::sqrt(squares));
  return norm == 0 ? 1 : norm;
}

}  // namespace seesaw
