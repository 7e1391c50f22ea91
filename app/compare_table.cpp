#include "compare_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "study/milestones.h"

namespace seesaw::app {
namespace {

constexpr std::array levels = {1e-2, 1e-4, 1e-6, 1e-8};

struct Line {
  std::string label, status;
  std::size_t seeds = 0;
  double gap = infinity;  // at the end, relative: the median
  std::array<std::optional<Milestone>, levels.size()> reached;
};

std::string status_of(const std::vector<const RunRecord*>& runs) {  // "converged", "2 of 3 converged, diverged"
  std::vector<std::string> kinds;
  for (const RunRecord* run : runs)
    if (std::find(kinds.begin(), kinds.end(), run->status) == kinds.end()) kinds.push_back(run->status);
  if (kinds.size() == 1) return kinds.front();
  std::string text;
  for (const std::string& kind : kinds)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        std::count_if(runs.begin(), runs.end(), [&](const RunRecord* r) { return r->status == kind; }),
                        kind);
  return text;
}

Line summarize(const std::string& label, const std::vector<const RunRecord*>& runs) {
  Line line{.label = label, .status = status_of(runs), .seeds = runs.size(), .reached = {}};
  std::vector<double> gaps;
  for (const RunRecord* run : runs)
    gaps.push_back(run->checks.empty() ? infinity : run->checks.back().gap / run->checks.back().primal);
  line.gap = median(gaps);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    std::vector<std::optional<Milestone>> seeds;
    for (const RunRecord* run : runs) seeds.push_back(first_within(*run, levels[k]));
    line.reached[k] = median(seeds);
  }
  return line;
}

std::vector<Line> lines_of(const std::vector<RunRecord>& records, const std::string& problem) {
  std::vector<std::string> labels;
  for (const RunRecord& r : records)
    if (r.problem == problem && std::find(labels.begin(), labels.end(), r.label) == labels.end())
      labels.push_back(r.label);
  std::vector<Line> lines;
  for (const std::string& label : labels) {
    std::vector<const RunRecord*> runs;
    for (const RunRecord& r : records)
      if (r.problem == problem && r.label == label) runs.push_back(&r);
    lines.push_back(summarize(label, runs));
  }
  return lines;
}

std::string seconds_in_words(double seconds) {
  if (seconds < 0.9995e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

// A number in its column, marked where it is the least of all.
template <class Quantity>
std::string column_text(const Line& line, const std::vector<Line>& all, std::size_t k, const Quantity& quantity,
                        const std::function<std::string(double)>& text) {
  if (!line.reached[k]) return "-";
  double best = infinity;
  for (const Line& other : all)
    if (other.reached[k]) best = std::min(best, quantity(*other.reached[k]));
  const double mine = quantity(*line.reached[k]);
  return text(mine) + (mine <= best ? "*" : " ");
}

}  // namespace

std::string comparison_table(const StudyResult& result, bool bold) {
  std::vector<std::string> problems;
  std::size_t width = 8;
  const auto note = [&](const std::string& problem, const std::string& label) {
    if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
    width = std::max(width, label.size() + 2);
  };
  for (const RunRecord& r : result.records) note(r.problem, r.label);
  for (const Refused& r : result.refused) note(r.problem, "");

  const std::string on = bold ? "\x1b[1m" : "", off = bold ? "\x1b[0m" : "";
  std::string text;
  for (const std::string& problem : problems) {
    text += fmt::format("\n{}{}{}\n", on, problem, off);
    const std::vector<Line> lines = lines_of(result.records, problem);
    if (!lines.empty()) {
      text += fmt::format("{:<{}}", "gap / P:", width);
      for (const double level : levels) text += fmt::format("{:>20.0e} ", level);
      text += "   at the end\n";
    }
    for (const Line& line : lines) {
      text += fmt::format("{:<{}}", line.label, width);
      for (std::size_t k = 0; k < levels.size(); ++k) {
        const std::string passes = column_text(
            line, lines, k, [](const Milestone& m) { return m.passes; },
            [](double p) { return fmt::format("{:.4g}", p); });
        const std::string seconds = column_text(
            line, lines, k, [](const Milestone& m) { return m.seconds; }, seconds_in_words);
        const bool best = bold && seconds.ends_with('*');
        text += fmt::format("{}{:>9}{:>11}{} ", best ? on : "", passes, seconds, best ? off : "");
      }
      text += fmt::format("   {}, gap {:.1e} P{}\n", line.status, line.gap,
                          line.seeds > 1 ? fmt::format(" ({} seeds)", line.seeds) : "");
    }
    for (const Refused& one : result.refused)
      if (one.problem == problem) text += fmt::format("{:<{}}not run: {}\n", one.label, width, one.why);
  }
  if (!result.records.empty())
    text +=
        "\nPasses and seconds of solving to each gap, medians over seeds; * is the least of a column, - not reached.\n";
  return text;
}

}  // namespace seesaw::app
