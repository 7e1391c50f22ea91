// |a_i|^2 of every row, computed at the first call and kept; may be called by several threads.
#pragma once

#include <cmath>
#include <mutex>
#include <vector>

#include "data/dataset.h"

namespace seesaw {

class RowNormCache {
 public:
  const std::vector<double>& of(const Dataset& data) {
    std::call_once(computed_, [&] { squares_ = squared_row_norms(data); });
    return squares_;
  }
  // Whether none of them overflows.
  bool finite(const Dataset& data) {
    std::call_once(compared_, [&] {
      bool overflows = false;
      for (const double square : of(data)) overflows |= !std::isfinite(square);  // no branch
      finite_ = !overflows;
    });
    return finite_;
  }

 private:
  std::once_flag computed_, compared_;
  std::vector<double> squares_;
  bool finite_ = true;
};

}  // namespace seesaw
