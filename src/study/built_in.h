// The files of bench/papers, compiled into the program.
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
