// Tasks that are few and long, such as whole runs: as many at a time as there are lanes, started in order. A thread that
// waits within its task does not take up another one meanwhile (isolate): their clocks would count each other's work.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>

#include "base/function_ref.h"

namespace seesaw {

class TaskLanes {
 public:
  explicit TaskLanes(std::size_t count) : count_(count) {}

  std::size_t count() const { return count_; }
  // A task has thrown: the others are to end soon, and none is started.
  bool failed() const { return failed_; }

  // task(k) for k = 0 .. tasks - 1. Rethrows the first exception after all have ended.
  void run(std::size_t tasks, FunctionRef<void(std::size_t)> task);

 private:
  std::size_t count_;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
};

}  // namespace seesaw
