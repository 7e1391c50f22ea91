#include "base/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

namespace seesaw {

void parallel_chunks(const Chunks& chunks, FunctionRef<void(std::size_t, std::size_t, std::size_t)> body) {
  if (chunks.count == 1) return body(std::size_t{0}, chunks.begin(0), chunks.end(0));
  tbb::parallel_for(std::size_t{0}, chunks.count,
                    [&](std::size_t chunk) { body(chunk, chunks.begin(chunk), chunks.end(chunk)); });
}

void parallel_workers(std::size_t count, FunctionRef<void(std::size_t)> body) {
  if (count == 1) return body(std::size_t{0});
  tbb::parallel_for(
      std::size_t{0}, count, [&](std::size_t worker) { body(worker); }, tbb::simple_partitioner());
}

void parallel_inside(std::size_t count, FunctionRef<void(std::size_t)> body) {
  if (count == 1) return body(std::size_t{0});
  tbb::this_task_arena::isolate([&] { parallel_workers(count, body); });
}

void parallel_pair(FunctionRef<void()> one, FunctionRef<void()> other) {
  tbb::this_task_arena::isolate([&] { tbb::parallel_invoke([&] { one(); }, [&] { other(); }); });
}

}  // namespace seesaw
