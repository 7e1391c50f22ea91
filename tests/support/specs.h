// Criteria for a method on a tiny problem: the gap that it can reach there.
#pragma once

#include "run/fit.h"
#include "solvers/catalog.h"

namespace seesaw::test {

inline FitSpec spec_of(const Recipe& recipe, const LossKind& kind, double lambda, double l1, Intercept intercept) {
  FitSpec spec;
  spec.objective.loss = kind.name;
  spec.objective.lambda = lambda;
  spec.objective.l1 = l1;
  spec.objective.intercept = intercept;
  spec.solver.name = recipe.name;
  spec.criteria.gap = 0;
  spec.criteria.gap_abs = kind.gamma() > 0 ? 1e-8 : recipe.exact_nonsmooth ? 1e-6 : 1e-4;
  spec.criteria.max_passes = 20000;
  return spec;
}

}  // namespace seesaw::test
