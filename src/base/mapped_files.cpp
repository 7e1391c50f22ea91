#include "base/mapped_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <string_view>

namespace seesaw {
namespace {

// Read by a signal handler: no locks and no allocation. Files beyond `most` are mapped but not registered.
struct Range {
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<const char*> message{nullptr};
};
constexpr std::size_t most = 256;
std::array<Range, most> ranges;
std::atomic<int> report_to = STDERR_FILENO;

extern "C" void on_bus_error(int, siginfo_t* info, void*) {
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const Range& range : ranges) {
    if (at < range.begin || at >= range.end) continue;
    static std::atomic_flag reported;
    while (reported.test_and_set()) pause();  // several threads can be here: one reports, and ends them all
    const std::string_view message(range.message);
    const ssize_t written = write(report_to, message.data(), message.size());
    static_cast<void>(written);  // if the message cannot be written, the exit code still reports the error
    _exit(2);
  }
  std::signal(SIGBUS, SIG_DFL);  // not a registered file: the access is repeated with the default action
}

}  // namespace

MappedFile::MappedFile(const void* begin, std::size_t size, const char* message) : place_(most) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  for (std::size_t k = 0; k < most && place_ == most; ++k) {
    std::uintptr_t free = 0;
    if (!ranges[k].begin.compare_exchange_strong(free, first)) continue;
    ranges[k].message = message;
    ranges[k].end = first + size;
    place_ = k;
  }
}

MappedFile::~MappedFile() {
  if (place_ == most) return;
  ranges[place_].end = 0;
  ranges[place_].begin = 0;
}

void report_shrunk_files_to(int descriptor) { report_to = descriptor; }

void exit_when_mapped_files_shrink() {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace seesaw
