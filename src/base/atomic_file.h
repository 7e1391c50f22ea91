// Atomic replacement of a file: written to a temporary file in the same folder, then renamed. If anything fails before
// commit(), the previous file is unchanged and the temporary file is removed. Symbolic links are followed: their target
// is replaced and keeps its permissions. Descriptors (/dev/stdout), devices and pipes are written to directly.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace seesaw {

class AtomicFile {
 public:
  explicit AtomicFile(std::string path);  // throws Error if the target cannot be written
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  // Flushes and syncs: what remains for commit() needs no space. For files that belong together: all are prepared before
  // one is renamed.
  void prepare();
  void commit();  // prepares, renames

 private:
  [[noreturn]] void fail(const char* operation) const;
  bool link_to(const std::string& name) const;  // the temporary file, which has no name
  std::string path_;                            // as given, for messages
  std::string target_;                          // with symbolic links resolved
  std::string temporary_;
  std::FILE* file_ = nullptr;
  bool direct_ = false;  // written in place
  bool named_ = false;   // the temporary file has a name in its folder
};

}  // namespace seesaw
