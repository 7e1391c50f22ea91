// Penalty factors by a change of variables. With u_j = x_j / c_j and columns a'_ij = c_j a_ij, scores, y and P, D, gap
// are the same, and the penalty is
//
//     f_j (l2/2 x_j^2 + l1 |x_j|) = l2/2 u_j^2 + l1 sqrt(f_j) |u_j|       c_j = 1/sqrt(f_j), where l2 > 0
//                                 = l1 |u_j|                              c_j = 1/f_j,       without l2
//
// uniform for l2 alone and for l1 alone, so that every method solves it; bounds become lo_j/c_j, hi_j/c_j. Features
// with f_j = 0 stay as they are (c_j = 1). The scaled copy of the data is stored in double precision.
#pragma once

#include <memory>
#include <vector>

#include "model/problem.h"
#include "solvers/recipe.h"

namespace seesaw {

// Whether the method needs the change of variables: some f_j is neither 0 nor 1, and it does not take factors of l1
// alone as they are. (Those that do are spared the worse conditioning of columns divided by a small f_j.)
bool needs_scaling(const Recipe& recipe, const Penalty& penalty);

class ScaledProblem {
 public:
  explicit ScaledProblem(const Problem& problem);  // with penalty factors
  ScaledProblem(const ScaledProblem&) = delete;

  const Problem& problem() const { return problem_; }
  Start to_scaled(Start start) const;
  void from_scaled(Point& point) const;

 private:
  std::vector<double> c_;
  Penalty posed_;
  std::size_t outputs_;
  Dataset data_;
  Problem problem_;
};

// The method on the scaled problem. The certificate is that of the problem as posed in any case.
std::unique_ptr<Solver> make_on_scaled(const Recipe& recipe, std::unique_ptr<ScaledProblem> scaled,
                                       const SolverSpec& spec, const Start& start);

}  // namespace seesaw
