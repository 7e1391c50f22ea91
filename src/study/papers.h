// The experiments of the papers and their data sets: those built into the program, and files of the user.
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
// Experiments by name (built in) or path (ends in .toml; sets*.toml in its folder are read too); without names all built-in
// ones. Throws Error for an unknown name, with the names that exist.
Papers papers_named(const std::vector<std::string>& names);

}  // namespace seesaw
