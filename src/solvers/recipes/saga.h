#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe saga_recipe();
Recipe sag_recipe();

}  // namespace seesaw
