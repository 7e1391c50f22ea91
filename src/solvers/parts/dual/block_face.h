// Steps on faces of the dual problem of the multiclass hinge (l2), as face.h for scalar losses: the rows F whose p_i is
// not at a corner of the simplex move together, each within the classes S_i in use, all others are fixed. On the face D is
// quadratic; with W = A^T C dy/lambda over the rows of F, P_S z = z_S - mean(z_S) and G_i = a_i.x + b - e_b,
//
//     P_S (a_i W + sum_l c_l dy_l / kappa_b) = P_S G_i        for all i in F
//
// is solved by conjugate gradients in the unknowns sqrt(c_i q_i) dy_i, whose system has a unit diagonal up to P_S, until
// the residual is small or too many p_ik would become negative. p + dy is projected onto the simplices. A few rounds of
// this, each without the p_ik that reached 0 in the last, find the face of the maximum faster than single steps that must
// increase D; if they do not increase it together, the step is that of one round, shortened to the maximum of D on the
// segment. D never decreases.
//
// A step follows three passes during which few rows changed their S_i, unless the gain of D per three passes, by the ratio
// of the last two, would fall to 1 % or to the tolerance within the cost of a step. If a step gained less than the
// passes would have gained by this ratio, the next 1, 2, 4, ... 16 are skipped.
#pragma once

#include <cstdint>
#include <vector>

#include "base/archive.h"
#include "solvers/parts/dual/block_scan.h"

namespace seesaw {

class BlockFace {
 public:
  struct Reads {
    std::size_t rows = 0, entries = 0;  // each as often as it was read
  };
  // Called after each pass; `entries`: read so far; `remaining`: the target / the gap, 0 if unknown. What a step has read.
  Reads end_pass(const BlockState& now, const std::vector<double>& intercept, const std::vector<double>& q,
                 std::uint64_t entries, double remaining);

  double cg_steps() const { return cg_steps_; }
  double rows() const { return rows_; }  // F of the last step

  void serialize(Archive& archive);

 private:
  struct Step {
    double gain = 0;
    Reads reads;
  };
  bool ready(const BlockState& now, double read, double remaining);
  Step ascend(const BlockState& now, const std::vector<double>& intercept, const std::vector<double>& q);
  void gather_rows(const BlockState& now, const std::vector<double>& q);
  void gather_classes(const BlockState& now);
  void set_gradients(const BlockState& now, const std::vector<double>& intercept);
  std::size_t conjugate_gradients(const BlockState& now);
  void apply(const BlockState& now);
  bool too_many_leave(const BlockState& now) const;
  double round_on_face(const BlockState& now, const std::vector<double>& intercept, bool whole, Reads& reads);
  void keep(const BlockState& now);
  void restore(const BlockState& now);
  double move(const BlockState& now, double length, bool whole);
  void project(const double* p, double length, std::size_t k);

  SparseRow<double> a(std::size_t k) const {
    return {columns_.data() + offsets_[k], values_.data() + offsets_[k], offsets_[k + 1] - offsets_[k]};
  }

  std::vector<std::uint32_t> place_;  // of every row: a number for the set of its classes in use
  int burst_ = 0;                     // passes since the last evaluation of D
  double skip_ = 0, skips_ = 0, dual_ = 0, cg_steps_ = 0, rows_ = 0;
  double gain_ = 0, ratio_ = 0;  // of D in the last burst, and divided by that of the burst before
  double step_entries_ = 0;      // of the last step
  std::uint64_t entries_ = 0;    // at the last evaluation of D, and those of the step that followed

  // F, its rows copied contiguously, and for each the classes in use: row k has the positions first_[k] to first_[k + 1] of
  // the vectors below.
  std::vector<std::uint32_t> free_;
  std::vector<std::size_t> offsets_, first_;
  std::vector<std::uint32_t> columns_, class_;
  std::vector<double> values_;
  std::vector<double> c_, weight_;  // c_i, sqrt(c_i/q_i)
  std::vector<double> p_, gradient_, u_, residual_, direction_, image_, moved_;
  std::vector<double> back_, block_, z_, shift_;
  std::vector<double> kept_y_, kept_w_, kept_sum_;
  bool left_ = false;  // whether a p_ik has reached 0 in the last round
};

}  // namespace seesaw
