// The verdict on a claim of a paper: a pure function of records.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/measures.h"

namespace seesaw {

enum class Finding { holds, holds_in_part, does_not_hold, not_testable };
std::string_view name_of(Finding finding);  // "holds in part"

// What a verdict rests on: the paper's data in every panel, substituted or cut data in at least one, or a claim that is
// ours and not the paper's.
enum class Basis { paper_data, substituted_data, our_claim };
std::string_view name_of(Basis basis);  // "the paper's data"

struct ClaimVerdict {
  Finding finding = Finding::not_testable;
  std::string claim;                      // as the paper states it
  std::string measured;                   // a sentence with figures, of a few panels if there are many
  std::vector<std::string> figures = {};  // of every panel, if the sentence omits some
  Basis basis = Basis::paper_data;        // set by conclude(), which knows the data
};

// Holds if every testable comparison of every panel of the claim holds; not testable if there is none. `experiment`: with
// the panels that were run.
ClaimVerdict judge(const Claim& claim, const Experiment& experiment, const Evidence& evidence);

}  // namespace seesaw
