#include "base/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace seesaw {
namespace {

constexpr int exit_code = 130;
volatile std::sig_atomic_t interrupt_received = 0;
bool catching = false;  // by the program's main thread

std::atomic<const char*> temporary_file = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free);  // used by the signal handlers

void remove_temporary_file() {
  if (const char* const path = temporary_file) unlink(path);
}

extern "C" void exit_now(int) {
  remove_temporary_file();
  _exit(exit_code);
}

extern "C" void record_interrupt(int signal, siginfo_t* info, void*) {
  interrupt_received = 1;
  if (info->si_code <= 0 && info->si_pid == getppid()) remove_temporary_file();  // sent by kill(), not by a terminal
  std::signal(signal, exit_now);
}

}  // namespace

void end_on_interrupts() {
  catching = false;
  std::signal(SIGINT, exit_now);
  std::signal(SIGTERM, exit_now);
}

void catch_interrupts() {
  catching = true;
  struct sigaction action {};
  action.sa_sigaction = record_interrupt;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

EndOnInterrupts::EndOnInterrupts() : changed_(catching && !interrupted()) {
  if (changed_) end_on_interrupts();
}
EndOnInterrupts::~EndOnInterrupts() {
  if (changed_) catch_interrupts();
}

bool interrupted() { return interrupt_received != 0; }

void RemoveOnInterrupt::remove(const std::string& path) {
  path_ = path;
  temporary_file = path_.c_str();
}
void RemoveOnInterrupt::keep() {
  if (!path_.empty()) temporary_file = nullptr;
}

}  // namespace seesaw
