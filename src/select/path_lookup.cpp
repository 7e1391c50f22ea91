// What a path covers, and the model for a value.
#include <algorithm>
#include <cmath>
#include <limits>

#include "select/path.h"
#include "select/segment.h"

namespace seesaw {
namespace {

// The line through two values, at t; the larger of the two ends where they are at one place.
double between(double t, double t0, double value0, double t1, double value1) {
  if (t1 == t0) return value0;
  const double w = std::clamp((t - t0) / (t1 - t0), 0.0, 1.0);
  return (1 - w) * value0 + w * value1;
}

}  // namespace

std::vector<Interval> uncovered(const std::vector<PathPoint>& points, const Interval& range) {
  std::vector<Interval> all, holes;
  for (const PathPoint& point : points)
    if (point.coverage) all.push_back(point.coverage->interval());
  std::sort(all.begin(), all.end(), [](const Interval& a, const Interval& b) { return a.hi > b.hi; });
  double edge = range.hi;
  for (const Interval& one : all) {
    if (edge <= range.lo) break;
    if (one.hi < edge) holes.push_back({std::max(one.hi, range.lo), edge});
    edge = std::min(edge, one.lo);
  }
  if (edge > range.lo) holes.push_back({range.lo, edge});
  return holes;
}

std::vector<Interval> uncovered(const Path& path) { return uncovered(path, path.tolerance); }

std::vector<Interval> uncovered(const Path& path, const PathTolerance& tolerance) {
  if (path.grid == 0) return uncovered(path.points, path.range);
  std::vector<Interval> holes;
  double edge = path.range.hi;
  const PathPoint* above = nullptr;
  for (const PathPoint& point : path.points) {
    const auto segment = above != nullptr ? Segment::of(path, *above, point) : std::nullopt;
    if (above == nullptr ? point.t() < edge : !segment || !segment->holds(tolerance))
      holes.push_back({point.t(), edge});
    edge = point.t();
    above = &point;
  }
  if (edge > path.range.lo) holes.push_back({path.range.lo, edge});
  return holes;
}

std::size_t Path::fits() const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [](const PathPoint& point) { return !point.combined; }));
}

bool Path::complete() const {
  const bool converged =
      std::all_of(points.begin(), points.end(), [](const PathPoint& p) { return p.status == "converged"; });
  return converged && (grid > 0 ? points.size() == grid : uncovered(*this).empty());
}

LinearModel model_of(const Path& path, const PathPoint& point, const CertificateAt& of) {
  LinearModel model = path.frame;
  model.objective.lambda = path.line.lambda_at(of.t);
  model.objective.l1 = path.line.l1_at(of.t);
  model.x = point.point.x;
  model.intercept = point.point.intercept;
  model.certificate = of.certificate;
  model.classes = of.classes;
  model.y = point.point.y;
  const std::size_t K = of.dual_scale.size();
  for (std::size_t at = 0; at < model.y.size(); ++at)
    if (const double s = of.dual_scale[at % K]; s != 1) model.y[at] *= s;
  model.status = point.status;
  model.passes = point.passes;
  return model;
}

double t_of_C(const Path& path, double C) {
  constexpr double roundings = 4 * std::numeric_limits<double>::epsilon();  // of two divisions and two products
  const double t = 1 / (C * path.total_weight);
  const auto same = [t](double other) { return std::abs(t - other) <= roundings * t; };
  for (const PathPoint& point : path.points)
    if (same(point.t())) return point.t();
  for (const double end : {path.range.lo, path.range.hi})
    if (same(end)) return end;
  return t;
}

std::optional<Covering> covering(const Path& path, double t) {
  std::optional<Covering> best;
  for (const PathPoint& point : path.points) {
    const CertificateAt& at = point.certificate;
    Bounds bounds;
    if (t == at.t) {
      bounds = static_cast<const Bounds&>(at.certificate);
    } else if (point.coverage && point.coverage->interval().contains(t)) {
      const CertificateAt& end = t < at.t ? point.coverage->lower : point.coverage->upper;
      bounds.primal = between(t, at.t, at.certificate.primal, end.t, end.certificate.primal);
      bounds.dual = between(t, at.t, at.certificate.dual, end.t, end.certificate.dual);
      bounds.gap = between(t, at.t, at.certificate.gap, end.t, end.certificate.gap);
    } else {
      continue;
    }
    if (!best || bounds.gap < best->bounds.gap) best = Covering{&point, bounds};
  }
  for (std::size_t k = 1; k < path.points.size(); ++k) {
    const PathPoint &above = path.points[k - 1], &below = path.points[k];
    if (!(below.t() < t && t < above.t())) continue;
    const auto segment = Segment::of(path, above, below);
    if (!segment) break;
    const Segment::At at = segment->at(t);
    if (!best || at.bounds.gap < best->bounds.gap) best = Covering{at.above ? &above : &below, at.bounds};
  }
  return best;
}

}  // namespace seesaw
