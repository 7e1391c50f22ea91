#include "compare_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grid.h"
#include "study/milestones.h"

namespace seesaw::app {
namespace {

struct Method {
  std::string label, end;
  std::size_t seeds = 0;
  std::vector<std::optional<Milestone>> reached;  // one for each gap
};

// 1e-2, 1e-4, 1e-6 and 1e-8 down to the tolerance, and the tolerance.
std::vector<double> gaps_to_show(double asked) {
  std::vector<double> gaps;
  for (const double level : {1e-2, 1e-4, 1e-6, 1e-8})
    if (level > asked * (1 + 1e-9)) gaps.push_back(level);
  if (asked > 0) gaps.push_back(asked);
  return gaps;
}

// "converged", "converged by newton", "3 converged, 2 diverged"
std::string outcome(const std::vector<const RunRecord*>& runs) {
  std::vector<std::pair<std::string, std::size_t>> kinds;
  for (const RunRecord* run : runs) {
    std::string kind = run->status;
    std::replace(kind.begin(), kind.end(), '-', ' ');
    if (!run->method.empty() && run->method != run->solver) kind += " by " + run->method;
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& other) { return other.first == kind; });
    if (known == kinds.end()) kinds.emplace_back(kind, 1);
    else ++known->second;
  }
  if (kinds.size() == 1) return kinds.front().first;
  std::string text;
  for (const auto& [kind, count] : kinds) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text;
}

Method summarize(const std::vector<const RunRecord*>& runs, const std::vector<double>& gaps) {
  Method method{.label = runs.front()->label, .end = outcome(runs), .seeds = runs.size(), .reached = {}};
  std::vector<double> ends;
  for (const RunRecord* run : runs)
    ends.push_back(run->checks.empty() ? infinity : run->checks.back().gap / run->checks.back().primal);
  const double end = median(ends);
  method.end += std::isfinite(end) ? fmt::format(", {:.0e}", end) : ", no gap";
  for (const double gap : gaps) {
    std::vector<std::optional<Milestone>> seeds;
    for (const RunRecord* run : runs) seeds.push_back(first_within(*run, gap));
    method.reached.push_back(median(seeds));
  }
  return method;
}

std::vector<Method> methods_on(const std::string& problem, const std::vector<RunRecord>& records,
                               const std::vector<double>& gaps) {
  std::vector<std::vector<const RunRecord*>> by_label;
  for (const RunRecord& r : records) {
    if (r.problem != problem) continue;
    const auto known =
        std::find_if(by_label.begin(), by_label.end(), [&](const auto& runs) { return runs[0]->label == r.label; });
    if (known == by_label.end()) by_label.push_back({&r});
    else known->push_back(&r);
  }
  std::vector<Method> methods;
  for (const auto& runs : by_label) methods.push_back(summarize(runs, gaps));
  return methods;
}

// Three digits without an exponent, so that the numbers of a column are easy to compare.
std::string digits(double value) {
  if (value == 0) return "0";
  const int before = static_cast<int>(std::floor(std::log10(value))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(3 - before, 0, 6));
}

// What the columns of a table measure.
struct Quantity {
  std::string unit;
  double Milestone::*of;
  double scale = 1;
  std::string text(double value) const {
    return value * scale == std::floor(value * scale) ? fmt::format("{:.0f}", value * scale) : digits(value * scale);
  }
};

Quantity seconds_of(const std::vector<Method>& methods) {
  double least = infinity;
  for (const Method& method : methods)
    for (const auto& reached : method.reached)
      if (reached) least = std::min(least, reached->seconds);
  if (least < 0.01) return {"ms", &Milestone::seconds, 1e3};
  return {"s", &Milestone::seconds, 1};
}

Cell cell(const Quantity& quantity, const std::vector<Method>& all, const Method& method, std::size_t k) {
  if (!method.reached[k]) return {"-"};
  double best = infinity;
  for (const Method& other : all)
    if (other.reached[k]) best = std::min(best, *other.reached[k].*quantity.of);
  const double mine = *method.reached[k].*quantity.of;
  return {quantity.text(mine), mine <= best && all.size() > 1};
}

std::string name_of_gap(double gap) {  // "1e-06", "1.3e-04"
  std::string text = fmt::format("{:.0e}", gap);
  return std::stod(text) == gap ? text : fmt::format("{:.2e}", gap);
}

enum class Ends { shown, hidden };

Grid table_of(const std::vector<Method>& methods, const std::vector<double>& gaps, const std::vector<Quantity>& columns,
              Ends ends) {
  const bool several_seeds = std::any_of(methods.begin(), methods.end(), [](const Method& m) { return m.seeds > 1; });
  Grid grid(ends == Ends::shown);
  std::vector<Cell> above{{"gap / P"}}, heads{{"method"}};
  for (const double gap : gaps)
    for (const Quantity& quantity : columns) {
      above.push_back({&quantity == &columns.back() ? name_of_gap(gap) : ""});
      heads.push_back({quantity.unit});
    }
  if (several_seeds) heads.push_back({"seeds"});
  if (ends == Ends::shown) heads.push_back({"end, gap / P"});
  grid.add(above);
  grid.add(heads);
  for (const Method& method : methods) {
    std::vector<Cell> row{{method.label}};
    for (std::size_t k = 0; k < gaps.size(); ++k)
      for (const Quantity& quantity : columns) row.push_back(cell(quantity, methods, method, k));
    if (several_seeds) row.push_back({fmt::format("{}", method.seeds)});
    if (ends == Ends::shown) row.push_back({method.end});
    grid.add(row);
  }
  return grid;
}

std::string tables_of(const std::vector<Method>& methods, const std::vector<double>& gaps, const TableStyle& style) {
  if (methods.empty()) return "";
  const Quantity passes{"passes", &Milestone::passes}, seconds = seconds_of(methods);
  const Grid wide = table_of(methods, gaps, {passes, seconds}, Ends::shown);
  if (wide.width() <= style.columns) return wide.text(style.bold);
  return table_of(methods, gaps, {passes}, Ends::shown).text(style.bold) + "\n" +
         table_of(methods, gaps, {seconds}, Ends::hidden).text(style.bold);
}

// Methods with the same reason are listed together.
std::string not_run(const std::vector<Refused>& refused, const TableStyle& style) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const Refused& one : refused) {
    const std::string before = one.solver + " needs ";
    const std::string why = one.why.starts_with(before) ? "it needs " + one.why.substr(before.size()) : one.why;
    const auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.first == why; });
    if (known == reasons.end()) reasons.push_back({why, {one.label}});
    else known->second.push_back(one.label);
  }
  std::string text;
  for (const auto& [why, labels] : reasons)
    text += wrapped(fmt::format("not run: {}: {}", fmt::join(labels, ", "), why), style.columns, 4);
  return text;
}

}  // namespace

std::string comparison_table(const StudyResult& result, double gap, const TableStyle& style) {
  std::vector<std::string> problems;
  const auto note = [&](const std::string& problem) {
    if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
  };
  for (const RunRecord& r : result.records) note(r.problem);
  for (const Refused& r : result.refused) note(r.problem);

  const std::vector<double> gaps = gaps_to_show(gap);
  std::string text;
  for (const std::string& problem : problems) {
    text += fmt::format("\n{}{}{}\n", style.bold ? "\x1b[1m" : "", problem, style.bold ? "\x1b[0m" : "");
    text += tables_of(methods_on(problem, result.records, gaps), gaps, style);
    std::vector<Refused> refused;
    for (const Refused& one : result.refused)
      if (one.problem == problem) refused.push_back(one);
    text += not_run(refused, style);
  }
  if (!result.records.empty())
    text += "\n" + wrapped(
                       "* least of its column; - not reached; time of solving, without the checks; seeds: medians, "
                       "where more than half reach it.",
                       style.columns, 0);
  return text;
}

}  // namespace seesaw::app
