// |a_i|^2 of every row, computed at the first call and kept; may be called by several threads.
#pragma once

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

 private:
  std::once_flag computed_;
  std::vector<double> squares_;
};

}  // namespace seesaw
