#include "base/threads.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace seesaw {

std::size_t available_threads() {
  const std::size_t allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::clamp<std::size_t>(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()), 1, allowed);
}

}  // namespace seesaw
