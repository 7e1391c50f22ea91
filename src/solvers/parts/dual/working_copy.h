// The rows that a method visits in random order in every pass: the original ones, or a compact copy
// (data/compact_rows.h) while its precision is sufficient for the gaps found by checks.
//
// A rounded copy changes z_i by about 2^-25 |z_i|. The terms of the gap are quadratic in this error except for rows at
// the nonsmooth point of their loss, where z_i = b_i: the remaining gap is at most about 2^-25 sum_i c_i |b_i|. Below
// half of that, and when a small gap stops decreasing, the exact rows are used again.
//
// Making the copy costs about two passes and saves a quarter of each pass: it is made after so many passes that as many
// again are likely.
#pragma once

#include "data/compact_rows.h"
#include "model/problem.h"
#include "solvers/solver.h"

namespace seesaw {

// automatic: a compact copy of large data in double precision, after some passes.
enum class WorkingStorage { automatic, compact, exact };

class WorkingCopy {
 public:
  WorkingCopy(const Problem& problem, WorkingStorage storage);

  const WorkingRows& get() const { return rows_; }
  // Called after each pass with the number of passes; makes the copy when due.
  void after(double passes) {
    if (passes >= due_) make_copy();
  }
  // True when the exact rows have just replaced the copy: sums over the rows must be recomputed.
  bool on_check(const Checked& checked);
  void serialize(Archive& archive);  // makes the copy again if there was one

 private:
  void make_copy();

  const Problem& problem_;
  WorkingRows rows_;
  double due_ = infinity;  // the pass after which the copy is made
  bool copied_ = false;
  bool rounded_ = false;   // some value of the copy differs from the original
  double floor_ = 0;       // of the gap, with rounded rows
  double gap_ = infinity;  // of the last check
};

}  // namespace seesaw
