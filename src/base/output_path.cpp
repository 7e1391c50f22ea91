#include "base/output_path.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <memory>

#include "base/interrupt.h"

namespace seesaw {
namespace {

std::string real_folder(const std::string& folder) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(folder.c_str(), nullptr), std::free);
  return real ? real.get() : folder;
}

// N of /proc/<this process>/fd/N.
std::optional<int> descriptor_named(const std::string& folder, const std::string& name) {
  if (folder != fmt::format("/proc/{}/fd", getpid())) return std::nullopt;
  int number = -1;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool open = code == std::errc() && end == name.data() + name.size() && fcntl(number, F_GETFD) != -1;
  return open ? std::optional(number) : std::nullopt;
}

}  // namespace

OutputPath OutputPath::of(const std::string& path) {
  constexpr int most_links = 40;
  std::string here = path;
  for (int links = 0; links < most_links; ++links) {
    const std::size_t slash = here.find_last_of('/');
    const std::string folder = slash == std::string::npos ? "." : here.substr(0, slash + 1);
    const std::string name = slash == std::string::npos ? here : here.substr(slash + 1);
    if (const auto descriptor = descriptor_named(real_folder(folder), name)) return {descriptor, here};
    std::array<char, PATH_MAX> link;
    const ssize_t size = readlink(here.c_str(), link.data(), link.size());
    if (size < 0) return {std::nullopt, here};
    const std::string to(link.data(), static_cast<std::size_t>(size));
    here = to.starts_with('/') || slash == std::string::npos ? to : folder + to;
  }
  return {std::nullopt, path};  // a cycle of links: opening it fails with ELOOP
}

bool OutputPath::direct() const {
  if (descriptor) return true;
  struct stat about {};
  return stat(target.c_str(), &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

std::FILE* open_output(const OutputPath& path, const char* mode) {
  if (!path.descriptor) {
    struct stat about {};
    if (stat(path.target.c_str(), &about) != 0 || !S_ISFIFO(about.st_mode))
      return std::fopen(path.target.c_str(), mode);
    const EndOnInterrupts ending;  // opening a pipe waits for its reader
    return std::fopen(path.target.c_str(), mode);
  }
  std::fflush(nullptr);  // earlier buffered output comes first
  const int copy = fcntl(*path.descriptor, F_DUPFD_CLOEXEC, 3);
  return copy < 0 ? nullptr : fdopen(copy, mode);
}

bool is_standard_output(const std::string& path) {
  if (path.empty()) return false;
  const OutputPath output = OutputPath::of(path);
  if (output.descriptor == STDOUT_FILENO) return true;
  struct stat there {
  }, here{};
  const bool known = output.descriptor ? fstat(*output.descriptor, &there) == 0 : stat(path.c_str(), &there) == 0;
  return known && output.direct() && !S_ISCHR(there.st_mode) && fstat(STDOUT_FILENO, &here) == 0 &&
         there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

}  // namespace seesaw
