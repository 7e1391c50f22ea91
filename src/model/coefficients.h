// The largest weights of a model, by feature.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/linear_model.h"

namespace seesaw {

struct Coefficient {
  std::size_t feature;          // counted from 0
  std::string name;             // empty where features have none
  std::optional<double> label;  // the class it scores, where there are several scores
  double value;                 // as trained: of the scaled feature
  double unscaled;              // in units of the data; equal if rows were scaled, not columns
};

// The name of a feature; empty where it has none. Hashed features of a table are named by their number: "hash 17".
std::string feature_name(const LinearModel& model, std::size_t feature);

// At most `count` of those that are not 0, by |value|, largest first; the earlier feature of equals. The constant
// feature of a penalized intercept is not included.
std::vector<Coefficient> largest_coefficients(const LinearModel& model, std::size_t count);

// One per output, free or penalized.
std::vector<double> intercepts(const LinearModel& model);

}  // namespace seesaw
