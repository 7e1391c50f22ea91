#include "data/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "seesaw/error.h"

namespace seesaw {

Spool::Spool(const std::string& beside) : path_(beside) {
  const std::size_t slash = beside.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : beside.substr(0, slash + 1);
  file_ = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file_ < 0) {  // a file system without O_TMPFILE
    std::string name = beside + ".tmpXXXXXX";
    file_ = mkostemp(name.data(), O_CLOEXEC);
    if (file_ >= 0) unlink(name.c_str());
  }
  if (file_ < 0) throw Error(fmt::format("cannot write a temporary file beside {}: {}.", beside, std::strerror(errno)));
}

Spool::~Spool() {
  if (file_ >= 0) close(file_);
}

void Spool::swap(Spool& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(size_, other.size_);
  std::swap(waiting_, other.waiting_);
}

void Spool::append(const void* bytes, std::size_t size) {
  waiting_.append({static_cast<const char*>(bytes), size});
  size_ += size;
  if (waiting_.size() >= buffer_size) flush();
}

void Spool::flush() {
  std::uint64_t at = size_ - waiting_.size();
  for (const char* from = waiting_.data(); from < waiting_.end();) {
    const ssize_t written =
        pwrite(file_, from, static_cast<std::size_t>(waiting_.end() - from), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      throw Error(fmt::format("cannot write a temporary file beside {}: {}.", path_, std::strerror(errno)));
    from += written;
    at += static_cast<std::uint64_t>(written);
  }
  waiting_.clear();
}

std::size_t Spool::load(std::uint64_t at, void* to, std::size_t size) const {
  std::size_t got = 0;
  while (got < size && at + got < size_) {
    const ssize_t part = pread(file_, static_cast<char*>(to) + got, size - got, static_cast<off_t>(at + got));
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) throw Error(fmt::format("a temporary file beside {} cannot be read.", path_));
    got += static_cast<std::size_t>(part);
  }
  return got;
}

}  // namespace seesaw
