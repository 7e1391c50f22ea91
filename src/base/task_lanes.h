// Tasks that are few and long, such as whole runs: as many at a time as there are lanes, started in order. A thread that
// waits within its task does not take up another one meanwhile (isolate): their clocks would count each other's work.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <exception>

namespace seesaw {

class TaskLanes {
 public:
  explicit TaskLanes(std::size_t count) : count_(count) {}

  std::size_t count() const { return count_; }
  // A task has thrown: the others are to end soon, and none is started.
  bool failed() const { return failed_; }

  // task(k) for k = 0 .. tasks - 1. Rethrows the first exception after all have ended.
  template <class Task>
  void run(std::size_t tasks, const Task& task) {
    std::atomic<std::size_t> next = 0;
    tbb::parallel_for(std::size_t{0}, count_, [&](std::size_t) {
      tbb::this_task_arena::isolate([&] {
        for (std::size_t at = next++; at < tasks && !failed_; at = next++) try {
            task(at);
          } catch (...) {  // not passed to TBB, which would cancel the loops of the other tasks
            if (!failed_.exchange(true)) failure_ = std::current_exception();
          }
      });
    });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::size_t count_;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
};

}  // namespace seesaw
