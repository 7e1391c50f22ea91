#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe spdc_recipe();

}  // namespace seesaw
