#include "run/criteria.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/elementary.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr double divergence_factor = 1e6;  // of the first P

// A run has stalled if neither P nor D moved during the last (1 - 1/factor) of its passes: floating-point accuracy limits
// it. Methods whose latest point is still away from the best one get more time.
struct StallRule {
  double least_passes, factor;
};
constexpr StallRule stationary_stall{100, 2}, moving_stall{1000, 10};

constexpr double usual_share = 0.05, usual_least = 3;  // passes between checks: a share of those done, at least 3
constexpr double trusted_share = 0.25;                 // the same with a trusted forecast
constexpr double agreement = 2;                        // factor between two forecasts that are trusted
constexpr double forecast_error = 0.3;                 // of a trusted forecast
constexpr double cautious_share = 0.5;                 // of a forecast that is not trusted
constexpr double passes_per_decade = 0.6;              // no method gains a decade in less
constexpr double routine_share = 0.5, routine_least = 25;

double limited(const Criteria& criteria, double passes, double spacing) {
  return std::min(passes + spacing, std::max(criteria.max_passes, passes));
}

}  // namespace

std::string_view name_of(Termination termination) {
  static constexpr std::array<std::string_view, 7> names = {"converged", "pass-limit", "time-limit",    "interrupted",
                                                            "stalled",   "diverged",   "labels-settled"};
  return names[static_cast<std::size_t>(termination)];
}

void validate(const Criteria& criteria) {
  const auto not_negative = [](const char* option, double value) {
    if (!(value >= 0))
      throw InvalidOption(option, fmt::format("{}", value), "it must be a number that is not negative");
  };
  not_negative("gap", criteria.gap);
  not_negative("gap_abs", criteria.gap_abs);
  not_negative("max_passes", criteria.max_passes);
  not_negative("seconds", criteria.seconds);
  not_negative("check_every", criteria.check_every);
}

bool progressed(const Bounds& before, const Bounds& now) {
  return now.primal < before.primal - no_progress * std::abs(before.primal) ||
         now.dual > before.dual + no_progress * std::abs(before.dual);
}

bool as_good_to_nine_digits(const Bounds& best, double primal, double dual) {
  const double nearly = 1e-9 * std::abs(best.primal);
  return primal <= best.primal + nearly && dual >= best.dual - nearly;
}

double next_proof_after(double passes) { return 1.1 * passes + 1; }

std::optional<Termination> decide(const Criteria& criteria, const StopState& state) {
  const bool finite = std::isfinite(state.primal) && std::isfinite(state.gap);
  if (finite && criteria.gap > 0 && state.gap <= criteria.gap * state.primal) return Termination::converged;
  if (finite && criteria.gap_abs > 0 && state.gap <= criteria.gap_abs) return Termination::converged;
  if (!std::isfinite(state.latest_primal) ||
      state.latest_primal > divergence_factor * std::max(state.first_primal, 1e-300))
    return Termination::diverged;
  if (state.interrupted) return Termination::interrupted;
  if (state.passes >= criteria.max_passes) return Termination::pass_limit;
  if (state.seconds >= criteria.seconds) return Termination::time_limit;
  const StallRule& stall = state.stationary ? stationary_stall : moving_stall;
  if (state.passes >= stall.least_passes && state.passes >= stall.factor * state.passes_of_progress)
    return Termination::stalled;
  return std::nullopt;
}

double predicted_passes(const Observed& previous, const Observed& now, double target_gap) {
  const double fallen = log_of(previous.gap / now.gap);
  if (!(fallen > 0) || !std::isfinite(fallen)) return infinity;
  return std::max(0.0, log_of(now.gap / target_gap)) * (now.passes - previous.passes) / fallen;
}

Forecast Forecaster::update(const Observed& now, double target_gap) {
  Forecast forecast;
  forecast.passes = predicted_passes(last_, now, target_gap);
  if (end_ > now.passes) forecast.previous = end_ - now.passes;
  if (now.gap > target_gap && target_gap > 0 && std::isfinite(now.gap))
    forecast.decades = log10_of(now.gap / target_gap);
  last_ = now;
  end_ = now.passes + forecast.passes;
  return forecast;
}

double next_check(const Criteria& criteria, double passes, const Forecast& forecast) {
  if (criteria.check_every > 0) return limited(criteria, passes, criteria.check_every);
  const double usual = passes == 0 ? 1 : std::max(usual_least, usual_share * passes);  // 1: a warm start may be optimal
  const double shorter = std::min(forecast.passes, forecast.previous);
  const double longer = std::max(forecast.passes, forecast.previous);
  double spacing = std::min(cautious_share * forecast.passes, usual);
  if (longer <= agreement * shorter && std::isfinite(longer)) {
    const bool cheap_error = forecast_error * shorter <= std::max(1.0, usual_share * (passes + shorter));
    spacing = std::min(cheap_error ? shorter : (1 - forecast_error) * shorter, std::max(usual, trusted_share * passes));
  }
  return limited(criteria, passes, std::max({spacing, passes_per_decade * forecast.decades, 1.0}));
}

double next_routine_check(const Criteria& criteria, double passes) {
  return limited(criteria, passes,
                 criteria.check_every > 0 ? criteria.check_every : std::max(routine_least, routine_share * passes));
}

}  // namespace seesaw
