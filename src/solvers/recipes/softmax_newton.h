#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe softmax_newton_recipe();

}  // namespace seesaw
