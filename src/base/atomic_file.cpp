#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/output_path.h"
#include "seesaw/error.h"

namespace seesaw {

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  const OutputPath output = OutputPath::of(path_);
  target_ = output.target;
  struct stat about {};
  const bool exists = stat(target_.c_str(), &about) == 0;
  if (!exists && errno == ELOOP) fail("open");
  if (exists && S_ISDIR(about.st_mode)) throw Error(fmt::format("cannot write {}: it is a directory.", path_));
  direct_ = output.direct();
  if (direct_) {
    file_ = open_output(output, "wb");
  } else {
    // O_TMPFILE: a file without a name is deleted by the system even if the process is killed. It gets its name through
    // /proc. Without /proc, or on file systems without O_TMPFILE, the temporary file has a name from the start.
    temporary_ = fmt::format("{}.tmp{}", target_, getpid());
    const std::size_t slash = target_.find_last_of('/');
    const std::string folder = slash == std::string::npos ? "." : target_.substr(0, slash + 1);
    const bool can_be_named = access("/proc/self/fd", X_OK) == 0;
    const int unnamed = can_be_named ? open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    if (unnamed >= 0) file_ = fdopen(unnamed, "wb");
    named_ = file_ == nullptr;
    if (named_) file_ = std::fopen(temporary_.c_str(), "wb");
  }
  if (file_ == nullptr) fail("open");
  if (exists && !direct_) fchmod(fileno(file_), about.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (!direct_ && named_) std::remove(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
  if (text.empty()) return;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("write");
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

bool AtomicFile::link_to(const std::string& name) const {
  const std::string unnamed = fmt::format("/proc/self/fd/{}", fileno(file_));
  return linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

void AtomicFile::prepare() {
  if (std::fflush(file_) != 0) fail("write");
  if (!direct_ && fsync(fileno(file_)) != 0) fail("write");
}

void AtomicFile::commit() {
  prepare();
  if (direct_) return;
  if (!named_) {
    // A new file gets its name in one step. A file that exists can only be replaced by one that has another name.
    if (link_to(target_)) return;
    if (errno != EEXIST) fail("write");
    std::remove(temporary_.c_str());
    if (!link_to(temporary_)) fail("write");
    named_ = true;
  }
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write");
  named_ = false;  // renamed: nothing to remove
}

void AtomicFile::fail(const char* operation) const {
  throw Error(fmt::format("cannot {} {}: {}{}", operation, path_, std::strerror(errno),
                          direct_ ? "." : "; nothing was changed there."));
}

}  // namespace seesaw
