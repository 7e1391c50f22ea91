// The verifier's own scaling of the rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "data/dataset.h"
#include "model/linear_model.h"
#include "verify/formulas.h"

namespace seesaw::verifier {

// The rows as the weights see them: constant feature appended, scaled, and rounded to what training had in memory.
class ScaledRows {
 public:
  struct Entry {
    std::size_t column;
    Real value;
  };

  ScaledRows(const Dataset& data, const LinearModel& model) : data_(data), model_(model) {}

  const std::vector<Entry>& row(std::size_t i) {
    const Transform& transform = model_.transform;
    entries_.clear();
    std::visit(
        [&](const auto& rows) {
          for_each(rows.row(i), [&](std::size_t j, double value) {
            if (value != 0) entries_.push_back({j, value});
          });
        },
        data_.rows);
    if (transform.constant_feature) entries_.push_back({model_.features(), 1});

    Real norm = 0;
    for (const Entry& entry : entries_) norm += entry.value * entry.value;
    norm = std::sqrt(norm);
    for (Entry& entry : entries_) {
      if (transform.scaling == Scaling::rows && norm > 0) entry.value /= norm;
      if (transform.scaling == Scaling::max) entry.value *= transform.factor;
      if (entry.column < transform.column_factors.size()) entry.value *= transform.column_factors[entry.column];
      entry.value = stored(entry.value);
    }
    return entries_;
  }

 private:
  Real stored(Real value) const {
    if (model_.transform.identity()) return value;
    return model_.single_precision ? Real(static_cast<float>(value)) : Real(static_cast<double>(value));
  }

  const Dataset& data_;
  const LinearModel& model_;
  std::vector<Entry> entries_;
};

}  // namespace seesaw::verifier
