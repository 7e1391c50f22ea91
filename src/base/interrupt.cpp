#include "base/interrupt.h"

#include <unistd.h>

#include <csignal>

namespace seesaw {
namespace {

constexpr int exit_code = 130;
volatile std::sig_atomic_t asked = 0;

extern "C" void end_at_once(int) { _exit(exit_code); }

extern "C" void remember(int signal) {
  asked = 1;
  std::signal(signal, end_at_once);
}

}  // namespace

void end_on_interrupts() {
  std::signal(SIGINT, end_at_once);
  std::signal(SIGTERM, end_at_once);
}

void catch_interrupts() {
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
}

bool interrupted() { return asked != 0; }

}  // namespace seesaw
