#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe spdhg_recipe();
Recipe spdhg_ais_recipe();
Recipe spdc_opt_recipe();

}  // namespace seesaw
