#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe spdc_adaptive_recipe();
Recipe df_spdc_recipe();
Recipe adf_spdc_recipe();

}  // namespace seesaw
