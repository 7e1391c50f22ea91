#include "study/verdicts_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "run/lines.h"
#include "seesaw/version.h"

namespace seesaw {
namespace {

constexpr const char* begin_of_notes = "<!-- notes: kept by --markdown -->";
constexpr const char* end_of_notes = "<!-- end of notes -->";

std::string escaped_for_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

// A row per finding, a column per basis; after that of stand-ins, the same claims by the paper's data alone.
std::string counts_table(const std::vector<Reproduced>& experiments) {
  std::vector<std::pair<std::string, std::map<Finding, std::size_t>>> columns;
  for (const auto& [basis, by_finding] : count_verdicts(experiments)) {
    columns.emplace_back(name_of(basis), by_finding);
    const std::map<Finding, std::size_t> alone = count_on_paper_data(experiments);
    if (basis == Basis::stand_ins && !alone.empty()) columns.emplace_back("of these, the paper's data alone", alone);
  }
  std::string text = "| verdict |", rule = "|---|";
  std::set<Finding> findings;
  for (const auto& [name, by_finding] : columns) {
    text += fmt::format(" {} |", name);
    rule += "---|";
    for (const auto& [finding, count] : by_finding) findings.insert(finding);
  }
  text += "\n" + rule + "\n";
  for (const Finding finding : findings) {
    text += fmt::format("| {} |", name_of(finding));
    for (const auto& [name, by_finding] : columns) {
      const auto found = by_finding.find(finding);
      text += fmt::format(" {} |", found == by_finding.end() ? 0 : found->second);
    }
    text += "\n";
  }
  return text;
}

std::string sweep_table(const Sweep& sweep) {
  std::string text = fmt::format("\n{} ({}):\n\n| |", sweep.table.caption, in_words(sweep.table.measure)),
              rule = "|---|";
  for (const std::string& method : sweep.table.columns) {
    text += fmt::format(" {} |", escaped_for_cell(method));
    rule += "---|";
  }
  text += "\n" + rule;
  for (std::size_t k = 0; k < sweep.cells.size(); ++k) {
    if (k % sweep.table.columns.size() == 0)
      text += fmt::format("\n| {} |", escaped_for_cell(sweep.table.rows[k / sweep.table.columns.size()].name));
    text += fmt::format(" {} |", sweep.cells[k].ours);
  }
  return text + "\n";
}

}  // namespace

std::string verdicts_markdown(const std::vector<Reproduced>& experiments, Mode mode, const std::string& date,
                              const std::string& notes) {
  std::string text = fmt::format(
      "# What the papers claim, and what we measured\n\nMade by `seesaw reproduce --{}` (seesaw {}) on {}, {} cores, "
      "on "
      "{}. [How it works](reproduce.md).\n\n",
      name_of(mode), version(), cpu(), std::thread::hardware_concurrency(), date);
  text += counts_table(experiments);
  if (!notes.empty()) text += fmt::format("\n{}\n{}{}\n", begin_of_notes, notes, end_of_notes);

  std::vector<std::string> papers;
  for (const Reproduced& one : experiments)
    if (std::find(papers.begin(), papers.end(), one.experiment.paper) == papers.end())
      papers.push_back(one.experiment.paper);
  for (const std::string& paper : papers) {
    text += fmt::format("\n## {}\n\n| experiment | claim | measured | verdict |\n|---|---|---|---|\n", paper);
    for (const Reproduced& one : experiments) {
      if (one.experiment.paper != paper) continue;
      for (const ClaimVerdict& verdict : one.verdicts)
        text +=
            fmt::format("| `{}`: {} | {} | {} | **{}** |\n", one.experiment.name, one.experiment.figure,
                        escaped_for_cell(verdict.claim), escaped_for_cell(verdict.measured), name_of(verdict.finding));
    }
  }
  bool any = false;
  for (const Reproduced& one : experiments) {
    if (one.sweeps.empty()) continue;
    if (!any) text += "\n## Settings that the papers leave open\n";
    any = true;
    text += fmt::format("\n### `{}`\n", one.experiment.name);
    for (const Sweep& sweep : one.sweeps) text += sweep_table(sweep);
  }
  return text;
}

std::string notes_in(const std::string& markdown) {
  const std::size_t begin = markdown.find(begin_of_notes);
  if (begin == std::string::npos) return {};
  const std::size_t from = markdown.find('\n', begin), to = markdown.find(end_of_notes, begin);
  return from == std::string::npos || to == std::string::npos || to < from ? ""
                                                                           : markdown.substr(from + 1, to - from - 1);
}

}  // namespace seesaw
