// A path: models such that every t of a range is covered by one of them (coverage.h), or models at the values of a grid.
// Fits run from the strongest penalty down, each from the x and y of the nearest one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "select/coverage.h"
#include "select/path_request.h"

namespace seesaw {

struct PathPoint {
  Point point;
  CertificateAt certificate;         // at the t of the fit
  std::optional<Coverage> coverage;  // nothing if the gap at t is above the accuracy, and for a grid
  bool combined = false;             // a combination of its neighbours, not a fit
  std::string status = "converged";  // of the fit
  double passes = 0, seconds = 0;
  double t() const { return certificate.t; }
};

// The parts of the range that are in no point's coverage, t descending.
std::vector<Interval> uncovered(const std::vector<PathPoint>& points, const Interval& range);

struct Path {
  LinearModel frame;  // what all points have in common: objective, labels, transform, data. Weights are 0
  PathLine line;
  Interval range{0, 0};  // of t
  PathTolerance tolerance;
  double total_weight = 0;        // sum s: C = 1/(t sum s)
  bool by_C = false;              // the range was given as C
  std::size_t grid = 0;           // values of a grid; 0: the range is to be covered
  std::vector<PathPoint> points;  // t descending

  std::size_t fits() const;
  bool complete() const;  // every fit converged, and all of the range is covered or all values of the grid are there
};

// The absolute tolerance of a path, as a part of P(0).
inline constexpr double absolute_part = 1e-12;

// The parts of the range where no model is proved to be within the tolerance: by coverage or, for a grid, by the
// certificates of neighbours (segment.h).
std::vector<Interval> uncovered(const Path& path);
std::vector<Interval> uncovered(const Path& path, const PathTolerance& tolerance);  // the tolerance of a grid

// The model of a point, with the certificate `of`: that of the point itself or of an end of what it covers.
LinearModel model_of(const Path& path, const PathPoint& point, const CertificateAt& of);

// The point with the smallest bound at t, and the bounds it has there: between two certificates of it both P of the point
// and P* are bounded by the lines through their numbers, and between two points as segment.h says. Nothing outside of the
// points and of what they cover.
struct Covering {
  const PathPoint* point;
  Bounds bounds;
};
std::optional<Covering> covering(const Path& path, double t);

// t = 1 / (C sum of weights). A point, or an end of the range, that differs from it by rounding only is taken for it: the
// C that is shown for a point leads back to the point.
double t_of_C(const Path& path, double C);

class PathObserver {
 public:
  virtual ~PathObserver() = default;
  virtual void begin(const ResolvedPath&, const Transform&) {}
  virtual void fitting(double, std::size_t) {}  // t, the number of the fit
  virtual void added(const Path&, const PathPoint&) {}
};

struct PathRun {
  Path path;
  Termination termination = Termination::converged;  // interrupted, time_limit, or why a fit did not converge
};

// criteria.seconds limits the whole path, max_passes each fit.
PathRun fit_path(const Dataset& data, const PathRequest& request, PathObserver* observer = nullptr,
                 const Observers& observers = {}, const StopPredicate& should_stop = {});

}  // namespace seesaw
