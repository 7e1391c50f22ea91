// What a study will run, before anything runs: every problem by every method, seed by seed, as far as they go together.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "run/criteria.h"
#include "solvers/recipe.h"
#include "study/study_problem.h"

namespace seesaw {

// A method as it competes: with its options, under a name.
struct Competitor {
  std::string label;
  SolverSpec solver;  // its seed is the first of those that are run
};
// "spdc" or "spdc:batch=4:draw=iid"; label "spdc --batch 4 --draw iid". Throws InvalidOption for names that do not
// exist.
Competitor competitor(std::string_view text);
// By the family (engine) of the catalog, "dual ascent", "dual-ascent" or "dual_ascent"; throws InvalidOption.
std::vector<Competitor> all_competitors();
std::vector<Competitor> competitors_of_family(std::string_view family);

struct PlannedRun {
  std::shared_ptr<const StudyProblem> subject;
  SolverSpec solver;
  Criteria criteria;
  std::string label;
  std::string experiment = {}, panel = {};  // of a reproduction
  bool reference = false;                   // no competitor: it tells where the optimum is
  std::string command = {};                 // does it again; empty: `seesaw train` does
};
// The same for two runs that cannot differ: data, objective, method, options, seed, limits and version.
std::string key_of(const PlannedRun& run);

struct Refused {
  std::string label, solver, problem, why;
  std::string line() const;  // as JSON
};

struct Plan {
  std::vector<PlannedRun> runs;
  std::vector<Refused> refused;
};
// A method that draws nothing at random is run with one seed.
Plan make_plan(const std::vector<std::shared_ptr<const StudyProblem>>& subjects,
               const std::vector<Competitor>& competitors, std::size_t seeds, const Criteria& criteria);

}  // namespace seesaw
