// Cost of a step on one row, in entries read (base/stop.h): the mean number of entries per row and the loss, per output.
#pragma once

#include <algorithm>
#include <cstddef>

namespace seesaw {

template <class RowsOf>
double work_per_step(const RowsOf& rows, std::size_t outputs = 1) {
  constexpr double loss = 32;
  const double entries =
      static_cast<double>(rows.entries()) / static_cast<double>(std::max<std::size_t>(rows.count(), 1));
  return static_cast<double>(outputs) * (entries + loss);
}

}  // namespace seesaw
