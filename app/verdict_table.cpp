#include "verdict_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace seesaw::app {
namespace {

constexpr std::size_t verdict_width = 15;  // "does not hold" and two blanks

// Cut at blanks into lines of at most `width` letters; a longer word has a line of its own.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = {""};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

std::string side_by_side(const Verdict& verdict, std::size_t width) {
  const std::size_t claim_width = (width - verdict_width) * 2 / 5;
  const auto claim = wrapped(verdict.claim, claim_width - 2);
  const auto measured = wrapped(verdict.measured, width - verdict_width - claim_width);
  std::string text;
  for (std::size_t k = 0; k < std::max(claim.size(), measured.size()); ++k)
    text += fmt::format("{:<{}}{:<{}}{}\n", k == 0 ? name_of(verdict.finding) : "", verdict_width,
                        k < claim.size() ? claim[k] : "", claim_width, k < measured.size() ? measured[k] : "");
  return text;
}

std::string stacked(const Verdict& verdict, std::size_t width) {
  std::string text;
  for (const auto& line : wrapped(fmt::format("{}: {}", name_of(verdict.finding), verdict.claim), width))
    text += line + "\n";
  for (const auto& line : wrapped(verdict.measured, width - 4)) text += "    " + line + "\n";
  return text;
}

}  // namespace

std::string verdict_table(const std::vector<Reproduced>& experiments, std::size_t width, bool bold) {
  const std::string on = bold ? "\x1b[1m" : "", off = bold ? "\x1b[0m" : "";
  std::string text;
  std::map<Finding, std::size_t> counts;
  for (const Reproduced& one : experiments) {
    const Experiment& e = one.experiment;
    text += "\n";
    for (const auto& line : wrapped(fmt::format("{}: {}, {}. {}", e.name, e.paper, e.figure, e.title), width))
      text += fmt::format("{}{}{}\n", on, line, off);
    for (const Verdict& verdict : one.verdicts) {
      text += width >= 100 ? side_by_side(verdict, width) : stacked(verdict, width);
      ++counts[verdict.finding];
    }
  }
  std::string sum;
  for (const auto& [finding, count] : counts)
    sum += fmt::format("{}{}: {}", sum.empty() ? "" : ", ", name_of(finding), count);
  if (!sum.empty()) text += fmt::format("\nClaims by verdict: {}.\n", sum);
  return text;
}

}  // namespace seesaw::app
