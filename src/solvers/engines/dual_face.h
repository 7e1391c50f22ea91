// Dual ascent combined with conjugate gradients on the current face. Coordinate steps identify which y_i are at a bound,
// but converge slowly on coupled free variables; conjugate gradients are the other way round.
//
//     repeat:  a burst of passes of dual ascent (dual_ascent.h)
//              if few rows changed their position (lower bound, inside, upper bound) during it:
//                a step on the face of the free rows (parts/dual/face.h), which never decreases D
//              evaluation of P - D
//
// The first face step follows after a number of passes that leave few positions undecided. Both kinds of step are
// compared by the gain of D per entry of A read: if a face step gained less than the passes before it, the next
// 1, 2, 4, ..., 16 face steps are skipped.
//
// The primal point need not be the x computed from y. For a nonsmooth loss at large C the scores of free rows are within
// an error of the nonsmooth points of their losses, and P increases by C times the error. The better of x(y) and the x
// of the unclipped face step is used, and the best multiple of it, argmin_s P(s x), which costs O(n) per trial and moves
// all scores to the favorable side at once.
//
// Rows with equal features are split beforehand (parts/dual/equal_rows.h). l2, lambda > 0; losses with a piecewise
// quadratic conjugate.
#pragma once

#include <memory>
#include <vector>

#include "solvers/engines/dual_ascent.h"
#include "solvers/parts/dual/face.h"

namespace seesaw {

struct DualFaceOptions {
  std::size_t burst = 3;  // passes; 2 more from the 100th on
  FaceLimits face = {};
  std::uint64_t seed = 1;
};

class DualFace final : public Solver {
 public:
  DualFace(const Problem& problem, const DualFaceOptions& options, const Start& start);

  void epoch() override;  // one pass of dual ascent; after the last pass of a burst also the face step
  void read(Point& point) override;
  Work work() const override;
  void on_check(const Checked& checked) override;
  Diagnostics diagnostics() const override;

 private:
  void end_burst();
  bool ready_for_face();
  void step_on_face(double rate_of_passes);
  void evaluate_gap(bool stepped);
  void evaluate_primal(const std::vector<double>& x, double intercept);
  double dual_value() const;

  const Problem& problem_;
  const ScalarForm& scalar_ = problem_.scalar();
  const PiecewiseQuadratic& loss_;
  DualFaceOptions options_;
  std::unique_ptr<DualAscent> ascent_;
  Face face_;

  Point at_;  // the last point read from dual ascent
  std::vector<Face::Place> place_;
  std::size_t free_ = 0, changed_ = 0;
  double passes_ = 0;                // of dual ascent; a pass over the active rows counts as one
  double passes_at_evaluation_ = 0;  // when P - D was last evaluated
  std::size_t burst_ = 0;            // passes of this one
  std::size_t skip_ = 0, skips_ = 0;
  double dual_ = 0, entries_ = 0;  // after the last burst or step
  Work face_work_;
  double cg_steps_ = 0;

  double primal_ = infinity, gap_ = infinity, gap_factor_ = 1, target_ = infinity;
  std::vector<double> x_, z_;  // the best primal point so far; scores
  double intercept_ = 0;
};

}  // namespace seesaw
