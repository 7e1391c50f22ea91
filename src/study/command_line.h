// The command that reproduces a run.
#pragma once

#include <string>

#include "run/criteria.h"
#include "solvers/recipe.h"
#include "study/study_problem.h"

namespace seesaw {

std::string shell_quoted(const std::string& word);  // quoted if the shell requires it
std::string train_command(const StudyProblem& study_problem, const SolverSpec& solver, const Criteria& criteria);

}  // namespace seesaw
