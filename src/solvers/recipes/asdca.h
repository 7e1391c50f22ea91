#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe asdca_recipe();
Recipe catr_recipe();

}  // namespace seesaw
