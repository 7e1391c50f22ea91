#include "path_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grid.h"
#include "path_choice.h"
#include "summary.h"

namespace seesaw::app {
namespace {

std::size_t support(const PathPoint& point) {
  return static_cast<std::size_t>(
      std::count_if(point.point.x.begin(), point.point.x.end(), [](double xj) { return xj != 0; }));
}

nlohmann::ordered_json finite(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json point_json(const Path& path, const PathPoint& point) {
  const Certificate& at = point.certificate.certificate;
  nlohmann::ordered_json json = {{"lambda", path.line.lambda_at(point.t())},
                                 {"l1", path.line.l1_at(point.t())},
                                 {"status", point.status},
                                 {"combined", point.combined},
                                 {"primal", finite(at.primal)},
                                 {"dual", finite(at.dual)},
                                 {"gap", finite(at.gap)},
                                 {"relative_gap", finite(at.relative_gap())},
                                 {"nonzeros", support(point)},
                                 {"passes", point.passes},
                                 {"seconds", point.seconds},
                                 {"covered", nullptr}};
  if (path.by_C) json["C"] = shown_value(path, point.t());
  if (point.coverage) json["covered"] = {point.coverage->lower.t, point.coverage->upper.t};
  return json;
}

}  // namespace

std::string path_table(const Path& path) {
  Grid grid(false);
  const std::string parameter(shown_parameter(path));
  grid.add({{parameter}, {"objective"}, {"gap / P"}, {"nonzeros"}, {"passes"}, {"covers from"}, {"to"}, {"seconds"}});
  for (const PathPoint& point : path.points) {
    const Certificate& at = point.certificate.certificate;
    std::string from = "-", to = "-";
    if (point.coverage) {
      const double a = shown_value(path, point.coverage->lower.t), b = shown_value(path, point.coverage->upper.t);
      from = fmt::format("{:.4g}", std::min(a, b));
      to = fmt::format("{:.4g}", std::max(a, b));
    }
    grid.add({{fmt::format("{:.4g}", shown_value(path, point.t()))},
              {fmt::format("{:.6g}", at.primal)},
              {fmt::format("{:.1e}", at.relative_gap())},
              {fmt::format("{}", support(point))},
              {point.combined ? "combined" : fmt::format("{:.4g}", point.passes)},
              {from},
              {to},
              {fmt::format("{:.2f}", point.seconds)}});
  }
  return grid.text(false);
}

std::string path_summary(const PathRun& run, double seconds) {
  const Path& path = run.path;
  const std::size_t combined = path.points.size() - path.fits();
  std::string text =
      fmt::format("{} ({}{}) in {:.3g} s\n", counted(path.points.size(), "model"), counted(path.fits(), "fit"),
                  combined > 0 ? fmt::format(", {}", counted(combined, "combination")) : "", seconds);
  const std::vector<Interval> holes = uncovered(path.points, path.range);
  const std::string parameter(shown_parameter(path));
  if (holes.empty()) {
    text += fmt::format("proved: for every {} in {} one of them is within {:.3g} % of the optimum", parameter,
                        shown(path, path.range), 100 * path.tolerance.relative);
    const bool absolute = std::any_of(path.points.begin(), path.points.end(),
                                      [](const PathPoint& p) { return p.coverage && p.coverage->absolute; });
    text += absolute ? fmt::format(", or within {:.2g}", path.tolerance.absolute) : "";
  } else if (path.grid > 0) {
    double largest = 0;
    for (const PathPoint& point : path.points)
      largest = std::max(largest, point.certificate.certificate.relative_gap());
    text += fmt::format("the largest gap is {:.1e} of P; {} between the values not covered to {:.3g} %", largest,
                        holes.size() == 1 ? "1 part is" : fmt::format("{} parts are", holes.size()),
                        100 * path.tolerance.relative);
  } else {
    text += fmt::format("not covered: {} in", parameter);
    for (std::size_t k = 0; k < holes.size(); ++k)
      if (k < 5) text += (k > 0 ? ", " : " ") + shown(path, holes[k]);
    if (holes.size() > 5) text += fmt::format(" and {} more", holes.size() - 5);
  }
  text += "\n";
  if (run.termination != Termination::converged)
    text += fmt::format("the path ended early: {}\n",
                        run.termination == Termination::stalled
                            ? "a fit did not reach the accuracy (stalled); use a larger --accuracy"
                            : fmt::format("{}", name_of(run.termination)));
  return text;
}

nlohmann::ordered_json path_json(const PathRun& run) {
  const Path& path = run.path;
  nlohmann::ordered_json json = {{"status", name_of(run.termination)},
                                 {"complete", path.complete()},
                                 {"parameter", shown_parameter(path)},
                                 {"range", {path.range.lo, path.range.hi}},
                                 {"accuracy", path.tolerance.relative},
                                 {"models", path.points.size()},
                                 {"fits", path.fits()},
                                 {"uncovered", nlohmann::ordered_json::array()},
                                 {"points", nlohmann::ordered_json::array()}};
  for (const Interval& hole : uncovered(path.points, path.range)) json["uncovered"].push_back({hole.lo, hole.hi});
  for (const PathPoint& point : path.points) json["points"].push_back(point_json(path, point));
  return json;
}

}  // namespace seesaw::app
