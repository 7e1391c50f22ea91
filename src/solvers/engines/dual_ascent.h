// Dual ascent, one coordinate at a time, with the exact primal point:
//
//     x = grad g*(v),  v = -sum_i c_i y_i a_i        z = a_i.x + b
//     y_i <- argmax_y  y z - phi_i*(y) - (q_i/2)(y - y_i)^2        q_i = c_i (|a_i|^2/lambda + 1/kappa_b)
//     v   <- v - c_i (y_i' - y_i) a_i
//
// With this q_i the step is exact: it maximizes D over y_i (SDCA). With q_i = 0 it is y_i' = phi_i'(z), the derivative
// of the loss (ASPDC): if phi* is quadratic, the exact step times 1 + c_i |a_i|^2/(lambda gamma).
//
// The free intercept is a proximal point: b = center - (1/kappa_b) sum_i c_i y_i, and center := b after each pass
// (parts/dual/free_intercept.h). Without one, 1/kappa_b = 0.
//
// An outer loop (parts/dual/proximal_point.h) solves g + (kappa/2)|x - center|^2 in place of g. This is the same penalty
// with other numbers, so the steps are the same with lambda + kappa in place of lambda:
//
//     x = S(w, l1/(lambda + kappa)),  w = (v + kappa center)/(lambda + kappa)
//
// A pass is one sequence of steps, or is divided into lanes (parts/dual/lanes.h). Rows on disk are visited by mixed groups
// (parts/dual/mixed_groups.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/problem.h"
#include "solvers/parts/dual/dual_row.h"
#include "solvers/parts/dual/iterate_mean.h"
#include "solvers/parts/dual/working_copy.h"
#include "solvers/parts/sampling/uniform_draws.h"
#include "solvers/solver.h"

namespace seesaw {

struct DualAscentOptions {
  Draw draw = Draw::permutation;
  bool shrink = true;           // shrink, average and extrapolate: for exact steps without an outer loop
  AverageOptions average = {};  // over steps: without lanes and extrapolation
  bool extrapolate = true;
  RowStep step = RowStep::exact;
  std::size_t lanes = 1;   // or automatic_lanes; above 1 for exact steps by permutation and an l2 penalty
  std::size_t groups = 0;  // above 0: passes by mixed groups of rows (parts/dual/mixed_groups.h), by permutation
  WorkingStorage storage = WorkingStorage::exact;  // storage that is not exact needs on_check() after each check
  double gap = 0;                                  // the relative gap at which the run ends; 0: not by that
  std::uint64_t seed = 1;
};

// The interface for outer loops. Except for take(), these calls keep y and the intercept.
class DualAscent : public Solver {
 public:
  // Smooths the loss by g (0: not at all) and adds the outer term (kappa/2)|x - center|^2 to the penalty.
  virtual void retune(double g, double kappa, const std::vector<double>& center) = 0;
  // Moves the center of x, and that of the free intercept by `shift`.
  virtual void recenter(const std::vector<double>& center, double shift) = 0;
  // Continues from another dual point and intercept; all rows become active.
  virtual void take(const std::vector<double>& y, double intercept) = 0;
  virtual double intercept() const = 0;
  virtual void read_primal(std::vector<double>& x, std::vector<double>& v) const = 0;
};

std::unique_ptr<DualAscent> make_dual_ascent(const Problem& problem, const DualAscentOptions& options,
                                             const Start& start);

}  // namespace seesaw
