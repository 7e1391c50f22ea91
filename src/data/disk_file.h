// A file of which parts are read into given memory, by several threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace seesaw {

class DiskFile {
 public:
  explicit DiskFile(const std::string& path);  // throws Error
  ~DiskFile();
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;

  std::uint64_t size() const { return size_; }
  bool regular() const { return regular_; }
  const std::string& path() const { return path_; }

  // Throws Error.
  void read(std::uint64_t at, void* to, std::uint64_t bytes) const;
  // The same for a part that was read before: if the page cache of the system has it no longer, the file is larger than
  // what the system caches, and the part is read past it, which saves the copy and leaves the cache to the other parts.
  void read_again(std::uint64_t at, void* to, std::uint64_t bytes) const;

 private:
  bool cached(std::uint64_t at, std::uint64_t bytes) const;
  bool read_directly(std::uint64_t at, void* to, std::uint64_t bytes) const;

  std::string path_;
  int file_, direct_ = -1;  // direct_: past the page cache; -1: the file system cannot
  std::uint64_t size_ = 0;
  void* map_ = nullptr;  // never accessed: to ask what the page cache has
  bool regular_ = false;
  mutable std::atomic<bool> directly_ = true;
};

}  // namespace seesaw
