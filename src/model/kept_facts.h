// What fits need to know of a data set alone, and what takes a pass over it: computed when a fit first needs it, and kept by
// who keeps the data, for the fits that follow (FitSpec::facts). n numbers, and at most 5 d. May be used by several threads.
//
// The facts of one data set, which does not change meanwhile: rows that are transformed, other labels or other weights have
// their own.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "data/dataset.h"
#include "data/row_norms.h"
#include "model/column_moments.h"

namespace seesaw {

struct LabelRange {  // 0 included
  double least = 0, greatest = 0;
};
inline LabelRange label_range(const std::vector<double>& labels) {
  LabelRange range;
  for (const double label : labels) {
    range.least = std::min(range.least, label);
    range.greatest = std::max(range.greatest, label);
  }
  return range;
}

class LabelCache {
 public:
  const std::vector<LabelCount>& counts(const Dataset& data) {
    std::call_once(counted_, [&] { counts_ = count_labels(data); });
    return counts_;
  }
  LabelRange range(const Dataset& data) {
    std::call_once(compared_, [&] { range_ = label_range(data.labels); });
    return range_;
  }

 private:
  std::once_flag counted_, compared_;
  std::vector<LabelCount> counts_;
  LabelRange range_;
};

struct KeptFacts {
  RowNormCache row_norms;
  LabelCache labels;
  ColumnMomentsCache column_moments;  // with the weights of the data: not for problems with class weights
};

}  // namespace seesaw
