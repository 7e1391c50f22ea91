// The sums of every column that features are proved to be 0 by: in the method (model/screening.h) and in the model
// (rigorous/proved_signs.h). One pass over the rows for both, computed at the first call and kept; may be called by several
// threads.
#pragma once

#include <cmath>
#include <mutex>
#include <vector>

namespace seesaw {

struct Problem;

// A sum in double arithmetic, with the sum of sizes, which bounds its error.
struct PlainSum {
  double sum = 0, size = 0;
  void add(double term) {
    sum += term;
    size += std::abs(term);
  }
  PlainSum& operator+=(const PlainSum& other) {
    sum += other.sum;
    size += other.size;
    return *this;
  }
};

struct ColumnMoments {
  std::vector<double> second;   // sum_i s_i a_ij^2
  std::vector<PlainSum> first;  // sum_i s_i a_ij, for a free intercept; otherwise empty
};

class ColumnMomentsCache {
 public:
  const ColumnMoments& of(const Problem& problem);

 private:
  struct Kept {
    std::once_flag computed;
    ColumnMoments moments;
  };
  Kept plain_, with_first_;
};

}  // namespace seesaw
