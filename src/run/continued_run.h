// Fits of one method along a path: the penalty of the problem changes from fit to fit, and the method continues with its
// state (solvers/follows_penalty.h). What the certificate computes of the data alone is kept as well, and only a rigorous
// certificate is computed, when the method's own gap is below the tolerance: by norms where these bounds suffice
// (model/rigorous/normwise_certificate.h).
#pragma once

#include <memory>

#include "base/function_ref.h"
#include "model/rigorous/normwise_certificate.h"
#include "run/gram_path.h"
#include "run/observer.h"
#include "run/stopping.h"
#include "solvers/follows_penalty.h"

namespace seesaw {

class ContinuedRun {
 public:
  // `problem` must outlive this, at its address; the first fit is of its penalty now. Null if the method cannot continue.
  static std::unique_ptr<ContinuedRun> make(const Problem& problem, const SolverSpec& spec, const Start& start = {});

  // The method that continues, where it is the one given or the one that `auto` selects for the problem: `ws` for l1
  // alone with a smooth loss, otherwise `newton` or `ssn`. Nothing if there is none.
  static std::optional<SolverSpec> spec_for(const Problem& problem, const SolverSpec& spec);

  // Solves the problem with its current penalty. `stalled`: the method's gap does not fall, or its certificate does not
  // confirm it; another method may do better. The trace is empty, `last` has the bounds and the passes of this fit.
  Outcome fit(const Criteria& criteria, const StopPredicate& should_stop);
  // From now on the y of outcomes may be empty: several are computed in one read of the data, where that saves time.
  // take_dual_points(): those of the outcomes since the last call whose y is empty, in their order.
  void defer_dual_points() { deferred_ = true; }
  std::vector<std::vector<double>> take_dual_points();
  // The same with a certificate of the caller, for the point and a gap below which precision is not needed. The last argument:
  // A x + b as multiply() computes it, or null.
  using Certify = FunctionRef<Certificate(Point&, double, const std::vector<double>*)>;
  Outcome fit(const Criteria& criteria, const StopPredicate& should_stop, const Certify& certify);
  // The same without a certificate, by the method's own gap, for fits that are compared and not kept. Tolerances near the
  // limit of floating-point accuracy are certified.
  Outcome fit_unproved(const Criteria& criteria, const StopPredicate& should_stop);

 private:
  ContinuedRun(const Problem& problem, const SolverSpec& spec, const Start& start)
      : problem_(problem), spec_(spec), start_(start), certifier_(problem) {}
  bool make_method();  // false: it cannot continue
  Certificate prove(Point& point, double enough);
  void begin();
  Outcome fit_by_method(const Criteria& criteria, Stopping& stopping, const Certify& certify);
  std::optional<Termination> take_epochs(const Criteria& criteria, double passes_before, Stopping& stopping);

  const Problem& problem_;
  SolverSpec spec_;
  Start start_;
  std::unique_ptr<Solver> solver_;     // made when first needed
  FollowsPenalty* follows_ = nullptr;  // of solver_
  bool by_gram_ = false;               // fits with a certificate: by gram_, as long as its bounds suffice
  std::unique_ptr<GramPath> gram_;     // made when first needed
  bool deferred_ = false;
  std::vector<std::vector<double>> dual_points_;  // of fits before gram_ did not suffice
  Certifier certifier_;
  std::optional<std::unique_ptr<NormwiseCertifier>> by_norms_;  // made when first needed; null where it does not apply
  bool begun_ = false;
};

}  // namespace seesaw
