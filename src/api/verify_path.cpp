#include "api/verify_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "select/path_words.h"
#include "verify/at_zero.h"
#include "verify/verify.h"

namespace seesaw {
namespace {

constexpr double rounding = 1e-9;  // of the sums over the rows that training computes without bounds

// gap <= accuracy D, or gap <= absolute: with a margin for the rounding of coefficients between the ends.
bool within(const Bounds& bounds, const Path& path, bool absolute) {
  const double allowed = absolute ? path.tolerance.absolute : path.tolerance.relative * std::max(bounds.dual, 0.0);
  return bounds.gap + 1e-15 * bounds.primal <= allowed * (1 - 1e-15);
}

class PathCheck {
 public:
  PathCheck(const Dataset& data, const Path& path) : data_(data), path_(path), hash_(content_hash(data)) {}

  PathVerification result() {
    for (const PathPoint& point : path_.points) {
      certificate(point, point.certificate, "");
      if (point.coverage) covered(point, *point.coverage);
    }
    if (found_.problems.empty()) frame();
    found_.uncovered = uncovered(path_);
    if (path_.grid == 0)
      for (const Interval& hole : found_.uncovered)
        found_.problems.push_back(fmt::format("No model covers {} in {}.", shown_parameter(path_), shown(path_, hole)));
    return std::move(found_);
  }

 private:
  Verification certificate(const PathPoint& point, const CertificateAt& at, const char* where) {
    Verification own = verify(data_, model_of(path_, point, at), hash_);
    ++found_.certificates;
    for (const std::string& problem : own.problems)
      found_.problems.push_back(fmt::format("The model of {}{}: {}", shown(path_, point.t()), where, problem));
    if (&at == &point.certificate && own.gap / own.primal >= found_.largest_gap) {
      found_.largest_gap = own.gap / own.primal;
      found_.of_largest = {own.primal, own.dual, own.gap};
    }
    return own;
  }

  // What the sentence about all of the range uses beside the certificates: the parameter is the coefficient itself, or by
  // the sum of the weights C, and the absolute tolerance is negligible.
  void frame() {
    const PathLine& line = path_.line;
    const bool lambda = line.lambda == 0 && line.lambda_per == 1;
    const bool l1 = line.lambda_per == 0 && line.l1 == 0 && line.l1_per == 1;
    if (!lambda && !l1) found_.problems.push_back("The parameter of the path is neither its lambda nor its l1.");
    if (path_.points.empty()) return;
    const AtZero own = recompute_at_zero(data_, model_of(path_, path_.points[0], path_.points[0].certificate));
    if (!(std::abs(path_.total_weight - own.total_weight) <= rounding * own.total_weight))
      found_.problems.push_back(fmt::format("The path claims that the weights of the rows sum to {}; they sum to {}.",
                                            path_.total_weight, own.total_weight));
    const double largest = absolute_part * own.loss * (1 + rounding);
    if (!(path_.tolerance.absolute >= 0 && path_.tolerance.absolute <= largest))
      found_.problems.push_back(
          fmt::format("The path claims an absolute tolerance of {:.3g}; the largest one is {:.3g}, which is {:g} P(0).",
                      path_.tolerance.absolute, largest, absolute_part));
  }

  void covered(const PathPoint& point, const Coverage& coverage) {
    if (!(coverage.lower.t <= coverage.upper.t))
      found_.problems.push_back(
          fmt::format("The interval of the model of {} is not an interval.", shown(path_, point.t())));
    for (const CertificateAt* end : {&coverage.lower, &coverage.upper}) {
      const std::string where = fmt::format(", where its interval ends ({})", shown(path_, end->t));
      const Verification own = certificate(point, *end, where.c_str());
      if (!own.holds) continue;
      const bool holds = own.classes.empty()
                             ? within({own.primal, own.dual, own.gap}, path_, coverage.absolute)
                             : std::all_of(own.classes.begin(), own.classes.end(), [&](const ClassCertificate& one) {
                                 return within(one, path_, coverage.absolute);
                               });
      if (!holds)
        found_.problems.push_back(fmt::format("The model of {}{}: its gap of {:.3g} is above the accuracy of the path.",
                                              shown(path_, point.t()), where, own.gap));
    }
  }

  const Dataset& data_;
  const Path& path_;
  const std::uint64_t hash_;
  PathVerification found_;
};

}  // namespace

PathVerification verify_path(const Dataset& data, const Path& path) { return PathCheck(data, path).result(); }

}  // namespace seesaw
