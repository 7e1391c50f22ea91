#include "select/path_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace seesaw {

double shown_value(const Path& path, double t) { return path.by_C ? 1 / (t * path.total_weight) : t; }
std::string_view shown_parameter(const Path& path) { return path.by_C ? "C" : path.line.parameter(); }
std::string shown(const Path& path, double t) {
  return fmt::format("{} = {:.6g}", shown_parameter(path), shown_value(path, t));
}
Interval shown_range(const Path& path, const Interval& range) {
  const double a = shown_value(path, range.lo), b = shown_value(path, range.hi);
  return {std::min(a, b), std::max(a, b)};
}
std::string shown(const Path& path, const Interval& range) {
  const Interval in_units = shown_range(path, range);
  return fmt::format("[{:.6g}, {:.6g}]", in_units.lo, in_units.hi);
}

bool uses_absolute(const Path& path) {
  if (path.grid == 0)
    return std::any_of(path.points.begin(), path.points.end(),
                       [](const PathPoint& point) { return point.coverage && point.coverage->absolute; });
  const PathTolerance relative{path.tolerance.relative, 0};
  return uncovered(path, relative).size() > uncovered(path).size();
}

std::string shown_accuracy(const Path& path) {
  return fmt::format("within {:.3g} % of the optimum{}", 100 * path.tolerance.relative,
                     uses_absolute(path) ? fmt::format(", or within {:.2g}", path.tolerance.absolute) : "");
}

}  // namespace seesaw
