// Nesting depth of the brackets of a JSON text. Parsers and their results recurse, so the depth is checked before a
// text is parsed. Files written by this program have depth at most 6.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

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

// The position of the first key that occurs twice in its object, or is written with a backslash: other readers of the text
// may take another of its values. Precondition: nested_deeper() is nothing. Texts that are no JSON may have any answer.
inline std::optional<std::size_t> ambiguous_key(std::string_view text) {
  struct Open {
    bool object;  // otherwise a list, without keys
    std::set<std::string_view> keys = {};
  };
  std::vector<Open> open;
  bool key = false;  // the next string is a key
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '"') {
      const std::size_t begin = at;
      bool escaped = false;
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') {
          escaped = true;
          ++at;
        }
      if (key && (escaped || !open.back().keys.insert(text.substr(begin, at - begin)).second)) return begin;
      key = false;
    } else if (letter == '{' || letter == '[') {
      key = letter == '{';
      open.push_back({key});
    } else if ((letter == '}' || letter == ']') && !open.empty()) {
      open.pop_back();
      key = false;
    } else if (letter == ',') {
      key = !open.empty() && open.back().object;
    }
  }
  return std::nullopt;
}

}  // namespace seesaw
