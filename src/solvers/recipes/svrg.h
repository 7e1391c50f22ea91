#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe svrg_recipe();
Recipe katyusha_recipe();

}  // namespace seesaw
