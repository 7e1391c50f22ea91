#include "command.h"

#include <string_view>

namespace seesaw::app {

std::string shell_quoted(const std::vector<std::string>& words) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char letter : word) line += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    line += '\'';
  }
  return line;
}

std::string base_name(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  for (const char* ending : {".gz", ".bz2", ".xz", ".zst"})
    if (const std::string e = ending; name.size() > e.size() && name.ends_with(e))
      return name.substr(0, name.size() - e.size());
  return name;
}

}  // namespace seesaw::app
