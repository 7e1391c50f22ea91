#include "study/claim_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "study/milestones.h"
#include "study/printed.h"

namespace seesaw {
namespace {

constexpr std::size_t least_points = 5;      // of a straight line
constexpr double least_straightness = 0.95;  // r^2 of linear convergence, unless the claim gives another
constexpr double noise_of_times = 1.1;       // a factor between times that repeated runs of one method differ by

void append(std::string& text, const std::string& more, const char* between) {
  if (more.empty()) return;
  text += (text.empty() ? "" : between) + more;
}

// mine <= factor * other; nothing if a run ended too early to decide it, or if `noise` or the quartiles of times allow both.
std::optional<bool> at_most(const Figure& mine, double factor, const Figure& other, double noise) {
  if (noise > 1 && std::isfinite(mine.high) && std::isfinite(other.high)) {
    if (noise * mine.high <= factor * other.low) return true;
    if (mine.low >= noise * factor * other.high) return false;
    return std::nullopt;
  }
  const bool known = std::isfinite(mine.value), other_known = std::isfinite(other.value);
  if (known && other_known) return mine.value <= factor * other.value;
  if (known && mine.value <= factor * other.above) return true;
  if (other_known && mine.above >= factor * other.value) return false;
  return std::nullopt;
}

std::optional<bool> agrees(const Claim& claim, const Figure& mine, const Figure& other) {
  std::optional<bool> low = true, high = true;
  const double noise = measures_time(claim.measure) ? noise_of_times : 1;
  if (claim.at_most) high = at_most(mine, *claim.at_most, other, noise);
  if (claim.at_least) low = at_most(other, 1 / *claim.at_least, mine, noise);
  if ((low && !*low) || (high && !*high)) return false;
  return low && high ? std::optional(true) : std::nullopt;
}

// The measure of each method against that of each of claim.against, or against 1 if there are none.
PanelResult compare(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelResult result{panel, {}};
  const Optimum optimum = evidence.optimum(panel);
  const bool optimum_known = !needs_optimum(claim.measure) || !claim.measure.to ||
                             *claim.measure.to * (claim.measure.relative ? optimum.value : 1) >= optimum.uncertain;
  std::vector<std::string> shown, words;  // labels, and the number of each in words
  const auto figure = [&](const std::string& label) {
    const MethodRuns* runs = evidence.find(panel, label);
    const Figure found = runs == nullptr ? Figure{NAN} : measured(claim.measure, *runs, optimum);
    if (runs != nullptr && std::find(shown.begin(), shown.end(), label) == shown.end()) {
      shown.push_back(label);
      words.push_back(runs->refused.empty() ? in_words(claim.measure, found) : "not run: " + runs->refused);
    }
    return found;
  };
  for (const std::string& method : claim.methods) {
    const Figure mine = figure(method);
    const auto test = [&](const std::string& where, const Figure& other) {
      if (std::isnan(mine.value) || std::isnan(other.value)) return;
      std::optional<bool> holds = optimum_known ? agrees(claim, mine, other) : std::nullopt;
      // A height at the resolution may be lower than shown: it can show that a claim holds, not that it fails.
      const bool may_hold = (!claim.at_most || mine.at_resolution) && (!claim.at_least || other.at_resolution);
      if (holds == false && may_hold) holds.reset();
      const bool within_spread =
          !holds && measures_time(claim.measure) && std::isfinite(mine.value) && std::isfinite(other.value);
      result.include_ratio(mine.value / other.value / claim.at_most.value_or(claim.at_least.value_or(1)));
      result.comparisons.push_back({where, holds.has_value(), holds.value_or(false), within_spread});
    };
    if (claim.against.empty()) test(fmt::format("{}, {}", panel, method), {1});
    for (const std::string& other : claim.against)
      test(fmt::format("{}, {} against {}", panel, method, other), figure(other));
  }
  const bool all_the_same =
      words.size() > 1 && words.front().starts_with("not ") &&
      std::count(words.begin(), words.end(), words.front()) == static_cast<std::ptrdiff_t>(words.size());
  if (all_the_same) result.figures = "all " + words.front();
  for (std::size_t k = 0; k < words.size() && !all_the_same; ++k)
    append(result.figures, shown[k] + " " + words[k], ", ");
  if (!optimum_known) append(result.figures, fmt::format("P* is known only to {:.0e}", optimum.uncertain), "; ");
  return result;
}

// The largest height at the end of a run of these methods that did not diverge.
double highest_end(const Measure& end, const MethodRuns& a, const MethodRuns& b, const Optimum& optimum) {
  double highest = 0;
  for (const MethodRuns* method : {&a, &b})
    for (const RunRecord& run : method->runs) {
      const double height = measured(end, run, method->criteria, optimum).value;
      if (std::isfinite(height)) highest = std::max(highest, height);
    }
  return highest;
}

// For each pair of methods, the passes to the height at which the later of the two ends: who is faster in the figure, without
// a threshold of ours.
PanelResult compare_to_end(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelResult result{panel, {}};
  const Optimum optimum = evidence.optimum(panel);
  Measure end{.name = claim.measure.of, .of = "", .to = {}, .after = infinity};
  end.relative = claim.measure.relative;
  std::vector<std::string> shown;
  std::string ratios;
  const auto show = [&](const std::string& label, const MethodRuns& runs) {
    if (std::find(shown.begin(), shown.end(), label) != shown.end()) return;
    shown.push_back(label);
    const std::string height =
        runs.refused.empty() ? number_in_words(end, measured(end, runs, optimum).value) : "not run: " + runs.refused;
    append(result.figures, label + " " + height, ", ");
  };
  for (const std::string& method : claim.methods) {
    const MethodRuns* mine = evidence.find(panel, method);
    if (mine == nullptr) continue;
    show(method, *mine);
    for (const std::string& other : claim.against) {
      const MethodRuns* theirs = evidence.find(panel, other);
      if (theirs == nullptr) continue;
      show(other, *theirs);
      if (mine->runs.empty() || theirs->runs.empty()) continue;
      Measure passes = claim.measure;
      passes.to = highest_end(end, *mine, *theirs, optimum) * (1 + 1e-12);
      const Figure a = measured(passes, *mine, optimum), b = measured(passes, *theirs, optimum);
      const std::optional<bool> holds = agrees(claim, a, b);
      result.include_ratio(a.value / b.value / claim.at_most.value_or(claim.at_least.value_or(1)));
      result.comparisons.push_back(
          {fmt::format("{}, {} against {}", panel, method, other), holds.has_value(), holds.value_or(false)});
      if (std::isfinite(a.value) && b.value > 0) append(ratios, fmt::format("{:.2g}", a.value / b.value), ", ");
      else append(ratios, "-", ", ");
    }
  }
  append(result.figures, ratios.empty() ? "" : "ratios of passes " + ratios, "; ");
  return result;
}

// r^2 of a straight line through log10 of the height over the second half of the passes in which the height is above the
// resolution; 0 if the line rises, NaN for fewer than least_points points.
double straightness(const RunRecord& run, const Criteria& criteria, const Measure& measure, const Optimum& optimum) {
  std::vector<double> x, y;
  const double finest = resolution(run, criteria, measure, optimum);
  double last = 0;  // the pass after which the height stays below the resolution
  for (const TraceRow& check : run.checks)
    if (height(check, measure, optimum) > finest) last = check.passes;
  for (const TraceRow& check : run.checks) {
    const double value = height(check, measure, optimum);
    if (check.passes < last / 2 || !(value > finest) || !std::isfinite(value)) continue;
    x.push_back(check.passes);
    y.push_back(std::log10(value));
  }
  if (x.size() < least_points) return NAN;
  const double n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    mx += x[k] / n;
    my += y[k] / n;
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mx) * (x[k] - mx);
    xy += (x[k] - mx) * (y[k] - my);
    yy += (y[k] - my) * (y[k] - my);
  }
  return xy < 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
}

PanelResult test_linear(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelResult result{panel, {}};
  for (const std::string& label : claim.methods) {
    const MethodRuns* method = evidence.find(panel, label);
    if (method == nullptr) continue;
    std::vector<double> seeds;
    for (const RunRecord& run : method->runs) {
      const double r2 = straightness(run, method->criteria, claim.measure, evidence.optimum(panel));
      if (!std::isnan(r2)) seeds.push_back(r2);
    }
    const double r2 = seeds.empty() ? NAN : median(seeds);
    append(result.figures, std::isnan(r2) ? label + " has too few points" : fmt::format("{} r^2 = {:.3f}", label, r2),
           ", ");
    result.comparisons.push_back(
        {fmt::format("{}, {}", panel, label), !std::isnan(r2), r2 >= claim.at_least.value_or(least_straightness)});
  }
  return result;
}

struct MeanHeight {
  double height = 0, resolution = 0;
  std::size_t runs = 0;
};

// The mean over the seeds after each number of passes at which all runs have a check: the bounds of randomized methods are
// bounds of expectations.
std::map<double, MeanHeight> mean_heights(const MethodRuns& method, const Measure& measure, const Optimum& optimum) {
  std::map<double, MeanHeight> means;
  for (const RunRecord& run : method.runs) {
    const double finest = resolution(run, method.criteria, measure, optimum);
    for (const TraceRow& check : run.checks) {
      MeanHeight& mean = means[check.passes];
      mean.height += height(check, measure, optimum) / static_cast<double>(method.runs.size());
      mean.resolution = std::max(mean.resolution, finest);
      ++mean.runs;
    }
  }
  std::erase_if(means, [&](const auto& one) { return one.second.runs < method.runs.size(); });
  return means;
}

PanelResult test_bound(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelResult result{panel, {}};
  const Curve* bound = evidence.curve(panel, claim.series);
  if (bound != nullptr && !bound->missing.empty()) result.figures = bound->missing;
  if (result.figures.ends_with('.')) result.figures.pop_back();  // it becomes a part of a sentence
  for (const std::string& label : claim.methods) {
    const MethodRuns* method = evidence.find(panel, label);
    if (method == nullptr || bound == nullptr || !bound->missing.empty()) continue;
    double highest = 0;  // of height / bound
    std::size_t checks = 0, above = 0;
    for (const auto& [passes, mean] : mean_heights(*method, claim.measure, evidence.optimum(panel))) {
      const double limit = interpolate(*bound, passes);
      if (!(limit > mean.resolution)) continue;
      const double ratio = mean.height / limit;
      ++checks;
      above += ratio > 1 ? 1 : 0;
      highest = std::max(highest, ratio);
    }
    const std::string mean = method->runs.size() > 1 ? fmt::format(", mean of {} runs,", method->runs.size()) : "";
    append(result.figures,
           checks == 0 ? label + " has no check under the bound's range"
                       : fmt::format("{}{} is above it in {} of {} checks and at most {:.2g} times it", label, mean,
                                     above, checks, highest),
           ", ");
    result.include_ratio(highest);
    result.comparisons.push_back({fmt::format("{}, {}", panel, label), checks > 0, above == 0});
  }
  return result;
}

PanelResult test_share_below(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelResult result{panel, {}};
  const Curve* curve = evidence.curve(panel, claim.series);
  const Curve* limit = claim.against.empty() ? nullptr : evidence.curve(panel, claim.against.front());
  if (curve == nullptr || (limit == nullptr && !claim.against_number)) return result;
  std::size_t points = 0, below = 0;
  for (std::size_t k = 0; k < curve->x.size(); ++k) {
    const double most = limit != nullptr ? interpolate(*limit, curve->x[k]) : *claim.against_number;
    if (std::isnan(most)) continue;
    ++points;
    below += curve->y[k] <= most ? 1 : 0;
  }
  const double fraction = points == 0 ? 0 : static_cast<double>(below) / static_cast<double>(points);
  result.figures = fmt::format("{:.1f} % of {} points", 100 * fraction, points);
  result.comparisons.push_back({panel, points > 0, fraction >= *claim.at_least});
  return result;
}

PanelResult test_minimum(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelResult result{panel, {}};
  const Curve* curve = evidence.curve(panel, claim.series);
  if (curve == nullptr || curve->x.empty()) return result;
  const double from = claim.measure.after.value_or(curve->x.back() / 2);
  double least = infinity;
  for (std::size_t k = 0; k < curve->x.size(); ++k)
    if (curve->x[k] >= from) least = std::min(least, curve->y[k]);
  result.figures = fmt::format("{:.3g}", least);
  result.comparisons.push_back(
      {panel, least < infinity, least >= *claim.at_least && least <= claim.at_most.value_or(infinity)});
  return result;
}

PanelResult test_printed(const Claim& claim, const std::string& panel, const Experiment& experiment,
                         const Evidence& evidence) {
  PanelResult result{panel, {}};
  for (const PrintedTable& table : experiment.printed)
    for (const PrintedCell& cell : printed_cells(table, evidence)) {
      if (cell.panel != panel || !cell.paper_number || std::isnan(cell.our_number)) continue;
      const double ratio = cell.our_number / *cell.paper_number;
      append(result.figures, fmt::format("{} {} (printed {})", cell.method, cell.ours, cell.paper), ", ");
      result.comparisons.push_back(
          {fmt::format("{}, {}", panel, cell.method), true, ratio <= *claim.within && ratio >= 1 / *claim.within});
    }
  return result;
}

}  // namespace

bool PanelResult::fails() const {
  return std::any_of(comparisons.begin(), comparisons.end(),
                     [](const Comparison& one) { return one.testable && !one.holds; });
}

void PanelResult::include_ratio(double ratio) {
  if (std::isfinite(ratio) && ratio > 0) closeness = std::max(closeness, -std::abs(std::log(ratio)));
}

PanelResult test_claim(const Claim& claim, const std::string& panel, const Experiment& experiment,
                       const Evidence& evidence) {
  const std::string& measure = claim.measure.name;
  if (measure == "linear") return test_linear(claim, panel, evidence);
  if (measure == "bound") return test_bound(claim, panel, evidence);
  if (measure == "share-below") return test_share_below(claim, panel, evidence);
  if (measure == "minimum") return test_minimum(claim, panel, evidence);
  if (measure == "printed") return test_printed(claim, panel, experiment, evidence);
  return claim.measure.to_end ? compare_to_end(claim, panel, evidence) : compare(claim, panel, evidence);
}

std::string quantity_of(const Claim& claim) {
  const std::string& measure = claim.measure.name;
  if (measure == "linear") return fmt::format("straightness of log10 {} over the second half", claim.measure.of);
  if (measure == "bound") return fmt::format("{} against the bound \"{}\"", claim.measure.of, claim.series);
  if (measure == "share-below")
    return fmt::format("share of {} below {}", claim.series,
                       claim.against.empty() ? fmt::format("{:g}", *claim.against_number) : claim.against.front());
  if (measure == "minimum")
    return fmt::format("least {} {}", claim.series,
                       !claim.measure.after       ? "over the second half"
                       : *claim.measure.after > 0 ? fmt::format("from {:g} on", *claim.measure.after)
                                                  : "of all points");
  if (measure == "printed")
    return fmt::format("ours beside the printed numbers, within a factor of {:g}", *claim.within);
  return in_words(claim.measure);
}

}  // namespace seesaw
