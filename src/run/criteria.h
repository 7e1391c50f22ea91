// When a run is over. decide() is a pure function of numbers: it has its own tests and no clock.
#pragma once

#include <optional>
#include <string_view>

#include "model/certificate.h"
#include "seesaw/types.h"

namespace seesaw {

struct Criteria {
  double gap = 1e-4;   // gap <= it * P; 0 is off
  double gap_abs = 0;  // gap <= it; 0 is off
  double max_passes = 10000;
  double seconds = infinity;  // of solving and checking
  double check_every = 0;     // passes; 0: spaced by the 5 % rule

  // What a user gave: gap_abs alone switches gap off.
  void choose_gaps(std::optional<double> gap_given, std::optional<double> gap_abs_given) {
    if (gap_given) gap = *gap_given;
    else if (gap_abs_given && *gap_abs_given > 0) gap = 0;
    if (gap_abs_given) gap_abs = *gap_abs_given;
  }
  // Time alone switches the limit of passes off.
  void choose_limits(std::optional<double> passes_given, std::optional<double> seconds_given) {
    if (passes_given) max_passes = *passes_given;
    else if (seconds_given) max_passes = infinity;
    if (seconds_given) seconds = *seconds_given;
  }
};

void validate(const Criteria& criteria);  // throws InvalidOption

// What is known when a check has been made.
struct StopState {
  double passes = 0;
  double seconds = 0;
  double primal = infinity;         // best so far
  double gap = infinity;            // best so far
  double first_primal = infinity;   // at the start, or at 0 if that is higher
  double latest_primal = infinity;  // of this check
  double passes_of_progress = 0;    // when P last came down or D last went up, by more than rounding
  bool rests = false;               // since then every check was as good as the best, to nine digits
  bool interrupted = false;
};

std::optional<Termination> decide(const Criteria& criteria, const StopState& standing);

// Passes still needed if the gap goes on falling as it did between two checks; infinity where it does not fall.
struct Observed {
  double passes, gap;
};
double predicted_passes(const Observed& before, const Observed& now, double target_gap);

// What the checks so far say of the passes that are still needed. A method that learns from checks, as those that
// smooth a nonsmooth loss do, is given only the first number: its checks are never far apart.
struct Forecast {
  double passes = infinity;  // by the rate between the last two checks
  double before = infinity;  // by the check before, less what was done since; infinity where that time is over
  double decades = 0;        // by which the gap must fall
};
// From one check to the next.
class Forecaster {
 public:
  Forecast after(const Observed& now, double target_gap);

 private:
  Observed last_{0, infinity};
  double end_ = infinity;  // the pass at which the run would be over
};

// The pass at which to check next. A check costs about as much as a pass.
// - Two forecasts that agree (within a factor of 2) are trusted: 70 % of the shorter one, or all of it where a mistake
//   of 30 % is at most one pass or 5 % of them; never more than a quarter of the passes done.
// - Otherwise at most 5 % of the passes done (3 in the beginning), and sooner where the end may be near.
// - A pass seldom gains more than a decade: no check before 0.6 passes for each that is missing, nor before one pass.
double next_check(const Criteria& criteria, double passes, const Forecast& forecast);
// The same for a method that knows its own gap and is checked when that is small enough: only to have a look.
double next_look(const Criteria& criteria, double passes);

}  // namespace seesaw
