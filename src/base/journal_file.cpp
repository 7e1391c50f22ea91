#include "base/journal_file.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"
#include "base/output_path.h"
#include "seesaw/error.h"

namespace seesaw {

std::vector<std::string> read_lines(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error(fmt::format("cannot read {}: it is a directory.", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("cannot read {}: {}.", path, std::strerror(errno)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  return lines;
}

JournalFile::JournalFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path_, ignored);
  created_ = !exists;
  const bool readable = exists && (std::filesystem::is_regular_file(path_, ignored) ||
                                   std::filesystem::is_directory(path_, ignored));  // a device has no lines
  if (readable) read_lines(path_);  // throws before the file is opened for writing
  open();
  if (readable) lines_ = read_lines(path_);
}

JournalFile::~JournalFile() {
  if (file_ == nullptr) return;
  file_.reset();
  if (created_ && !written_) std::remove(path_.c_str());
}

void JournalFile::open() {
  file_.reset(open_output(OutputPath::of(path_), "ab"));
  if (file_ == nullptr) throw Error(fmt::format("cannot write {}: {}.", path_, std::strerror(errno)));
  if (flock(fileno(file_.get()), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error(
        fmt::format("{} is being written by another seesaw process; wait for it, or choose another name.", path_));
}

void JournalFile::keep(std::size_t count) {
  std::error_code no_size;  // devices have no size
  const std::uintmax_t size = std::filesystem::file_size(path_, no_size);
  if (no_size) return;
  std::uintmax_t length = 0;
  for (std::size_t k = 0; k < count; ++k) length += lines_[k].size() + 1;
  if (length < size) std::filesystem::resize_file(path_, length);
  if (length > size) std::fputc('\n', file_.get());  // after its last line
}

void JournalFile::append(const std::string& text) {
  std::error_code no_size;
  const std::uintmax_t before = std::filesystem::file_size(path_, no_size);
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0) {
    const std::string why = std::strerror(errno);
    if (!no_size) std::filesystem::resize_file(path_, before, no_size);  // no partial entry
    throw Error(fmt::format("cannot write {}: {}; earlier runs are kept.", path_, why));
  }
  written_ = true;
}

void JournalFile::rewrite(const std::vector<std::string>& lines) {
  AtomicFile file(path_);
  for (const std::string& line : lines) file.write(line + "\n");
  file.commit();
  written_ = true;
  file_.reset();
  open();
}

}  // namespace seesaw
