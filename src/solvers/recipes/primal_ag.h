#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe primal_ag_recipe();

}  // namespace seesaw
