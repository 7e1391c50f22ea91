// What a path to write to stands for: links are followed, and names of open descriptors (/dev/stdout, /dev/fd/3,
// /proc/self/fd/3) are recognized, whatever they are open on.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace seesaw {

struct OutputPath {
  std::optional<int> descriptor;  // where the path names one that is open
  std::string target;             // otherwise: the path behind all links; it need not exist

  static OutputPath of(const std::string& path);
  bool direct() const;  // a descriptor, device or pipe: written to, never replaced
};

// Opens it for writing as fopen does, mode "wb" or "ab"; a descriptor is duplicated, so that its position is shared.
std::FILE* open_output(const OutputPath& path, const char* mode);

bool is_standard_output(const std::string& path);  // what is written there comes out of standard output

}  // namespace seesaw
