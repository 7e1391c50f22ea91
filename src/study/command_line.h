// The command that reproduces a run.
#pragma once

#include <string>

#include "run/criteria.h"
#include "solvers/recipe.h"
#include "study/study_problem.h"

namespace seesaw {

std::string shell_quoted(const std::string& word);  // quoted if the shell requires it
// A message of the library with its fields as options of the program: "`gap_abs`" becomes "--gap-abs".
std::string with_options(const std::string& message);
std::string train_command(const StudyProblem& study_problem, const SolverSpec& solver, const Criteria& criteria);

}  // namespace seesaw
