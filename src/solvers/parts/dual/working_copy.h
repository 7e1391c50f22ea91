// The rows that a method visits in random order, pass after pass: as they are, or a compact copy (data/compact_rows.h)
// for as long as that is precise enough for what the checks find.
//
// Where the copy rounds, z_i is off by about 2^-25 |z_i|. The gap's terms are quadratic in that but for rows at the
// kink of their loss, which have z_i = b_i: the gap that is left in the end is at most some 2^-25 sum_i c_i |b_i|.
// Below half of that, and when a small gap ceases to fall, the exact rows take over.
//
// Making the copy costs about two passes, and a pass over it saves a quarter of one: it is made when so many passes
// have been taken that as many again are likely.
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
  // After so many passes: may make the copy.
  void after(double passes) {
    if (passes >= due_) make_copy();
  }
  // True where the exact rows have just taken over: sums over the rows must be made anew.
  bool on_check(const Checked& checked);

 private:
  void make_copy();

  const Problem& problem_;
  WorkingRows rows_;
  double due_ = infinity;  // the pass after which the copy is made
  bool rounded_ = false;   // some value is not what it was
  double floor_ = 0;       // of the gap, where rounded
  double gap_ = infinity;  // of the last check
};

}  // namespace seesaw
