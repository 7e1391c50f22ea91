#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe lbfgs_recipe();

}  // namespace seesaw
