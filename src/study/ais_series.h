// The curves of Liu, Wang & So 2021, Figures 2 and 3, over steps (study/ais_probe.h), up to the passes of the panel's
// runs. Option `seed`.
#pragma once

#include "study/series.h"

namespace seesaw {

std::vector<Curve> ais_theta(const SeriesInput& input);
std::vector<Curve> ais_rate(const SeriesInput& input);
std::vector<Curve> ais_rho(const SeriesInput& input);

}  // namespace seesaw
