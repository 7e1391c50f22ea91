// The runs of a study, planned before anything runs: every problem by every method that supports it, per seed.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "run/criteria.h"
#include "solvers/recipe.h"
#include "study/study_problem.h"

namespace seesaw {

// A method with its options and a label.
struct Competitor {
  std::string label;
  SolverSpec solver;  // with the first seed
};
// "spdc" or "spdc:batch=4:draw=iid"; label "spdc --batch 4 --draw iid". Throws InvalidOption for unknown names.
Competitor competitor(std::string_view text);
// By the family (engine) of the catalog, "dual ascent", "dual-ascent" or "dual_ascent"; throws InvalidOption.
std::vector<Competitor> all_competitors();
std::vector<Competitor> competitors_of_family(std::string_view family);

struct PlannedRun {
  std::shared_ptr<const StudyProblem> problem;
  SolverSpec solver;
  Criteria criteria;
  std::string label;
  std::string experiment = {}, panel = {};  // of a reproduction
  bool reference = false;                   // not compared: it determines the optimum
  std::string command = {};                 // reproduces the run; empty: train_command()
};
// Equal for runs with the same data, objective, method, options, seed, limits and version, whose results are equal.
std::string key_of(const PlannedRun& run);

struct Refused {
  std::string label, solver, problem, why;
  std::string line() const;  // as JSON
};

struct Plan {
  std::vector<PlannedRun> runs;
  std::vector<Refused> refused;
};
// A method without random draws is run with one seed.
Plan make_plan(const std::vector<std::shared_ptr<const StudyProblem>>& problems,
               const std::vector<Competitor>& competitors, std::size_t seeds, const Criteria& criteria);

}  // namespace seesaw
