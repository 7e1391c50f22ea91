// One entry of a row, for methods that draw a row and a column. Sparse rows: binary search.
#pragma once

#include <algorithm>

#include "data/rows.h"

namespace seesaw {

template <class Value>
inline double entry(SparseRow<Value> a, std::uint32_t j) {
  const std::uint32_t* const end = a.column + a.size;
  const std::uint32_t* const at = std::lower_bound(a.column, end, j);
  return at != end && *at == j ? static_cast<double>(a.value[at - a.column]) : 0;
}

template <class Value>
inline double entry(DenseRow<Value> a, std::uint32_t j) {
  return static_cast<double>(a.value[j]);
}

}  // namespace seesaw
