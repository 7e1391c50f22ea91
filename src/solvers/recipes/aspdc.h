#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe aspdc_recipe();
Recipe aspdc_i_recipe();

}  // namespace seesaw
