// The proof of every fit: P from above, D from below, computed from the data alone. Two kinds of certificates:
// certify() uses compensated sums, for the stopping rule; certify_rigorously() includes every rounding error
// (docs/certificates.md): it is printed, stored, and decides the status converged.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "model/bounds.h"
#include "model/problem.h"

namespace seesaw {

// How the dual point was made feasible.
// `curvature`: y is not used, D is P less a bound from the curvature of loss and data.
enum class DualPoint { as_given, balanced, scaled, projected, zero, curvature };
std::string_view name_of(DualPoint point);

struct Certificate : Bounds {
  std::optional<double> distance_bound = {};  // |x - x*| <= it, where g is strongly convex
  DualPoint dual_point = DualPoint::as_given;
  bool guaranteed = true;  // false: no lower bound of the optimum can be guaranteed; `dual` is that of plain sums
};

// Adds the certificate of one more part of a separable problem: P and gap rounded up, D down. The distance is left out.
void add_rigorously(Certificate& sum, const Certificate& part);

// sqrt(2 gap / lambda), rounded up; nothing where lambda = 0.
std::optional<double> distance_bound(double gap, double lambda);

// A primal and a dual point. With K outputs (classes that each have a score), x has K numbers per feature, y has
// K per row: x[j K + k], y[i K + k].
struct Point {
  std::vector<double> x;
  std::vector<double> intercept = {0.0};  // one per output
  std::vector<double> y;
};

class BlockCertifier;
class RigorousCertifier;

// Computes certificates of one problem; keeps its scratch memory between them. Costs about one product by A and one by
// A^T, in parallel, with the same bits for any number of threads.
class Certifier {
 public:
  explicit Certifier(const Problem& problem);
  ~Certifier();

  // Makes the point's intercept the best for its x (K of them: good ones), and its y feasible, then evaluates both.
  // `accuracy`: P may be this much above its minimum over the intercept (a free intercept costs a few O(n) loops more
  // the smaller it is); any value keeps the certificate valid.
  Certificate certify(Point& point, double accuracy = 0);

  // The guaranteed certificate of a point: primal >= P(x, intercept) and dual <= the optimum of the problem, whatever
  // rounding did; gap >= primal - dual >= 0. x and intercept stay as they are. y is taken as it is where it is in the
  // dual domain, otherwise clipped or scaled into it; y = 0 where that gives a higher bound. A point that certify() has
  // seen (balanced for a free intercept, scaled for l1) hardly changes. Costs about a plain certificate, and three to
  // ten times that where the errors of double arithmetic are above 4.5e-7 of the gap, which is then computed in twice the
  // precision, unless it is at most `enough` already.
  Certificate certify_rigorously(Point& point, double enough = 0);

 private:
  void make_dual_feasible(Point& point, Certificate& certificate);
  void balance(std::vector<double>& y, Certificate& certificate);
  void dual_image(const std::vector<double>& y);  // v = -A^T C y

  const Problem& problem_;
  std::unique_ptr<BlockCertifier> block_;        // of block losses; the rest is for scalar losses
  std::unique_ptr<RigorousCertifier> rigorous_;  // made when first needed
  std::vector<double> z_;                        // A x
  std::vector<double> v_;                        // -A^T C y
  std::vector<double> cy_;                       // c_i y_i
  double dual_allowance_ = 0;                    // for rounding in the constraints on y; subtracted from D
};

}  // namespace seesaw
