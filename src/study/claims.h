// The verdict on a claim of a paper: a pure function of records.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/measures.h"

namespace seesaw {

// Undecided: times differ by less than their spread in every comparison.
enum class Finding { holds, holds_in_part, does_not_hold, undecided, not_testable };
std::string_view name_of(Finding finding);  // "holds in part"

// The data of a panel: the paper's (or generated as it describes), substituted or cut, or of our choice.
enum class PanelData { paper, substituted, ours };
using DataOfPanels = std::map<std::string, PanelData>;  // panels that are not in it: the paper's data

// What a verdict rests on: the paper's data in every panel; a stand-in, cut data or data of ours in some; or a claim that is
// ours, or one that is tested on data of ours only.
enum class Basis { paper_data, stand_ins, ours };
std::string_view name_of(Basis basis);  // "the paper's data"

struct ClaimVerdict {
  Finding finding = Finding::not_testable;
  std::string claim;                      // as the paper states it
  std::string measured;                   // a sentence with figures, of a few panels if there are many
  std::vector<std::string> figures = {};  // of every panel, if the sentence omits some
  Basis basis = Basis::paper_data;
  std::optional<Finding> on_paper_data = {};  // by the panels with the paper's data alone, if the basis is stand_ins
};

// Holds if every testable comparison of every panel of the claim holds; not testable if there is none. `experiment`: with
// the panels that were run.
ClaimVerdict judge(const Claim& claim, const Experiment& experiment, const Evidence& evidence,
                   const DataOfPanels& data = {});

}  // namespace seesaw
