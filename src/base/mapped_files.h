// Files that are mapped into memory, known by their addresses. Whoever cuts such a file short makes every access beyond
// its new end a SIGBUS; a program that calls end_where_mapped_files_shrink() then ends with a sentence and exit code 2
// instead of a crash. The library installs no handler by itself.
#pragma once

#include <cstddef>

namespace seesaw {

class MappedFile {  // while it lives, the range is known
 public:
  MappedFile(const void* begin, std::size_t size);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

 private:
  std::size_t place_;
};

void end_where_mapped_files_shrink();

}  // namespace seesaw
