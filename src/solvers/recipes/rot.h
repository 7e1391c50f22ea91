#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe rot_recipe();

}  // namespace seesaw
