// The best bounds of a run with their points, and their proof.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/archive.h"
#include "model/certificate.h"
#include "model/optimum_bounds.h"
#include "model/rigorous/point_proof.h"
#include "model/rigorous/rigorous_certificate.h"

namespace seesaw {

// Whether the certificate needs nothing but x and y: no intercept that is optimal for x, no y that A^T C y = 0 restricts.
bool proved_as_given(const Problem& problem);

// The lowest P and the highest D found, each with its point: any primal and any dual point make a certificate.
//
// Invariant after the first update(): bounds.primal = P(point.x, point.intercept), bounds.dual = D(point.y), and no other
// point was better (y = 0 at first, without n numbers until they are needed); proof_, if present, is the rigorous
// certificate of exactly this pair.
class Incumbent {
 public:
  explicit Incumbent(const Problem& problem) : problem_(problem), certifier_(problem) {}

  // x = 0 and y = 0 as the first pair: P(0) is `primal`, and D = 0 since no loss is negative. One score per row.
  void begin_at_zero(double primal, Point& candidate);
  // Certifies the candidate in compensated arithmetic and keeps what is better.
  void update(Point& candidate);

  // The rigorous certificate of the pair, computed once per pair. proved_point is the pair as it is proved. A gap of at
  // most `enough` is not reduced further by arithmetic of twice the precision.
  const Certificate& prove(double enough);
  // The same for a candidate without a plain certificate before; `enough` is well_below target(P). If its gap is at most
  // target(P), and neither bound is worse than those so far, it becomes the proved pair. Otherwise false, and nothing
  // changes. y is moved out of the candidate in both cases. `own`: the proof of the method, used if its gap is at most `enough`.
  bool prove_candidate(Point& candidate, std::optional<PointProof> own, const std::function<double(double)>& target);

  // What that certificate proves about the signs of x* (model/rigorous/proved_signs.h).
  std::string signs() const;
  // Where the optimum is, by the certificate of prove(); nothing where that confines it to no region.
  std::optional<OptimumBounds> region();

  void serialize(Archive& archive, std::size_t outputs);

  Bounds bounds;
  Certificate latest;  // of the last candidate
  Point point, proved_point;

 private:
  void complete_point();

  const Problem& problem_;
  Certifier certifier_;
  std::unique_ptr<RigorousCertifier> rigorous_;  // made when first needed
  DualPoint dual_point_ = DualPoint::as_given;   // of point.y
  std::optional<Certificate> proof_;             // of proved_point
  bool has_products_ = false;                    // those of rigorous_ are of proved_point
  std::optional<PointProof> own_proof_;          // proof_, where it is that of the method
};

}  // namespace seesaw
