// A model's transform folded into its weights, so that rows are scored as they stand in the file, without a copy.
#pragma once

#include <cstddef>
#include <vector>

#include "model/linear_model.h"

namespace seesaw {

// score = a.x + constant + intercept. Row scaling cannot be folded; with it, score = (a.x + constant) / |(a, 1)| +
// intercept, the 1 being there where the transform has the constant feature.
struct FoldedWeights {
  std::vector<double> x;          // as many a feature of the file as the model has outputs
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
  }
  if (transform.scaling == Scaling::columns_max || transform.scaling == Scaling::columns_std)
    for (std::size_t j = 0; j < folded.x.size(); ++j) folded.x[j] *= transform.column_factors[j / outputs];
  return folded;
}

}  // namespace seesaw
