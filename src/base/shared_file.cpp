#include "base/shared_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <vector>

#include "base/first_rank.h"
#include "base/output_path.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::size_t piece = std::size_t{4} << 20;  // bytes

}  // namespace

SharedFile::SharedFile(Ranks& ranks, const std::string& path, bool by_first) : ranks_(ranks), path_(path) {
  if (ranks_.first()) {
    target_ = OutputPath::of(path).target;
    // Unpredictable: a file of this name on another machine is the same file.
    std::random_device source;
    temporary_ = fmt::format("{}.tmp{}-{:08x}{:08x}", target_, getpid(), source(), source());
  }
  temporary_ = text_of_rank(ranks_, 0, temporary_);
  removal_.remove(temporary_);
  if (ranks_.first()) {
    file_ = open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    struct stat about {};
    if (file_ < 0) fail("open");
    else if (stat(target_.c_str(), &about) == 0) fchmod(file_, about.st_mode & 07777);
  }
  agree();
  if (!ranks_.first()) file_ = open(temporary_.c_str(), O_WRONLY | O_CLOEXEC);
  by_all_ = !by_first;
  for (const char opened : ranks_.gather(static_cast<char>(file_ >= 0))) by_all_ = by_all_ && opened != 0;
}

SharedFile::~SharedFile() {
  if (file_ >= 0) close(file_);
  if (ranks_.first() && !committed_) unlink(temporary_.c_str());
}

void SharedFile::put(std::size_t position, std::span<const std::byte> bytes) {
  while (!bytes.empty() && problem_.empty()) {
    const ssize_t written = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(position));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail("write");
    position += static_cast<std::size_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void SharedFile::write(std::size_t position, std::span<const std::byte> own) {
  if (by_all_) return put(position, own);
  struct Place {
    std::size_t position, bytes;
  };
  const std::vector<Place> places = ranks_.gather(Place{position, own.size()});
  if (!ranks_.first()) {
    for (std::size_t at = 0; at < own.size(); at += piece)
      ranks_.send(0, own.data() + at, std::min(piece, own.size() - at));
    return;
  }
  put(position, own);
  std::vector<std::byte> received;
  for (std::size_t rank = 1; rank < places.size(); ++rank)
    for (std::size_t at = 0; at < places[rank].bytes; at += piece) {
      received.resize(std::min(piece, places[rank].bytes - at));
      ranks_.receive(static_cast<int>(rank), received.data(), received.size());
      put(places[rank].position + at, received);
    }
}

void SharedFile::prepare() {
  if (file_ >= 0 && problem_.empty() && fsync(file_) != 0) fail("write");
  agree();
}

void SharedFile::commit() {
  prepare();
  if (ranks_.first() && std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write");
  agree();
  committed_ = true;
  removal_.keep();
}

void SharedFile::fail(const char* operation) {
  problem_ = fmt::format("cannot {} {}: {}; nothing was changed there.", operation, path_, std::strerror(errno));
}

void SharedFile::agree() {
  on_each(ranks_, [&] {
    if (!problem_.empty()) throw Error(problem_);
  });
}

}  // namespace seesaw
