#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe adaspdc_recipe();

}  // namespace seesaw
