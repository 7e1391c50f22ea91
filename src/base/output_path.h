// Resolves a path to write to: symbolic links are followed, and names of open descriptors (/dev/stdout, /dev/fd/3,
// /proc/self/fd/3) are recognized, for any kind of file.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace seesaw {

struct OutputPath {
  std::optional<int> descriptor;  // set if the path names an open one
  std::string target;             // otherwise: the path with all links resolved; it need not exist

  static OutputPath of(const std::string& path);
  bool direct() const;  // a descriptor, device or pipe: written to, never replaced
};

// Opens it for writing as fopen does, mode "wb" or "ab"; a descriptor is duplicated, so that its position is shared.
std::FILE* open_output(const OutputPath& path, const char* mode);

bool is_standard_output(const std::string& path);  // writing to the path writes to standard output

}  // namespace seesaw
