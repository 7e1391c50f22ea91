#include "base/interrupt.h"

#include <csignal>

namespace seesaw {
namespace {

volatile std::sig_atomic_t asked = 0;

extern "C" void remember(int signal) {
  asked = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
}

bool interrupted() { return asked != 0; }

}  // namespace seesaw
