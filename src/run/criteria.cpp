#include "run/criteria.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/elementary.h"
#include "seesaw/error.h"

namespace seesaw {

std::string_view name_of(Termination termination) {
  static constexpr std::array<std::string_view, 6> names = {"converged",   "pass-limit", "time-limit",
                                                            "interrupted", "stalled",    "diverged"};
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

std::optional<Termination> decide(const Criteria& criteria, const StopState& now) {
  const bool proved = std::isfinite(now.primal) && std::isfinite(now.gap);
  if (proved && criteria.gap > 0 && now.gap <= criteria.gap * now.primal) return Termination::converged;
  if (proved && criteria.gap_abs > 0 && now.gap <= criteria.gap_abs) return Termination::converged;
  if (!std::isfinite(now.latest_primal) || now.latest_primal > 1e6 * std::max(now.first_primal, 1e-300))
    return Termination::diverged;
  if (now.interrupted) return Termination::interrupted;
  if (now.passes >= criteria.max_passes) return Termination::pass_limit;
  if (now.seconds >= criteria.seconds) return Termination::time_limit;
  // Twice the work and neither P nor D moved: rounding has the last word. Methods that are on their way, but not on a
  // straight one, get more time.
  if (now.passes >= (now.rests ? 100 : 1000) && now.passes >= (now.rests ? 2 : 10) * now.passes_of_progress)
    return Termination::stalled;
  return std::nullopt;
}

double predicted_passes(const Observed& before, const Observed& now, double target_gap) {
  const double fallen = log_of(before.gap / now.gap);
  if (!(fallen > 0) || !std::isfinite(fallen)) return infinity;
  return std::max(0.0, log_of(now.gap / target_gap)) * (now.passes - before.passes) / fallen;
}

Forecast Forecaster::after(const Observed& now, double target_gap) {
  Forecast forecast;
  forecast.passes = predicted_passes(last_, now, target_gap);
  if (end_ > now.passes) forecast.before = end_ - now.passes;
  if (now.gap > target_gap && target_gap > 0 && std::isfinite(now.gap))
    forecast.decades = log10_of(now.gap / target_gap);
  last_ = now;
  end_ = now.passes + forecast.passes;
  return forecast;
}

double next_check(const Criteria& criteria, double passes, const Forecast& forecast) {
  const auto [remaining, before, decades] = forecast;
  double spacing = criteria.check_every;
  if (spacing == 0) {
    const double usual = passes == 0 ? 1 : std::max(3.0, 0.05 * passes);  // a warm start may be there at once
    const double sooner = std::min(remaining, before), later = std::max(remaining, before);
    if (later <= 2 * sooner && std::isfinite(later)) {
      const bool harmless = 0.3 * sooner <= std::max(1.0, 0.05 * (passes + sooner));
      spacing = std::min(harmless ? sooner : 0.7 * sooner, std::max(usual, 0.25 * passes));
    } else {
      spacing = std::min(0.5 * remaining, usual);
    }
    spacing = std::max({spacing, 0.6 * decades, 1.0});
  }
  return std::min(passes + spacing, std::max(criteria.max_passes, passes));
}

double next_look(const Criteria& criteria, double passes) {
  const double spacing = criteria.check_every > 0 ? criteria.check_every : std::max(25.0, 0.5 * passes);
  return std::min(passes + spacing, std::max(criteria.max_passes, passes));
}

}  // namespace seesaw
