#include "study/series.h"

#include "study/ais_series.h"
#include "study/saddle_bounds.h"
#include "study/theorem_bounds.h"

namespace seesaw {

const std::vector<SeriesKind>& series_kinds() {
  static const std::vector<SeriesKind> kinds = {
      {"ais-theta", ais_theta},  // theta_t of SPDC-AIS: condition (15) of Liu, Wang & So requires at most theta
      {"ais-rate", ais_rate},    // theta of SPDC-AIS, the rate of Theorem 1 of Liu, Wang & So
      {"ais-rho", ais_rho},      // rho_t of SPDC-AIS: Assumption 1 of Liu, Wang & So requires a lower bound > 0
      {"sdca-smooth-bound", sdca_smooth_bound},        // bound of SDCA's gap, smooth losses
      {"sdca-lipschitz-bound", sdca_lipschitz_bound},  // bound of SDCA's gap, Lipschitz losses
      {"aspdc-bound", aspdc_bound},                    // bound of ASPDC's gap, Lemma 2 of Liang et al.
      {"aspdc-i-bound", aspdc_i_bound},                // bound of ASPDC-i's suboptimality, Theorem 2 of Liang et al.
      {"adaspdc-bound", adaspdc_bound},                // bound of AdaSPDC, (16) of Zhu & Storkey
      {"ais-bound", ais_bound},                        // bound of SPDC-AIS, Theorem 1 of Liu, Wang & So
      {"strong-convexity-bound", strong_convexity_bound},  // bounds of Theorems 1 to 4 of Wang & Xiao
  };
  return kinds;
}

std::vector<Curve> make_series(const SeriesSpec& spec, const SeriesInput& input) {
  std::vector<Curve> curves;
  for (const SeriesKind& kind : series_kinds())
    if (kind.name == spec.kind) curves = kind.make(input);
  if (curves.size() == 1) curves.front().name = spec.name;
  for (Curve& curve : curves) curve.style = spec.style;
  return curves;
}

}  // namespace seesaw
