// The best bounds of a run with their points, and their proof.
#pragma once

#include <optional>

#include "base/archive.h"
#include "model/certificate.h"

namespace seesaw {

// The lowest P and the highest D found, each with its point: any primal and any dual point make a certificate.
//
// Invariant after the first update(): bounds.primal = P(point.x, point.intercept), bounds.dual = D(point.y), and no other
// point was better; proof_, if present, is the rigorous certificate of exactly this pair.
class Incumbent {
 public:
  explicit Incumbent(const Problem& problem) : certifier_(problem) {}

  // Certifies the candidate in compensated arithmetic and keeps what is better.
  void update(Point& candidate);

  // The rigorous certificate of the pair, computed once per pair. proved_point is the pair as it is proved. A gap of at
  // most `enough` is not reduced further by arithmetic of twice the precision.
  const Certificate& prove(double enough);

  bool better_than(const Bounds& before) const;
  bool latest_is_as_good() const;
  void serialize(Archive& archive, std::size_t outputs);

  Bounds bounds;
  Certificate latest;  // of the last candidate
  Point point, proved_point;

 private:
  Certifier certifier_;
  DualPoint dual_point_ = DualPoint::as_given;  // of point.y
  std::optional<Certificate> proof_;
};

}  // namespace seesaw
