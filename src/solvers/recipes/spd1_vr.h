#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe spd1_vr_recipe();

}  // namespace seesaw
