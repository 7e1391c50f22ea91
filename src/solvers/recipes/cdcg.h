#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe cdcg_recipe();

}  // namespace seesaw
