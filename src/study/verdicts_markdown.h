// The table of verdicts as Markdown, for docs/reproduction.md.
#pragma once

#include <string>
#include <vector>

#include "study/reproduce.h"

namespace seesaw {

// `notes`: text of the page that is not generated, inserted after the counts between two comments.
std::string verdicts_markdown(const std::vector<Reproduced>& experiments, Mode mode, const std::string& date,
                              const std::string& notes = {});
std::string notes_in(const std::string& markdown);  // those of such a page; empty: none

}  // namespace seesaw
