// The sets of LIBSVM's page, as .xz files, in $SEESAW_DATA, else in data/ of the source tree.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace seesaw::test {

inline std::filesystem::path path_of(const std::string& file) {
  const char* given = std::getenv("SEESAW_DATA");
  const auto folder =
      given != nullptr ? std::filesystem::path(given) : std::filesystem::path(SEESAW_SOURCE_DIR) / "data";
  return folder / (file + ".xz");
}

// Why a test on this set is skipped; empty if the set exists.
inline std::string skip_reason(const std::string& file) {
  return std::filesystem::exists(path_of(file))
             ? ""
             : "there is no " + path_of(file).string() + "; set SEESAW_DATA to a folder with LIBSVM sets as .xz files.";
}

}  // namespace seesaw::test
