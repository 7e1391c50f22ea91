#include "option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <numeric>

namespace seesaw::app {
namespace {

std::string_view without_dashes(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

// Optimal string alignment distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

bool OptionEntry::takes_file() const {
  constexpr std::array files = {"FILE", "DATA", "MODEL", "OUT", "LINES", "PAGE", "PATH"};
  return std::any_of(files.begin(), files.end(), [this](const char* word) { return placeholder.starts_with(word); });
}

std::string CommandEntry::usage() const {
  std::string text = "seesaw " + name;
  if (std::any_of(options.begin(), options.end(), [](const OptionEntry& option) { return !option.positional; }))
    text += " [OPTIONS]";
  for (const OptionEntry& option : options)
    if (option.positional) {
      const std::string word =
          option.name + (option.repeatable && option.name.find("...") == std::string::npos ? " ..." : "");
      text += option.required ? " " + word : " [" + word + "]";
    }
  return text;
}

const OptionEntry* CommandEntry::find(std::string_view option) const {
  const auto found = std::find_if(options.begin(), options.end(), [&](const OptionEntry& entry) {
    return entry.name == option || (!entry.short_name.empty() && entry.short_name == option);
  });
  return found == options.end() ? nullptr : &*found;
}

std::vector<std::string> CommandEntry::groups() const {
  std::vector<std::string> names;
  for (const OptionEntry& option : options)
    if (std::find(names.begin(), names.end(), option.group) == names.end()) names.push_back(option.group);
  return names;
}

std::string signature(const OptionEntry& option) {
  if (option.positional) return option.name;
  return fmt::format("{}{}{}{}{}", option.short_name, option.short_name.empty() ? "" : ", ", option.name,
                     option.flag() ? "" : " ", option.placeholder);
}

std::string explanation(const OptionEntry& option, std::size_t most) {
  std::string text = option.description;
  if (const std::string list = fmt::format("{}", fmt::join(option.values(), ", "));
      option.level != Level::of_method && !list.empty() && list.size() <= most && text.find('\n') == std::string::npos)
    text += ": " + list;
  if (!option.standard.empty()) text += fmt::format(" (default {})", option.standard);
  return text;
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  // Names that other programs have for the same thing.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> synonyms = {{{"tol", "--gap"},
                                                                                      {"tolerance", "--gap"},
                                                                                      {"max-iter", "--max-passes"},
                                                                                      {"epochs", "--max-passes"},
                                                                                      {"penalty", "--reg"},
                                                                                      {"method", "--solver"}}};
  const std::string_view bare = without_dashes(word);
  for (const auto& [other, name] : synonyms)
    if (bare == other && std::find(known.begin(), known.end(), name) != known.end()) return std::string(name);
  const auto lower = [](unsigned char letter) { return std::tolower(letter); };
  for (const std::string& name : known)  // --c, --Loss
    if (std::ranges::equal(bare, without_dashes(name), {}, lower, lower)) return name;
  std::string best;
  std::size_t least = std::max<std::size_t>(1, bare.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::string_view candidate = without_dashes(name);
    const std::size_t far =
        bare.size() >= 3 && candidate.starts_with(bare) ? 1 : distance(bare, candidate);  // a name that was cut short
    if (far < least && far < candidate.size()) {
      least = far;
      best = name;
    }
  }
  return best;
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

}  // namespace seesaw::app
