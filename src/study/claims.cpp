#include "study/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "study/milestones.h"
#include "study/printed.h"

namespace seesaw {
namespace {

// One comparison of many: a panel, and who is compared with whom there.
struct Test {
  std::string where;
  bool testable = true, holds = false;
};

// What is said of a panel, and the tests made there.
struct PanelFindings {
  std::string panel, figures;
  std::vector<Test> tests = {};
  double closeness = -infinity;  // to the line between holding and not: the least clear panels are told first

  bool fails() const {
    return std::any_of(tests.begin(), tests.end(), [](const Test& test) { return test.testable && !test.holds; });
  }
  void note_ratio(double ratio) {  // of what is compared, in the unit of the claim
    if (std::isfinite(ratio) && ratio > 0) closeness = std::max(closeness, -std::abs(std::log(ratio)));
  }
};
constexpr std::size_t panels_in_sentence = 4, letters_in_sentence = 260;

std::vector<std::string> panels_of(const Claim& claim, const Experiment& experiment) {
  std::vector<std::string> names;
  for (const Panel& panel : experiment.panels)
    if (claim.panels.empty() || std::find(claim.panels.begin(), claim.panels.end(), panel.name) != claim.panels.end())
      names.push_back(panel.name);
  return names;
}

// mine <= factor * other; nothing where a run was ended too early to tell.
std::optional<bool> at_most(const Figure& mine, double factor, const Figure& other) {
  const bool arrived = std::isfinite(mine.value), other_arrived = std::isfinite(other.value);
  if (arrived && other_arrived) return mine.value <= factor * other.value;
  if (arrived && mine.value <= factor * other.above) return true;
  if (other_arrived && mine.above >= factor * other.value) return false;
  return std::nullopt;
}

std::optional<bool> agrees(const Claim& claim, const Figure& mine, const Figure& other) {
  std::optional<bool> low = true, high = true;
  if (claim.at_most) high = at_most(mine, *claim.at_most, other);
  if (claim.at_least) low = at_most(other, 1 / *claim.at_least, mine);
  if ((low && !*low) || (high && !*high)) return false;
  return low && high ? std::optional(true) : std::nullopt;
}

void append(std::string& text, const std::string& more, const char* between) {
  if (more.empty()) return;
  text += (text.empty() ? "" : between) + more;
}

// measure(method) against measure(other), or against a number where there is no other.
PanelFindings compare(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelFindings findings{panel, {}};
  const Optimum optimum = evidence.optimum(panel);
  const bool known = !of_the_optimum(claim.measure) || !claim.measure.to ||
                     *claim.measure.to * (claim.measure.relative ? optimum.value : 1) >= optimum.uncertain;
  std::vector<std::string> told, words;
  const auto figure = [&](const std::string& label) {
    const MethodRuns* runs = evidence.find(panel, label);
    const Figure found = runs == nullptr ? Figure{NAN} : measured(claim.measure, *runs, optimum);
    if (runs != nullptr && std::find(told.begin(), told.end(), label) == told.end()) {
      told.push_back(label);
      words.push_back(runs->refused.empty() ? number_in_words(claim.measure, found.value)
                                            : "not run: " + runs->refused);
    }
    return found;
  };
  for (const std::string& method : claim.methods) {
    const Figure mine = figure(method);
    const auto test = [&](const std::string& where, const Figure& other) {
      if (std::isnan(mine.value) || std::isnan(other.value)) return;
      const std::optional<bool> holds = known ? agrees(claim, mine, other) : std::nullopt;
      findings.note_ratio(mine.value / other.value / claim.at_most.value_or(claim.at_least.value_or(1)));
      findings.tests.push_back({where, holds.has_value(), holds.value_or(false)});
    };
    if (claim.against.empty()) test(fmt::format("{}, {}", panel, method), {1});
    for (const std::string& rival : claim.against)
      test(fmt::format("{}, {} against {}", panel, method, rival), figure(rival));
  }
  const bool all_the_same =
      words.size() > 1 && words.front().starts_with("not ") &&
      std::count(words.begin(), words.end(), words.front()) == static_cast<std::ptrdiff_t>(words.size());
  if (all_the_same) findings.figures = "all " + words.front();
  for (std::size_t k = 0; k < words.size() && !all_the_same; ++k)
    append(findings.figures, told[k] + " " + words[k], ", ");
  if (!known) append(findings.figures, fmt::format("P* is known only to {:.0e}", optimum.uncertain), "; ");
  return findings;
}

// How well a straight line explains log10 of the height over the second half of the passes; 0 where it rises, NaN where
// there are fewer than five points.
double straightness(const RunRecord& run, const Criteria& criteria, const Measure& measure, const Optimum& optimum) {
  std::vector<double> x, y;
  const double finest = resolution(run, criteria, measure, optimum);
  double last = 0;  // passes until the height is below what can be told
  for (const TraceRow& check : run.checks)
    if (height(check, measure, optimum) > finest) last = check.passes;
  for (const TraceRow& check : run.checks) {
    const double value = height(check, measure, optimum);
    if (check.passes < last / 2 || !(value > finest) || !std::isfinite(value)) continue;
    x.push_back(check.passes);
    y.push_back(std::log10(value));
  }
  if (x.size() < 5) return NAN;
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

PanelFindings test_linear(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelFindings findings{panel, {}};
  for (const std::string& label : claim.methods) {
    const MethodRuns* method = evidence.find(panel, label);
    if (method == nullptr) continue;
    std::vector<double> seeds;
    for (const RunRecord& run : method->runs) {
      const double r2 = straightness(run, method->criteria, claim.measure, evidence.optimum(panel));
      if (!std::isnan(r2)) seeds.push_back(r2);
    }
    const double r2 = seeds.empty() ? NAN : median(seeds);
    append(findings.figures, std::isnan(r2) ? label + " has too few points" : fmt::format("{} r^2 = {:.3f}", label, r2),
           ", ");
    findings.tests.push_back(
        {fmt::format("{}, {}", panel, label), !std::isnan(r2), r2 >= claim.at_least.value_or(0.95)});
  }
  return findings;
}

PanelFindings test_bound(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelFindings findings{panel, {}};
  const Curve* bound = evidence.curve(panel, claim.series);
  if (bound != nullptr && !bound->missing.empty()) findings.figures = bound->missing;
  for (const std::string& label : claim.methods) {
    const MethodRuns* method = evidence.find(panel, label);
    if (method == nullptr || bound == nullptr || !bound->missing.empty()) continue;
    double highest = 0;  // of height / bound
    std::size_t checks = 0, above = 0;
    for (const RunRecord& run : method->runs)
      for (const TraceRow& check : run.checks) {
        const double limit = interpolate(*bound, check.passes);
        if (!(limit > resolution(run, method->criteria, claim.measure, evidence.optimum(panel)))) continue;
        const double ratio = height(check, claim.measure, evidence.optimum(panel)) / limit;
        ++checks;
        above += ratio > 1 ? 1 : 0;
        highest = std::max(highest, ratio);
      }
    append(findings.figures,
           checks == 0 ? label + " has no check under the bound's range"
                       : fmt::format("{} is above it in {} of {} checks and at most {:.2g} times it", label, above,
                                     checks, highest),
           ", ");
    findings.note_ratio(highest);
    findings.tests.push_back({fmt::format("{}, {}", panel, label), checks > 0, above == 0});
  }
  return findings;
}

PanelFindings test_share_below(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelFindings findings{panel, {}};
  const Curve* curve = evidence.curve(panel, claim.series);
  const Curve* limit = claim.against.empty() ? nullptr : evidence.curve(panel, claim.against.front());
  if (curve == nullptr || (limit == nullptr && !claim.against_number)) return findings;
  std::size_t points = 0, below = 0;
  for (std::size_t k = 0; k < curve->x.size(); ++k) {
    const double most = limit != nullptr ? interpolate(*limit, curve->x[k]) : *claim.against_number;
    if (std::isnan(most)) continue;
    ++points;
    below += curve->y[k] <= most ? 1 : 0;
  }
  const double fraction = points == 0 ? 0 : static_cast<double>(below) / static_cast<double>(points);
  findings.figures = fmt::format("{:.1f} % of {} points", 100 * fraction, points);
  findings.tests.push_back({panel, points > 0, fraction >= *claim.at_least});
  return findings;
}

PanelFindings test_minimum(const Claim& claim, const std::string& panel, const Evidence& evidence) {
  PanelFindings findings{panel, {}};
  const Curve* curve = evidence.curve(panel, claim.series);
  if (curve == nullptr || curve->x.empty()) return findings;
  const double from = claim.measure.after.value_or(curve->x.back() / 2);
  double least = infinity;
  for (std::size_t k = 0; k < curve->x.size(); ++k)
    if (curve->x[k] >= from) least = std::min(least, curve->y[k]);
  findings.figures = fmt::format("{:.3g}", least);
  findings.tests.push_back(
      {panel, least < infinity, least >= *claim.at_least && least <= claim.at_most.value_or(infinity)});
  return findings;
}

PanelFindings test_printed(const Claim& claim, const std::string& panel, const Experiment& experiment,
                           const Evidence& evidence) {
  PanelFindings findings{panel, {}};
  for (const PrintedTable& table : experiment.printed)
    for (const PrintedCell& cell : printed_cells(table, evidence)) {
      if (cell.panel != panel || !cell.paper_number || std::isnan(cell.our_number)) continue;
      const double ratio = cell.our_number / *cell.paper_number;
      append(findings.figures, fmt::format("{} {} (printed {})", cell.method, cell.ours, cell.paper), ", ");
      findings.tests.push_back(
          {fmt::format("{}, {}", panel, cell.method), true, ratio <= *claim.within && ratio >= 1 / *claim.within});
    }
  return findings;
}

PanelFindings findings_of(const Claim& claim, const std::string& panel, const Experiment& experiment,
                          const Evidence& evidence) {
  const std::string& measure = claim.measure.name;
  if (measure == "linear") return test_linear(claim, panel, evidence);
  if (measure == "bound") return test_bound(claim, panel, evidence);
  if (measure == "share-below") return test_share_below(claim, panel, evidence);
  if (measure == "minimum") return test_minimum(claim, panel, evidence);
  if (measure == "printed") return test_printed(claim, panel, experiment, evidence);
  return compare(claim, panel, evidence);
}

std::string subject_of(const Claim& claim) {  // what the figures are
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

}  // namespace

std::string_view name_of(Finding finding) {
  switch (finding) {
    case Finding::holds:
      return "holds";
    case Finding::holds_in_part:
      return "holds in part";
    case Finding::does_not_hold:
      return "does not hold";
    case Finding::not_testable:
      break;
  }
  return "not testable";
}

namespace {

// Of many panels those where it fails, and then those where it is least clear.
std::string figures_of(const std::vector<PanelFindings>& all) {
  std::vector<const PanelFindings*> told;
  for (const PanelFindings& one : all)
    if (!one.figures.empty()) told.push_back(&one);
  const std::size_t count = told.size();
  if (count > panels_in_sentence) {
    std::stable_sort(told.begin(), told.end(), [](const PanelFindings* a, const PanelFindings* b) {
      return std::pair(!a->fails(), -a->closeness) < std::pair(!b->fails(), -b->closeness);
    });
    std::size_t fit = 0, letters = 0;
    while (fit < panels_in_sentence && (fit == 0 || letters + told[fit]->figures.size() <= letters_in_sentence))
      letters += told[fit++]->figures.size();
    told.resize(fit);
    std::sort(told.begin(), told.end());  // as the paper has them
  }
  std::string text;
  for (const PanelFindings* one : told) append(text, fmt::format("{}: {}", one->panel, one->figures), "; ");
  if (count > told.size()) text += fmt::format("; and {} more", count - told.size());
  return text;
}

}  // namespace

ClaimVerdict judge(const Claim& claim, const Experiment& experiment, const Evidence& evidence) {
  ClaimVerdict verdict{Finding::not_testable, claim.says, claim.untestable};
  if (!claim.untestable.empty()) return verdict;
  std::size_t tests = 0, held = 0;
  std::vector<std::string> failed;
  std::vector<PanelFindings> all;
  for (const std::string& panel : panels_of(claim, experiment)) {
    all.push_back(findings_of(claim, panel, experiment, evidence));
    for (const Test& test : all.back().tests) {
      if (!test.testable) continue;
      ++tests;
      held += test.holds ? 1 : 0;
      if (!test.holds) failed.push_back(test.where);
    }
    if (!all.back().figures.empty()) verdict.figures.push_back(fmt::format("{}: {}", panel, all.back().figures));
  }
  const std::string figures = figures_of(all);
  if (verdict.figures.size() <= panels_in_sentence) verdict.figures.clear();
  if (tests == 0) {
    verdict.measured = figures.empty() ? "Its panels or methods were not run."
                                       : fmt::format("Nothing to compare ({}): {}.", subject_of(claim), figures);
    return verdict;
  }
  verdict.finding = held == tests ? Finding::holds : held > 0 ? Finding::holds_in_part : Finding::does_not_hold;
  if (verdict.finding == Finding::holds_in_part) {
    verdict.measured = fmt::format("Holds in {} of {} comparisons", held, tests);
    if (failed.size() <= panels_in_sentence) verdict.measured += fmt::format(", not in {}", fmt::join(failed, "; "));
    verdict.measured += ". ";
  }
  std::string subject = subject_of(claim);
  subject.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(subject.front())));
  verdict.measured += fmt::format("{}: {}.", subject, figures);
  return verdict;
}

}  // namespace seesaw
