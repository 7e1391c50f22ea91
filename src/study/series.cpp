#include "study/series.h"

#include "study/theorem_bounds.h"

namespace seesaw {

const std::vector<SeriesKind>& series_kinds() {
  static const std::vector<SeriesKind> kinds = {
      {"sdca-smooth-bound", "SDCA's gap, smooth losses", sdca_smooth_bound},
      {"sdca-lipschitz-bound", "SDCA's gap, Lipschitz losses", sdca_lipschitz_bound},
      {"aspdc-bound", "ASPDC's gap, lambda >= 4/(n gamma)", aspdc_bound},
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
