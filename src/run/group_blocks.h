// A problem with losses of groups as a saddle problem of general blocks (solvers/saddle): one block per group.
//
// A free intercept b is coordinate d of x, b = kappa x_d, by a column of kappa. The methods need a strongly convex g, so g has
// the proximal term (lambda/2)(x_d - centre)^2, that is mu/2 (b - kappa centre)^2 with mu = lambda/kappa^2. Moving the centre
// to x_d is a step of the proximal point method in b, whose fixed point is the problem as posed.
#pragma once

#include <memory>
#include <vector>

#include "model/groups/group_problem.h"
#include "seesaw/saddle.h"

namespace seesaw {

class GroupBlocks {
 public:
  explicit GroupBlocks(const GroupProblem& problem);  // which must outlive it

  const saddle::Problem& problem() const { return *blocks_; }
  bool has_intercept() const { return kappa_ > 0; }
  double intercept(double last) const { return kappa_ * last; }             // b of x_d
  void centre_at(double intercept) { *centre_ = intercept / kappa_; }       // of the proximal term
  double value_at_zero() const { return value_at_zero_; }                   // P(0, 0), or 1 if that is 0
  std::vector<double> scores(const std::vector<double>& x) const;           // a_i.x of every row, without the intercept
  std::vector<double> of_rows(const std::vector<double>& of_blocks) const;  // y by blocks as a number per row

 private:
  template <class Storage>
  void add_blocks(const Storage& rows);

  const GroupProblem& of_;
  double kappa_ = 0, value_at_zero_;
  std::shared_ptr<double> centre_;  // shared with g
  std::unique_ptr<saddle::Problem> blocks_;
};

}  // namespace seesaw
