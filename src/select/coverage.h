// What one point proves along a path. P(x, b; t) is linear in t and P*(t) is concave, so
//
//     P(x, b; t) - (1 + eps) P*(t) - delta        is convex in t
//
// whatever loss, intercept, penalty factors and bounds: where it is <= 0 at two values of t, it is <= 0 between them. Two
// rigorous certificates (docs/certificates.md), at the ends of an interval, therefore prove the whole interval. The dual
// points of the two ends may differ. One-versus-rest: of each class, so of the sum.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/function_ref.h"
#include "model/linear_model.h"
#include "model/rigorous/ridge_proof.h"
#include "select/gap_curve.h"

namespace seesaw {

// A certificate at t: of (x, b) and of the dual point scale_k y, one scale per class of one-versus-rest, otherwise one.
// The scale is 1 except for l1 alone, where t bounds |v|_inf, and where y = 0 is the better dual point.
struct CertificateAt {
  double t = 0;
  Certificate certificate = {};
  std::vector<ClassCertificate> classes = {};  // one-versus-rest
  std::vector<double> dual_scale = {1};
};

struct Coverage {
  CertificateAt lower, upper;  // at the ends: lower.t <= upper.t
  bool absolute = false;       // by the absolute tolerance
  Interval interval() const { return {lower.t, upper.t}; }
};

// gap <= relative D + absolute with a margin of 1e-15 of P for the rounding of coefficients such as lambda = 1/(C sum s).
bool proves(const Bounds& bounds, const Tolerance& tolerance);
bool proves(const CertificateAt& at, const Tolerance& tolerance);  // each class

// The tolerance of a path: gap <= relative D, or gap <= absolute.
struct PathTolerance {
  double relative = 1e-3, absolute = 0;
};

// A point with its products and the bounds that follow from them.
struct ProvedPoint {
  PointProducts products;
  RidgeProof proof;
};

// A problem along a line.
class PathProblem {
 public:
  PathProblem(const Problem& base, const PathLine& line);

  const Problem& base() const { return base_; }
  const PathLine& line() const { return line_; }
  Problem at(double t) const;

  // Certifies the point at t. Its y may change, to be in the dual domain. `proved`: set where plain products suffice for
  // a gap of at most `enough`, otherwise empty. z: A x + b as multiply() computes it, where it is known.
  CertificateAt certify(Point& point, double t, double enough = 0, std::optional<ProvedPoint>* proved = nullptr,
                        const std::vector<double>* z = nullptr);

  // The interval around t, within `range`, that the point covers, proved; nothing if it does not cover t. `at`: its
  // certificate at t, after which y is in the dual domain. Further certificates of the point that certify() has seen
  // last do not read the rows.
  std::optional<Coverage> cover(const Point& point, const CertificateAt& at, const PathTolerance& tolerance,
                                const Interval& range, const ProvedPoint* proved = nullptr);
  // A convex combination of two points and of their products, without another product. Nothing where the bounds of
  // ridge_proof.h do not suffice.
  std::optional<CertificateAt> certify_combination(Point& point, double t, const ProvedPoint& a, const ProvedPoint& b,
                                                   ProvedPoint& combined);

  // The interval by plain sums, for a point with these products. Not for one-versus-rest.
  std::optional<Interval> promised(const Point& point, PointProducts products, double t, const PathTolerance& tolerance,
                                   const Interval& range) const;

 private:
  std::vector<Point> split(const Point& point) const;
  // As `point` is, with y scaled into the dual domain at t; nothing if that fails.
  std::optional<CertificateAt> certify_parts(const std::vector<Point>& points, const std::vector<GapCurve>& curves,
                                             double t, double enough);
  using Certify = FunctionRef<std::optional<CertificateAt>(double t, double enough)>;
  static std::optional<CertificateAt> prove_end(const GapCurve& curve, double t, double end, bool last,
                                                const Tolerance& tolerance, const Certify& certify);
  std::optional<CertificateAt> certify_proved(const RidgeProof& proof, double t);
  std::optional<Coverage> prove(const std::vector<GapCurve>& curves, const CertificateAt& at,
                                const PathTolerance& tolerance, const Interval& range, const Certify& certify);

  // P and D at t, which are known, and at 2t determine the sums of the penalty (t/2)|x|^2. Nothing where the certificate changes y.
  std::optional<RidgeSums> ridge_sums(std::size_t part, const Point& point, double t, const Bounds& at);
  Certifier& certifier_at(std::size_t part, double t);

  Problem base_;
  PathLine line_;
  std::vector<Problem> parts_;                          // one-versus-rest: of each class; otherwise the problem itself
  std::vector<std::unique_ptr<Certifier>> certifiers_;  // of the parts: they keep what they know of the data
  std::unique_ptr<RidgeProver> prover_;                 // null where it does not apply
};

}  // namespace seesaw
