// The transformation of the rows before training and before prediction: an appended constant feature (the penalized
// intercept) and scaling. Stored in the model, so that prediction uses the same features.
#pragma once

#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "data/rows_builder.h"
#include "seesaw/types.h"

namespace seesaw {

struct Transform {
  bool constant_feature = false;  // a last feature that is constant_value in every row, appended before row scaling
  double constant_value = 1;
  Scaling scaling = Scaling::none;
  double factor = 1;  // Scaling::max: every entry is multiplied by it
  std::vector<double>
      column_factors;  // Scaling::columns_*: entry j is multiplied by column_factors[j]; constant feature not included

  bool identity() const { return !constant_feature && scaling == Scaling::none; }
};

// Computes the factors from the data: max: 1 / largest row norm (constant feature included); columns_max: 1 / max
// |a_ij|; columns_std: 1 / standard deviation weighted over the rows (zeros included, without centring). Columns
// that are constant (standard deviation 0) or empty keep factor 1.
// `constant`: the value of the constant feature; 0: there is none.
Transform fit_transform(const Dataset& data, Scaling scaling, double constant);

// The identity returns the data itself. Values are computed in double; stored as float if that is exact or requested.
// Scaling::rows scales each nonempty row to norm 1. Sparse rows without a constant feature share columns and offsets with
// the result: only values are copied.
Dataset apply(const Transform& transform, const Dataset& data, Precision precision = Precision::exact);

// The same result without a copy of the rows: arrays that belong to `data` alone (made by a reader, not those of a caller or
// of a mapped file) become those of the result, where its storage is the same. `data` has its labels, width and leaves
// afterwards, but no entries.
Dataset apply_taking_rows(const Transform& transform, Dataset& data, Precision precision = Precision::exact);

}  // namespace seesaw
