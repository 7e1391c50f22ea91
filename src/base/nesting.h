// Nesting depth of the brackets of a JSON text. Parsers and their results recurse, so the depth is checked before a
// text is parsed. Files written by this program have depth at most 6.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace seesaw {

inline constexpr std::size_t deepest_json = 100;

// The position of the first bracket at a depth greater than `most`. Brackets within strings do not count.
inline std::optional<std::size_t> nested_deeper(std::string_view text, std::size_t most = deepest_json) {
  std::size_t depth = 0;
  bool inside_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (inside_string) {
      if (letter == '\\') ++at;
      else if (letter == '"') inside_string = false;
    } else if (letter == '"') {
      inside_string = true;
    } else if (letter == '[' || letter == '{') {
      if (++depth > most) return at;
    } else if ((letter == ']' || letter == '}') && depth > 0) {
      --depth;
    }
  }
  return std::nullopt;
}

}  // namespace seesaw
