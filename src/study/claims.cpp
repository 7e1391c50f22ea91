#include "study/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "study/claim_tests.h"
#include "study/names.h"

namespace seesaw {
namespace {

// The limits of the sentence of a verdict; the page lists the figures of all panels.
constexpr std::size_t panels_in_sentence = 4, characters_in_sentence = 260;

// The figures of the panels that have some. Of more than panels_in_sentence: those where the claim fails, then those
// closest to the threshold, as many as fit, in the order of the paper.
std::string sentence_of(const std::vector<PanelResult>& results) {
  std::vector<const PanelResult*> shown;
  for (const PanelResult& one : results)
    if (!one.figures.empty()) shown.push_back(&one);
  const std::size_t count = shown.size();
  if (count > panels_in_sentence) {
    std::stable_sort(shown.begin(), shown.end(), [](const PanelResult* a, const PanelResult* b) {
      return std::pair(!a->fails(), -a->closeness) < std::pair(!b->fails(), -b->closeness);
    });
    std::size_t fit = 0, characters = 0;
    while (fit < panels_in_sentence && (fit == 0 || characters + shown[fit]->figures.size() <= characters_in_sentence))
      characters += shown[fit++]->figures.size();
    shown.resize(fit);
    std::sort(shown.begin(), shown.end());  // back to the order of the paper: pointers into one vector
  }
  std::string text;
  for (const PanelResult* one : shown)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", one->panel, one->figures);
  if (count > shown.size()) text += fmt::format("; and {} more", count - shown.size());
  return text;
}

// The comparisons of some panels. Invariant: held + failed.size() = tests, the number of testable ones.
struct Tally {
  std::size_t tests = 0, held = 0, within_spread = 0;
  std::vector<std::string> failed;  // where

  void add(const PanelResult& result) {
    for (const Comparison& one : result.comparisons) {
      within_spread += one.within_spread ? 1 : 0;
      if (!one.testable) continue;
      ++tests;
      if (one.holds) ++held;
      else failed.push_back(one.where);
    }
  }
  Finding finding() const {
    if (tests == 0) return within_spread > 0 ? Finding::undecided : Finding::not_testable;
    return held == tests ? Finding::holds : held > 0 ? Finding::holds_in_part : Finding::does_not_hold;
  }
};

PanelData data_of(const DataOfPanels& data, const std::string& panel) {
  const auto found = data.find(panel);
  return found == data.end() ? PanelData::paper : found->second;
}

Basis basis_of(const Claim& claim, const Experiment& experiment, const DataOfPanels& data) {
  bool others = false, only_ours = true;
  for (const Panel& panel : experiment.panels) {
    if (!chosen_by(claim.panels, panel.name)) continue;
    const PanelData one = data_of(data, panel.name);
    others = others || one != PanelData::paper;
    only_ours = only_ours && one == PanelData::ours;
  }
  if (claim.ours || (others && only_ours)) return Basis::ours;
  return others ? Basis::stand_ins : Basis::paper_data;
}

std::string capitalized(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

}  // namespace

std::string_view name_of(Basis basis) {
  if (basis == Basis::ours) return "ours";
  return basis == Basis::paper_data ? "the paper's data" : "stand-ins";
}

std::string_view name_of(Finding finding) {
  switch (finding) {
    case Finding::holds:
      return "holds";
    case Finding::holds_in_part:
      return "holds in part";
    case Finding::does_not_hold:
      return "does not hold";
    case Finding::undecided:
      return "undecided";
    case Finding::not_testable:
      break;
  }
  return "not testable";
}

ClaimVerdict judge(const Claim& claim, const Experiment& experiment, const Evidence& evidence,
                   const DataOfPanels& data) {
  ClaimVerdict verdict{Finding::not_testable, claim.says, claim.untestable};
  verdict.basis = basis_of(claim, experiment, data);
  if (!claim.untestable.empty()) return verdict;

  Tally tally, on_paper_data;
  std::vector<PanelResult> results;
  for (const Panel& panel : experiment.panels) {
    if (!chosen_by(claim.panels, panel.name)) continue;
    results.push_back(test_claim(claim, panel.name, experiment, evidence));
    tally.add(results.back());
    if (data_of(data, panel.name) == PanelData::paper) on_paper_data.add(results.back());
    if (!results.back().figures.empty())
      verdict.figures.push_back(fmt::format("{}: {}", panel.name, results.back().figures));
  }
  if (verdict.figures.size() <= panels_in_sentence) verdict.figures.clear();

  verdict.finding = tally.finding();
  const std::string figures = sentence_of(results), quantity = quantity_of(claim);
  if (verdict.finding == Finding::not_testable) {
    verdict.measured = figures.empty() ? "Its panels or methods were not run."
                                       : fmt::format("Nothing to compare ({}): {}.", quantity, figures);
    return verdict;
  }
  if (verdict.finding == Finding::holds_in_part) {
    verdict.measured = fmt::format("Holds in {} of {} comparisons", tally.held, tally.tests);
    if (tally.failed.size() <= panels_in_sentence)
      verdict.measured += fmt::format(", not in {}", fmt::join(tally.failed, "; "));
    verdict.measured += ". ";
  }
  if (tally.within_spread > 0)
    verdict.measured += fmt::format("{} of {} comparisons are within the spread of the times and decide nothing. ",
                                    tally.within_spread, tally.within_spread + tally.tests);
  verdict.measured += fmt::format("{}: {}.", capitalized(quantity), figures);
  if (verdict.basis == Basis::stand_ins && on_paper_data.finding() != Finding::not_testable) {
    verdict.on_paper_data = on_paper_data.finding();
    verdict.measured += fmt::format(" With the paper's data alone: {}", name_of(*verdict.on_paper_data));
    if (on_paper_data.tests > 0)
      verdict.measured += fmt::format(" ({} of {} comparisons)", on_paper_data.held, on_paper_data.tests);
    verdict.measured += ".";
  }
  return verdict;
}

}  // namespace seesaw
