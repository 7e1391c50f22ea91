#include "data/disk_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "seesaw/error.h"

namespace seesaw {
namespace {

// What direct reads need of places in the file, of sizes and of addresses: the largest block of usual disks.
constexpr std::uint64_t block = 4096;

}  // namespace

DiskFile::DiskFile(const std::string& path) : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) throw Error(fmt::format("{}: cannot be opened ({}); give a .ssw cache.", path, std::strerror(errno)));
  struct stat about {};
  fstat(file_, &about);
  size_ = static_cast<std::uint64_t>(about.st_size);
  regular_ = S_ISREG(about.st_mode);
  posix_fadvise(file_, 0, 0, POSIX_FADV_SEQUENTIAL);  // the system reads ahead as well
#ifdef O_DIRECT
  if (!regular_ || size_ < block) return;
  map_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file_, 0);
  if (map_ == MAP_FAILED) map_ = nullptr;
  else direct_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
#endif
}

DiskFile::~DiskFile() {
  close(file_);
  if (direct_ >= 0) close(direct_);
  if (map_ != nullptr) munmap(map_, size_);
}

void DiskFile::read(std::uint64_t at, void* to, std::uint64_t bytes) const {
  auto* place = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got =
        pread(file_, place, std::min<std::uint64_t>(bytes, std::uint64_t{1} << 30), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(fmt::format("{}: cannot be read ({}).", path_, std::strerror(errno)));
    if (got == 0) throw Error(fmt::format("{}: became shorter while it was in use; recreate it from the text.", path_));
    place += got;
    at += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::uint64_t>(got);
  }
}

void DiskFile::read_again(std::uint64_t at, void* to, std::uint64_t bytes) const {
  const bool possible = direct_ >= 0 && bytes >= block && at % block == 0 &&
                        reinterpret_cast<std::uintptr_t>(to) % block == 0 && directly_.load(std::memory_order_relaxed);
  if (!possible || cached(at, bytes)) return read(at, to, bytes);
  const std::uint64_t whole = bytes / block * block;
  if (!read_directly(at, to, whole)) return read(at, to, bytes);
  read(at + whole, static_cast<char*>(to) + whole, bytes - whole);
}

// Whether the page cache has (nearly) all of a part. Where the system does not say, it has.
bool DiskFile::cached(std::uint64_t at, std::uint64_t bytes) const {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)), begin = at / page * page,
             size = at + bytes - begin;
  std::vector<unsigned char> pages((size + page - 1) / page);
  if (mincore(static_cast<char*>(map_) + begin, size, pages.data()) != 0) return true;
  const auto absent = static_cast<std::size_t>(
      std::count_if(pages.begin(), pages.end(), [](unsigned char state) { return (state & 1) == 0; }));
  return absent <= pages.size() / 8;
}

// False: the file system refuses, now or always.
bool DiskFile::read_directly(std::uint64_t at, void* to, std::uint64_t bytes) const {
  auto* place = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = pread(direct_, place, bytes, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || static_cast<std::uint64_t>(got) % block != 0) {
      if (got < 0) directly_.store(false, std::memory_order_relaxed);
      return false;
    }
    place += got;
    at += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::uint64_t>(got);
  }
  return true;
}

}  // namespace seesaw
