#include "base/task_lanes.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace seesaw {

void TaskLanes::run(std::size_t tasks, FunctionRef<void(std::size_t)> task) {
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

}  // namespace seesaw
