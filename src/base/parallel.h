// Parallel loops whose result does not depend on the number of threads: the range is divided into chunks by its size
// alone, each chunk is processed by one thread, and partial results are combined in the order of the chunks. For loops
// without a sum and for sums over features; sums over rows go through base/tree_sum.h.
//
// The bodies are passed by reference, not as template parameters: TBB's templates are compiled once, in parallel.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/function_ref.h"
#include "base/threads.h"

namespace seesaw {

struct Chunks {
  std::size_t size;   // of the range
  std::size_t count;  // of chunks

  std::size_t begin(std::size_t chunk) const { return size * chunk / count; }
  std::size_t end(std::size_t chunk) const { return size * (chunk + 1) / count; }
};

// Chunks of at least `grain` elements, at most `most` of them.
inline Chunks chunks_of(std::size_t size, std::size_t grain = 2048, std::size_t most = 64) {
  return {size, std::clamp<std::size_t>(size / std::max<std::size_t>(grain, 1), 1, most)};
}

// body(chunk, begin, end) for every chunk, in parallel.
void parallel_chunks(const Chunks& chunks, FunctionRef<void(std::size_t, std::size_t, std::size_t)> body);

// body(worker) for 0 <= worker < count, in parallel, one task each: for workers that take pieces of work in order.
void parallel_workers(std::size_t count, FunctionRef<void(std::size_t)> body);

// The same inside another task: a thread that waits takes no other work.
void parallel_inside(std::size_t count, FunctionRef<void(std::size_t)> body);

// Two independent tasks in parallel; a thread that waits takes work only from this pair.
void parallel_pair(FunctionRef<void()> one, FunctionRef<void()> other);

// The sum of partial(begin, end) over all chunks of a range that is not one of rows. Sum needs += and a default value that is zero.
template <class Sum, class Partial>
Sum parallel_sum(const Chunks& chunks, const Partial& partial) {
  std::vector<Sum> parts(chunks.count);
  parallel_chunks(chunks,
                  [&](std::size_t chunk, std::size_t begin, std::size_t end) { parts[chunk] = partial(begin, end); });
  Sum total = parts[0];
  for (std::size_t chunk = 1; chunk < chunks.count; ++chunk) total += parts[chunk];
  return total;
}

inline bool several_threads() { return available_threads() > 1; }

}  // namespace seesaw
