#include "study/verdicts_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "seesaw/version.h"

namespace seesaw {
namespace {

std::string escaped_for_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

// A row per finding, a column per basis.
std::string counts_table(const VerdictCounts& counts) {
  std::string text = "| verdict |", rule = "|---|";
  std::set<Finding> findings;
  for (const auto& [basis, by_finding] : counts) {
    text += fmt::format(" {} |", name_of(basis));
    rule += "---|";
    for (const auto& [finding, count] : by_finding) findings.insert(finding);
  }
  text += "\n" + rule + "\n";
  for (const Finding finding : findings) {
    text += fmt::format("| {} |", name_of(finding));
    for (const auto& [basis, by_finding] : counts) {
      const auto found = by_finding.find(finding);
      text += fmt::format(" {} |", found == by_finding.end() ? 0 : found->second);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string verdicts_markdown(const std::vector<Reproduced>& experiments, Mode mode, const std::string& date) {
  std::string text = fmt::format(
      "# What the papers claim, and what we measured\n\nMade by `seesaw reproduce --{}` (seesaw {}) on {}, {} cores, "
      "on "
      "{}. [How it works](reproduce.md).\n\n",
      name_of(mode), version(), cpu(), std::thread::hardware_concurrency(), date);
  text += counts_table(count_verdicts(experiments));

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
  return text;
}

}  // namespace seesaw
