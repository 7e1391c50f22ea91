#include "base/mapped_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <string_view>

namespace seesaw {
namespace {

// Read by a signal handler: no locks and no allocation. More files than this are mapped, but not known.
struct Range {
  std::atomic<std::uintptr_t> begin{0}, end{0};
};
constexpr std::size_t most = 256;
std::array<Range, most> ranges;

extern "C" void on_bus_error(int, siginfo_t* info, void*) {
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const Range& range : ranges) {
    if (at < range.begin || at >= range.end) continue;
    constexpr std::string_view sentence =
        "seesaw: a .ssw cache became shorter while it was in use; make it again from the text, and run this again.\n";
    const ssize_t written = write(STDERR_FILENO, sentence.data(), sentence.size());
    static_cast<void>(written);  // where it cannot be said, the exit code still does
    _exit(2);
  }
  std::signal(SIGBUS, SIG_DFL);  // of something else: the access is repeated and ends the program
}

}  // namespace

MappedFile::MappedFile(const void* begin, std::size_t size) : place_(most) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  for (std::size_t k = 0; k < most && place_ == most; ++k) {
    std::uintptr_t free = 0;
    if (!ranges[k].begin.compare_exchange_strong(free, first)) continue;
    ranges[k].end = first + size;
    place_ = k;
  }
}

MappedFile::~MappedFile() {
  if (place_ == most) return;
  ranges[place_].end = 0;
  ranges[place_].begin = 0;
}

void end_where_mapped_files_shrink() {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace seesaw
