// A registry of memory-mapped files by address range. If such a file is truncated, an access beyond its new end raises
// SIGBUS; a program that called exit_when_mapped_files_shrink() then prints a message and exits with code 2 instead of
// crashing. The library installs no handler by itself.
#pragma once

#include <cstddef>

namespace seesaw {

// The message, without the name of the file, of a literal's lifetime: a signal handler writes it.
inline constexpr const char* cache_shrank =
    "seesaw: a .ssw cache became shorter while it was in use; recreate it from the text, then rerun.\n";
inline constexpr const char* text_shrank =
    "seesaw: a data file became shorter while it was being read; rerun when it is complete.\n";

class MappedFile {  // registers the range for its lifetime
 public:
  MappedFile(const void* begin, std::size_t size, const char* message);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

 private:
  std::size_t place_;
};

void exit_when_mapped_files_shrink();
void report_shrunk_files_to(int descriptor);  // instead of standard error

}  // namespace seesaw
