// fit() for losses of groups of rows (model/groups): the methods for general blocks (solvers/saddle), one block per group.
#pragma once

#include "data/readers/row_groups.h"
#include "model/groups/group_problem.h"
#include "run/fit.h"

namespace seesaw {

// Methods: sdca, spdc, adaspdc, spdhg, bpd and auto, without options. P is the mean over the groups, weighted where the data
// has weights, which are the same for all rows of a group. A status `converged` is that of the rigorous certificate. Throws
// Unsupported for weights of classes, penalties without lambda, several processes, checkpoints, and criteria other than the
// gap.
Fit fit_groups(const Dataset& data, const RowGroups& groups, const FitSpec& spec, const Observers& observers = {},
               const StopPredicate& should_stop = {});

// Why a method does not solve problems with a loss of groups, without a full stop; empty if it does.
std::string unsupported_by_groups(const SolverSpec& solver);

struct GroupSolve {
  SolverSpec solver;
  Criteria criteria;
  Scaling scaling = Scaling::none;  // of the data, for display
  double factor = 1;                // of Scaling::max
};

// The part of fit_groups() after the data are prepared, as solve() of run/fit.h is of fit().
Outcome solve_groups(const GroupProblem& problem, const GroupSolve& how, const Observers& observers = {},
                     const StopPredicate& should_stop = {});

}  // namespace seesaw
