// work() in an arena of `count` threads, more than the machine has if need be.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>

namespace seesaw::test {

inline constexpr std::size_t thread_counts[] = {1, 2, 3, 8, 64};

template <class Work>
auto in_threads(std::size_t count, const Work& work) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, count);
  tbb::task_arena arena(static_cast<int>(count));
  return arena.execute(work);
}

}  // namespace seesaw::test
