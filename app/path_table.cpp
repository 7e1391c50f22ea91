#include "path_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grid.h"
#include "path_choice.h"
#include "select/segment.h"
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

// The largest gap / D between point k and the next one, each value with the better of the two; nothing after the last.
std::optional<double> gap_to_next(const Path& path, std::size_t k) {
  if (k + 1 >= path.points.size()) return std::nullopt;
  const auto segment = Segment::of(path, path.points[k], path.points[k + 1]);
  return segment ? segment->largest_relative_gap() : infinity;
}

}  // namespace

nlohmann::ordered_json point_json(const Path& path, std::size_t k) {
  const PathPoint& point = path.points[k];
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
  if (const auto gap = gap_to_next(path, k); gap && path.grid > 0) json["relative_gap_to_next"] = finite(*gap);
  return json;
}

std::string path_table(const Path& path) {
  Grid grid(false);
  const bool values = path.grid > 0;
  std::vector<Cell> head = {{std::string(shown_parameter(path))}, {"objective"}, {"gap / P"}, {"nonzeros"}, {"passes"}};
  if (values) head.push_back({"up to the next"});
  else head.insert(head.end(), {{"covers from"}, {"to"}});
  head.push_back({"seconds"});
  grid.add(head);
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    const PathPoint& point = path.points[k];
    const Certificate& at = point.certificate.certificate;
    std::vector<Cell> row = {{fmt::format("{:.4g}", shown_value(path, point.t()))},
                             {fmt::format("{:.6g}", at.primal)},
                             {fmt::format("{:.1e}", at.relative_gap())},
                             {fmt::format("{}", support(point))},
                             {point.combined ? "combined" : fmt::format("{:.4g}", point.passes)}};
    if (values) {
      const auto gap = gap_to_next(path, k);
      row.push_back({gap ? fmt::format("{:.1e}", *gap) : "-"});
    } else if (point.coverage) {
      const double a = shown_value(path, point.coverage->lower.t), b = shown_value(path, point.coverage->upper.t);
      row.push_back({fmt::format("{:.4g}", std::min(a, b))});
      row.push_back({fmt::format("{:.4g}", std::max(a, b))});
    } else {
      row.insert(row.end(), {{"-"}, {"-"}});
    }
    row.push_back({fmt::format("{:.2f}", point.seconds)});
    grid.add(row);
  }
  return grid.text(false);
}

std::string proved_sentence(const Path& path) {
  const std::vector<Interval> holes = uncovered(path);
  const std::string parameter(shown_parameter(path));
  if (holes.empty())
    return fmt::format("proved: for every {} in {} one of them is {}", parameter, shown(path, path.range),
                       shown_accuracy(path));
  if (path.grid > 0) {
    double largest = 0, between = 0;
    for (const PathPoint& point : path.points)
      largest = std::max(largest, point.certificate.certificate.relative_gap());
    for (std::size_t k = 0; k < path.points.size(); ++k) between = std::max(between, gap_to_next(path, k).value_or(0));
    return fmt::format(
        "the largest gap is {:.1e} of P; between the values one of the two neighbours is within {:.2g} %", largest,
        100 * between);
  }
  std::string text = fmt::format("not covered: {} in", parameter);
  for (std::size_t k = 0; k < holes.size(); ++k)
    if (k < 5) text += (k > 0 ? ", " : " ") + shown(path, holes[k]);
  if (holes.size() > 5) text += fmt::format(" and {} more", holes.size() - 5);
  return text;
}

std::string path_summary(const PathRun& run, double seconds) {
  const Path& path = run.path;
  const std::size_t combined = path.points.size() - path.fits();
  std::string text = fmt::format(
      "{} ({}{}) in {:.3g} s\n{}\n", counted(path.points.size(), "model"), counted(path.fits(), "fit"),
      combined > 0 ? fmt::format(", {}", counted(combined, "combination")) : "", seconds, proved_sentence(path));
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
  for (const Interval& hole : uncovered(path)) json["uncovered"].push_back({hole.lo, hole.hi});
  for (std::size_t k = 0; k < path.points.size(); ++k) json["points"].push_back(point_json(path, k));
  return json;
}

}  // namespace seesaw::app
