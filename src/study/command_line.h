// The command that does a run again.
#pragma once

#include <string>

#include "run/criteria.h"
#include "solvers/recipe.h"
#include "study/study_problem.h"

namespace seesaw {

std::string shell_quoted(const std::string& word);  // as a shell needs it
std::string train_command(const StudyProblem& subject, const SolverSpec& solver, const Criteria& criteria);

}  // namespace seesaw
