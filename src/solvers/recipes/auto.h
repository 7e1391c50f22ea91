#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe auto_recipe();

}  // namespace seesaw
