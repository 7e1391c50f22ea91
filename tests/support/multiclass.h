// Multiclass fits by SDCA, and the verifier's result.
#pragma once

#include <string>
#include <string_view>

#include "run/fit.h"
#include "support/claims.h"

namespace seesaw::test {

inline Objective objective_of(std::string_view loss, double lambda, double l1, Intercept intercept) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = lambda;
  objective.l1 = l1;
  objective.intercept = intercept;
  return objective;
}

inline FitSpec spec_of(std::string_view loss, double lambda, double l1, Intercept intercept, double gap_abs) {
  FitSpec spec;
  spec.objective = objective_of(loss, lambda, l1, intercept);
  spec.solver.name = "sdca";
  spec.criteria.gap = 0;
  spec.criteria.gap_abs = gap_abs;
  spec.criteria.max_passes = 50000;
  return spec;
}

// The problems that the verifier finds in the model; empty if it confirms it.
inline std::string verification_problems(const Dataset& data, const Fit& result) {
  return problems_of({data, result.model});
}

inline void add_weights(Dataset& data) {
  for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
}

}  // namespace seesaw::test
