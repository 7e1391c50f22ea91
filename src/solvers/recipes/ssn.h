#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe ssn_recipe();

}  // namespace seesaw
