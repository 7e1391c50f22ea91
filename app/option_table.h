// Tables of the commands and their options. Help, shell completion, man pages and error messages are made from them.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seesaw::app {

enum class Level {
  common,    // shown by --help
  rare,      // shown by --help-all
  of_method  // an option of some methods: shown by --help-all and `seesaw solvers NAME`
};

struct OptionEntry {
  std::string name;         // "--loss"; of a positional argument its placeholder: "DATA"
  std::string short_name;   // "-q", or empty
  std::string placeholder;  // of the value: "NUMBER"; empty for a flag
  std::string description;
  std::string standard;                                 // the default, in words; empty: not shown
  std::string group;                                    // heading in the help
  std::function<std::vector<std::string>()> values_of;  // what shells complete; computed where it is needed
  Level level = Level::rare;
  bool positional = false, required = false, repeatable = false;

  bool flag() const { return placeholder.empty(); }
  bool takes_file() const;
  bool takes_folder() const { return placeholder == "DIR"; }

  std::vector<std::string> values() const { return values_of ? values_of() : std::vector<std::string>(); }
};

struct CommandEntry {
  std::string name, summary;
  std::deque<OptionEntry> options;                            // addresses stay valid while options are added
  std::vector<std::pair<std::string, std::string>> examples;  // command, what it does
  std::vector<std::string> notes;                             // paragraphs below the options: exit codes
  bool hidden = false;                                        // not listed by `seesaw --help`

  std::string usage() const;  // "seesaw train [OPTIONS] DATA [MODEL]"
  const OptionEntry* find(std::string_view option) const;
  std::vector<std::string> groups() const;  // in the order of the first option of each
};

// "-q, --quiet", "--loss NAME", "DATA"
std::string signature(const OptionEntry& option);
// The description with the values, where they fit into `most` characters, and the default.
std::string explanation(const OptionEntry& option, std::size_t most);

// The known word that is nearest to `word` by edit distance (insertions, deletions, substitutions and swaps of
// neighbours), if near enough to be a typing error; leading dashes do not count. Otherwise empty.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

bool is_number(const std::string& text);

}  // namespace seesaw::app
