// The experiments of the papers and the sets they use: those built into the program, and files of a user's.
#pragma once

#include <string>
#include <vector>

#include "study/experiment.h"
#include "study/sets.h"

namespace seesaw {

struct Papers {
  std::vector<Experiment> experiments;
  PaperSets sets;
};

Papers built_in();
// Experiments by name (built in) or path (ends in .toml; sets*.toml beside it are read, too); all that are built in
// where no names are given. Throws Error with the names there are.
Papers papers_named(const std::vector<std::string>& names);

}  // namespace seesaw
