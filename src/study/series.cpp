#include "study/series.h"

namespace seesaw {

const std::vector<SeriesKind>& series_kinds() {
  static const std::vector<SeriesKind> kinds = {};
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
