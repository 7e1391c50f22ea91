// Dual ascent that knows the face it has come to. Coordinate steps find out which y_i sit on an end of their domain,
// but creep when the others, the free ones, trade against each other; conjugate gradients are the other way round.
//
//     repeat:  a burst of passes of dual ascent (dual_ascent.h)
//              where few rows changed their place (low end, inside, high end) during it:
//                a step on the face of the free rows (parts/face.h), which never lowers D
//              a look at P - D
//
// The first step on a face comes after a number of passes that leave few rows undecided. Both ways to rise are weighed
// by the gain of D per entry of A touched: where the face gave less than the passes before it, it is left out the next
// 1, 2, 4 .. 16 times.
//
// The primal point need not be the x that belongs to y. For a nonsmooth loss at large C the scores of free rows lie
// within an error of their kinks, and P pays for it with C times the error. A look therefore takes the better of x(y)
// and the x that the step on the face would have led to unbounded, and the best multiple of it, argmin_s P(s x), which
// costs O(n) a trial and moves all scores to the cheap side of their kinks at once.
//
// Rows that are equal but for their labels are split beforehand (parts/equal_rows.h). l2, lambda > 0; losses whose
// conjugate is quadratic between kinks.
#pragma once

#include <memory>
#include <vector>

#include "solvers/engines/dual_ascent.h"
#include "solvers/parts/face.h"

namespace seesaw {

struct DualFaceOptions {
  std::size_t burst = 3;  // passes; 2 more from the 100th on
  FaceLimits face = {};
  std::uint64_t seed = 1;
};

class DualFace final : public Solver {
 public:
  DualFace(const Problem& problem, const DualFaceOptions& options, const Start& start);

  void epoch() override;  // one pass of dual ascent, and what follows the last one of a burst
  void read(Point& point) override;
  Work work() const override;
  void on_check(const Checked& checked) override;
  Diagnostics diagnostics() const override;

 private:
  void end_burst();
  bool ready_for_face();
  void step_on_face(double rate_of_passes);
  void look(bool stepped);
  void look_at(const std::vector<double>& x, double intercept);
  double dual_value() const;

  const Problem& problem_;
  const PiecewiseQuadratic& loss_;
  DualFaceOptions options_;
  std::unique_ptr<DualAscent> ascent_;
  Face face_;

  Point at_;  // of dual ascent, as it was last read
  std::vector<Face::Place> place_;
  std::size_t free_ = 0, changed_ = 0;
  double passes_ = 0;         // of dual ascent, shrunk ones counted as whole
  double passes_looked_ = 0;  // when P - D was last looked at
  std::size_t burst_ = 0;     // passes of this one
  std::size_t skip_ = 0, skips_ = 0;
  double dual_ = 0, entries_ = 0;  // after the last burst or step
  Work face_work_;
  double cg_steps_ = 0;

  double primal_ = infinity, gap_ = infinity, doubt_ = 1, target_ = infinity;
  std::vector<double> x_, z_;  // the best primal point so far; scores
  double intercept_ = 0;
};

}  // namespace seesaw
