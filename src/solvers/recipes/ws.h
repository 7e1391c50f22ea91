#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe ws_recipe();

}  // namespace seesaw
