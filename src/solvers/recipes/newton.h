#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe newton_recipe();

}  // namespace seesaw
