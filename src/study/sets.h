// The data sets of the papers by name (bench/papers/sets*.toml): where each is published, where it is found, and what
// stands in where it is not here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/synthetic.h"
#include "study/set_preparation.h"

namespace seesaw {

struct GeneratedSet {
  std::string kind;  // a generator of `seesaw synth`
  SynthOptions options;
};

struct PaperSet {
  std::string name;
  std::string file;       // in the data folder, plain or compressed; empty: the paper itself generated it
  std::string published;  // where a user gets it
  std::size_t n = 0, d = 0;
  SetPreparation preparation;
  std::string stand_in, why;  // another set that is used where this one is absent
  std::optional<GeneratedSet> generate;
};

class PaperSets {
 public:
  void add(std::string_view text, const std::string& file);  // a sets.toml; later sets replace those of the same name
  const PaperSet& named(const std::string& name) const;      // throws Error
  const std::map<std::string, PaperSet>& all() const { return sets_; }

 private:
  std::map<std::string, PaperSet> sets_;
};

// --data, else $SEESAW_DATA, else ./data where that is there; empty: none.
std::string data_folder(const std::string& given);

// The file of a set in a folder: NAME, NAME.xz, .gz, .bz2 or .zst; empty where it is not there.
std::string path_of(const PaperSet& set, const std::string& folder);

// What is used for a set, decided before anything is read.
struct SetChoice {
  const PaperSet* set = nullptr;  // itself, its stand-in, or null where nothing can be used
  std::string path;               // empty: generated
  std::string substitute;         // a sentence where it is not the set itself
};
SetChoice choose_set(const PaperSets& sets, const std::string& name, const std::string& folder);

struct LoadedSet {
  Dataset data;
  std::string used;        // in a few words
  std::string substitute;  // what is otherwise than in the paper: a sentence, or nothing
  bool as_file = false;    // the file as it is: `seesaw train` reads the same
};
// `rows`: at most so many. Throws Error where there is nothing to use, or the file cannot be read.
LoadedSet load_set(const PaperSets& sets, const std::string& name, const std::string& folder,
                   std::optional<std::size_t> rows);

}  // namespace seesaw
