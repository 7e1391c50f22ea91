// SIGINT (Ctrl-C) and SIGTERM.
//
// While there is no result to keep (reading data), a signal exits immediately with exit code 130. After
// catch_interrupts() the first signal sets a flag that loops poll with interrupted(); a second one exits immediately.
#pragma once

#include <string>

namespace seesaw {

void end_on_interrupts();  // at the start of the program; the library itself installs no signal handlers
void catch_interrupts();
bool interrupted();

// Within its lifetime a signal exits immediately although catch_interrupts() was called: for calls of the system that block
// and do not end by a signal. Without that call it changes nothing.
class EndOnInterrupts {
 public:
  EndOnInterrupts();
  ~EndOnInterrupts();
  EndOnInterrupts(const EndOnInterrupts&) = delete;
  EndOnInterrupts& operator=(const EndOnInterrupts&) = delete;

 private:
  bool changed_;
};

// A temporary file with a name, which a signal that ends the process removes: the second one, or one from the parent
// process, which is mpirun where several processes write the file, and kills them soon after. One at a time per process.
class RemoveOnInterrupt {
 public:
  RemoveOnInterrupt() = default;
  ~RemoveOnInterrupt() { keep(); }
  RemoveOnInterrupt(const RemoveOnInterrupt&) = delete;
  RemoveOnInterrupt& operator=(const RemoveOnInterrupt&) = delete;
  void remove(const std::string& path);
  void keep();

 private:
  std::string path_;
};

}  // namespace seesaw
