#pragma once

#include "solvers/recipe.h"

namespace seesaw {

Recipe bpd_recipe();
Recipe opt_bpd_recipe();
Recipe ada_bpd_recipe();
Recipe df_bpd_recipe();

}  // namespace seesaw
