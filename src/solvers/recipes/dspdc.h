#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe dspdc_recipe();

}  // namespace seesaw
