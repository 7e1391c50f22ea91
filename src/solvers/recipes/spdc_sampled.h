#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe spdc_nu_recipe();
Recipe spdc_lis_recipe();
Recipe spdc_ais_recipe();

}  // namespace seesaw
