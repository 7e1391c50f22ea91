#include "verdict_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "grid.h"

namespace seesaw::app {
namespace {

constexpr std::size_t verdict_width = 15;  // "does not hold" and two blanks

std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::istringstream all(wrapped(text, width, 0));
  std::vector<std::string> lines;
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

std::string side_by_side(const ClaimVerdict& verdict, std::size_t width) {
  const std::size_t claim_width = (width - verdict_width) * 2 / 5;
  const auto claim = lines_of(verdict.claim, claim_width - 2);
  const auto measured = lines_of(verdict.measured, width - verdict_width - claim_width);
  std::string text;
  for (std::size_t k = 0; k < std::max(claim.size(), measured.size()); ++k)
    text += fmt::format("{:<{}}{:<{}}{}\n", k == 0 ? name_of(verdict.finding) : "", verdict_width,
                        k < claim.size() ? claim[k] : "", claim_width, k < measured.size() ? measured[k] : "");
  return text;
}

std::string stacked(const ClaimVerdict& verdict, std::size_t width) {
  return wrapped(fmt::format("{}: {}", name_of(verdict.finding), verdict.claim), width, 0) + "    " +
         wrapped(verdict.measured, width - 4, 4);
}

std::string sum_of(const std::map<Finding, std::size_t>& counts) {
  std::string sum;
  for (const auto& [finding, count] : counts)
    sum += fmt::format("{}{}: {}", sum.empty() ? "" : ", ", name_of(finding), count);
  return sum;
}

}  // namespace

std::string verdict_table(const std::vector<Reproduced>& experiments, std::size_t width, bool bold) {
  const std::string on = bold ? "\x1b[1m" : "", off = bold ? "\x1b[0m" : "";
  std::string text;
  for (const Reproduced& one : experiments) {
    const Experiment& e = one.experiment;
    text += "\n";
    text += fmt::format("{}{}{}", on,
                        wrapped(fmt::format("{}: {}, {}. {}", e.name, e.paper, e.figure, e.title), width, 0), off);
    for (const ClaimVerdict& verdict : one.verdicts)
      text += width >= 100 ? side_by_side(verdict, width) : stacked(verdict, width);
  }
  const VerdictCounts counts = count_verdicts(experiments);
  const std::map<Finding, std::size_t> alone = count_on_paper_data(experiments);
  if (!counts.empty()) text += "\nClaims by verdict:\n";
  for (const auto& [basis, by_finding] : counts) {
    const std::string sum = sum_of(by_finding);
    text += fmt::format("  {:<18}{}\n", name_of(basis), sum);
    if (basis == Basis::stand_ins && !alone.empty())
      text += fmt::format("  {:<18}{}\n", "", "the paper's data alone: " + sum_of(alone));
  }
  return text;
}

}  // namespace seesaw::app
