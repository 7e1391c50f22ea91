// When a run ends and when it is checked. decide() and next_check() are pure functions of numbers, without a clock.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "model/certificate.h"
#include "run/point_rule.h"
#include "seesaw/types.h"

namespace seesaw {

struct Criteria {
  double gap = 1e-4;   // relative tolerance: gap <= it * P; 0: off
  double gap_abs = 0;  // absolute tolerance: gap <= it; 0: off
  double max_passes = 10000;
  double seconds = infinity;                    // of solving and checking
  double check_every = 0;                       // passes between checks; 0: chosen by next_check()
  std::shared_ptr<const PointRule> until = {};  // ends the run as labels_settled; empty: none
  bool region = false;                          // prove where the optimum is as well (Outcome::optimum)
  bool signs = false;                           // and signs of its weights (Outcome::proved_signs)

  // The tolerances given by the user: gap_abs alone switches gap off.
  void choose_gaps(std::optional<double> gap_given, std::optional<double> gap_abs_given) {
    if (gap_given) gap = *gap_given;
    else if (gap_abs_given && *gap_abs_given > 0) gap = 0;
    if (gap_abs_given) gap_abs = *gap_abs_given;
  }
  // The limits given by the user: a time limit alone removes the limit of passes.
  void choose_limits(std::optional<double> passes_given, std::optional<double> seconds_given) {
    if (passes_given) max_passes = *passes_given;
    else if (seconds_given) max_passes = infinity;
    if (seconds_given) seconds = *seconds_given;
  }
  // The absolute gap at which a run with this P converges.
  double target_gap(double primal) const { return std::max(gap * primal, gap_abs); }
};

void validate(const Criteria& criteria);  // throws InvalidOption

// Of the loops of runs (run.cpp) and of problems with groups (fit_groups.cpp).
inline constexpr double well_below = 1e-3;    // of the tolerance: a gap for which more precision is not worth its time
inline constexpr double no_progress = 1e-13;  // relative changes of P and D that rounding can explain
bool progressed(const Bounds& before, const Bounds& now);  // P decreased or D increased by more than that
bool as_good_to_nine_digits(const Bounds& best, double primal, double dual);
double next_proof_after(double passes);  // a proof that missed its target is not repeated before that pass

// The state of a run after a check. The bounds are the best so far.
struct StopState : Bounds {
  double passes = 0;
  double seconds = 0;
  double first_primal = infinity;   // P at the start, or at x = 0 if that is higher
  double latest_primal = infinity;  // P of this check
  double passes_of_progress = 0;    // passes when P last decreased or D last increased by more than rounding
  bool stationary = false;          // every check since then agrees with the best bounds to nine digits
  bool interrupted = false;
};

// The reason to end the run, or nothing.
std::optional<Termination> decide(const Criteria& criteria, const StopState& state);

struct Observed {
  double passes, gap;
};
// Passes still needed if the gap continues to fall at the rate between two checks; infinity if it does not fall.
double predicted_passes(const Observed& previous, const Observed& now, double target_gap);

// Predictions of the passes still needed. Methods that adapt at checks, such as those that smooth a nonsmooth loss, are
// scheduled by the first number alone, so that their checks stay close together.
struct Forecast {
  double passes = infinity;  // by the rate between the last two checks
  double previous =
      infinity;        // by the forecast of the check before, minus the passes since; infinity if those are over
  double decades = 0;  // log10(gap / target)
};
class Forecaster {
 public:
  Forecast update(const Observed& now, double target_gap);  // after each check
  template <class SomeArchive>
  void serialize(SomeArchive& archive) {
    archive.numbers("forecast", last_.passes, last_.gap, end_);
  }

 private:
  Observed last_{0, infinity};
  double end_ = infinity;  // the pass at which the last forecast would end the run
};

// The pass at which to check next. A check costs about as much as a pass.
// - Two forecasts that agree within a factor of 2: 70 % of the shorter one, or all of it if an error of 30 % costs at
//   most one pass or 5 % of the total; at most a quarter of the passes done.
// - Otherwise at most 5 % of the passes done (at least 3), and half of the forecast if that is sooner.
// - A pass rarely gains more than a decade: no check before 0.6 passes per missing decade, nor before one pass.
double next_check(const Criteria& criteria, double passes, const Forecast& forecast);
// For methods that estimate their own gap and are checked when the estimate reaches the target: the pass at which they
// are checked in any case.
double next_routine_check(const Criteria& criteria, double passes);

}  // namespace seesaw
