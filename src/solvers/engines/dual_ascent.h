// Dual ascent, one coordinate at a time, the primal point kept exact:
//
//     x = grad g*(v),  v = -sum_i c_i y_i a_i        z = a_i.x + b
//     y_i <- argmax_y  y z - phi_i*(y) - (q_i/2)(y - y_i)^2        q_i = c_i (|a_i|^2/lambda + 1/kb)
//     v   <- v - c_i (y_i' - y_i) a_i
//
// This q_i makes the step exact: it maximizes D over y_i (SDCA). With q_i = 0 it is y_i' = phi_i'(z), the loss's slope
// (ASPDC): where phi* is quadratic, the exact step times 1 + c_i |a_i|^2/(lambda gamma).
//
// The free intercept is a proximal point: b = center - (1/kb) sum_i c_i y_i, and after each pass center := b
// (kb = 3 lambda / mean |a_i|^2, so that scaling the data scales nothing else). Without one, 1/kb = 0.
//
// An outer loop (parts/dual/proximal_point.h) solves g + (kappa/2)|x - ct|^2 in the place of g. That is the same penalty
// with other numbers, so the same steps with lambda + kappa in the place of lambda:
//
//     x = S(w, l1/(lambda + kappa)),  w = (v + kappa ct)/(lambda + kappa)
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/problem.h"
#include "solvers/parts/dual/working_copy.h"
#include "solvers/parts/sampling/uniform_draws.h"
#include "solvers/solver.h"

namespace seesaw {

enum class RowStep { exact, derivative };

struct DualAscentOptions {
  Draw draw = Draw::permutation;
  bool shrink = true;  // this and the next two: for exact steps without an outer loop
  bool average = false;
  bool extrapolate = true;
  RowStep step = RowStep::exact;
  WorkingStorage storage = WorkingStorage::exact;  // what is not exact must hear() of the checks
  std::uint64_t seed = 1;
};

// What outer loops ask for beside an epoch. But for take(), y and the intercept stay where they are.
class DualAscent : public Solver {
 public:
  // From now on the loss is smoothed by g (0: as posed), and g has the outer term (kappa/2)|x - ct|^2.
  virtual void retune(double g, double kappa, const std::vector<double>& ct) = 0;
  // The centre moves to ct, and that of the free intercept by `shift`.
  virtual void recenter(const std::vector<double>& ct, double shift) = 0;
  // Goes on from another dual point, with this intercept; every row is visited again.
  virtual void take(const std::vector<double>& y, double intercept) = 0;
  virtual double intercept() const = 0;
  virtual void read_primal(std::vector<double>& x, std::vector<double>& v) const = 0;
};

std::unique_ptr<DualAscent> make_dual_ascent(const Problem& problem, const DualAscentOptions& options,
                                             const Start& start);

}  // namespace seesaw
