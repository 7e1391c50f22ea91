#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe sdca_recipe();

}  // namespace seesaw
