// The files of bench/papers as they were when the program was built, so that it needs none of them when it runs.
#pragma once

#include <span>
#include <string_view>

namespace seesaw {

struct BuiltInFile {
  std::string_view name;  // without .toml
  std::string_view text;
};
std::span<const BuiltInFile> built_in_papers();

}  // namespace seesaw
