#include "base/interrupt.h"

#include <unistd.h>

#include <csignal>

namespace seesaw {
namespace {

constexpr int exit_code = 130;
volatile std::sig_atomic_t interrupt_received = 0;

extern "C" void exit_now(int) { _exit(exit_code); }

extern "C" void record_interrupt(int signal) {
  interrupt_received = 1;
  std::signal(signal, exit_now);
}

}  // namespace

void end_on_interrupts() {
  std::signal(SIGINT, exit_now);
  std::signal(SIGTERM, exit_now);
}

void catch_interrupts() {
  std::signal(SIGINT, record_interrupt);
  std::signal(SIGTERM, record_interrupt);
}

bool interrupted() { return interrupt_received != 0; }

}  // namespace seesaw
