// The transformation of the rows before training and before prediction: an appended constant feature (the penalized
// intercept) and scaling. Stored in the model, so that prediction uses the same features.
#pragma once

#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "data/rows_builder.h"

namespace seesaw {

enum class Scaling { none, rows, max, columns_max, columns_std };
Scaling scaling_of(std::string_view name);  // "none", "rows", "max", "columns-max", "columns-std"; throws InvalidOption
std::string_view name_of(Scaling scaling);

struct Transform {
  bool constant_feature = false;  // a last feature that is 1, appended before row scaling
  Scaling scaling = Scaling::none;
  double factor = 1;  // Scaling::max: every entry is multiplied by it
  std::vector<double>
      column_factors;  // Scaling::columns_*: entry j is multiplied by column_factors[j]; constant feature not included

  bool identity() const { return !constant_feature && scaling == Scaling::none; }
};

// Computes the factors from the data: max: 1 / largest row norm (constant feature included); columns_max: 1 / max
// |a_ij|; columns_std: 1 / standard deviation weighted over the rows (zeros included, without centring). Columns
// that are constant (standard deviation 0) or empty keep factor 1.
Transform fit_transform(const Dataset& data, Scaling scaling, bool constant_feature);

// The identity returns the data itself. Values are computed in double; stored as float if that is exact or requested.
// Scaling::rows scales each nonempty row to norm 1.
Dataset apply(const Transform& transform, const Dataset& data, Precision precision = Precision::exact);

}  // namespace seesaw
