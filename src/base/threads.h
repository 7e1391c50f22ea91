// The number of threads available. Results must not depend on it.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>

namespace seesaw {

// What a user may request: each thread takes memory of its own, with or without work.
inline constexpr int most_threads = 1024;

// The number of tasks that can run in parallel here, at least 1.
inline std::size_t available_threads() {
  const std::size_t allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::clamp<std::size_t>(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()), 1, allowed);
}

}  // namespace seesaw
