// The passes of a method to each of several gaps, on rows as in Liang et al.: a feature of 1 appended, then every row
// scaled to norm 1.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "data/readers/read.h"
#include "papers/measure.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "verify/verify.h"

namespace seesaw::test {

inline FitSpec unit_row_spec(const std::string& loss, double lambda, SolverSpec solver, double limit,
                             double check_every) {
  FitSpec spec;
  spec.objective.loss = loss;
  spec.objective.lambda = lambda;
  spec.objective.intercept = Intercept::penalized;
  spec.scaling = Scaling::rows;
  spec.solver = std::move(solver);
  spec.criteria.gap = 0;
  spec.criteria.max_passes = limit;
  spec.criteria.check_every = check_every;
  return spec;
}

// The passes of the first checks at which the gap was at most goals[0], goals[1], ..., which decrease. The last result is
// checked by the verifier.
inline std::vector<Passes> passes_to(const Dataset& data, FitSpec spec, const std::vector<double>& goals) {
  spec.criteria.gap_abs = goals.back();
  const Fit result = fit(data, spec);
  const Verification verdict = verify(data, result.model);
  EXPECT_TRUE(verdict.holds) << spec.solver.name;
  EXPECT_EQ(verdict.gap <= goals.back() * 1.0001, result.outcome.termination == Termination::converged)
      << spec.solver.name << ": " << verdict.gap;
  std::vector<Passes> passes;
  for (const double goal : goals) {
    const auto& trace = result.outcome.trace;
    const auto first = std::find_if(trace.begin(), trace.end(), [&](const TraceRow& row) { return row.gap <= goal; });
    passes.push_back(first == trace.end() ? Passes() : Passes(first->passes));
  }
  return passes;
}

// Passes of three seeds, one list per goal.
inline std::vector<std::vector<Passes>> passes_of_seeds(const Dataset& data, FitSpec spec,
                                                        const std::vector<double>& goals, int seeds = 3) {
  std::vector<std::vector<Passes>> found(goals.size());
  for (int seed = 1; seed <= seeds; ++seed) {
    spec.solver.seed = static_cast<std::uint64_t>(seed);
    const std::vector<Passes> passes = passes_to(data, spec, goals);
    for (std::size_t k = 0; k < goals.size(); ++k) found[k].push_back(passes[k]);
  }
  return found;
}

// "108/182": passes to the first goal and to the second, `-` if it was not reached. Returns the result as text.
inline std::string expect_passes(const std::string& what, const std::vector<std::vector<Passes>>& found,
                                 const std::string& figures) {
  std::istringstream stream(figures);
  std::string text = what + ":", figure;
  bool agrees = true;
  for (const std::vector<Passes>& seeds : found) {
    std::getline(stream, figure, '/');
    for (const Passes& passes : seeds) text += " " + in_words(passes);
    text += " passes, table " + figure + ";";
    agrees = agrees && agree(seeds, passes_in(figure));
  }
  EXPECT_TRUE(agrees) << text;
  return text;
}

inline Dataset real_set(const std::string& file) { return read_dataset(path_of(file).string()); }

}  // namespace seesaw::test
