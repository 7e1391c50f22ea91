// Sums over rows: the only place where partial results of rows are joined.
//
// Invariant: every reduction over rows whose result has an influence on a bit of a model, a certificate or a statistic
// goes through a function of this file, with the leaves of the rows (base/leaves.h). The sum of a leaf depends on its rows
// alone, and the sums are joined along the tree of the leaves. A communicator between processes, or a reader of extents
// from disk, belongs behind these functions: their callers do not depend on who computes the sum of a leaf. Loops without
// a sum over rows, and sums over features, may divide their range in any way (base/parallel.h).
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "base/leaves.h"
#include "base/parallel.h"
#include "kernels/table.h"

namespace seesaw {

// The sum of partial(begin, end) over the leaves, for numbers and small structures: Sum needs += and a default value.
// begin .. end - 1 are the rows of a leaf; there may be none. All sums of leaves are in memory at the same time.
template <class Sum, class Partial>
Sum tree_sum(const Leaves& leaves, const Partial& partial) {
  const std::size_t count = leaves.count();
  if (count == 1) return partial(leaves.begin(0), leaves.end(0));
  std::vector<Sum> parts(count);
  constexpr std::size_t rows_per_task = 2048;  // leaves of long rows have few
  const Chunks tasks = chunks_of(count, count * rows_per_task / (leaves.rows() + 1) + 1, count);
  parallel_chunks(tasks, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t leaf = begin; leaf < end; ++leaf) parts[leaf] = partial(leaves.begin(leaf), leaves.end(leaf));
  });
  for (std::size_t step = 1; step < count; step *= 2)
    for (std::size_t at = 0; at + step < count; at += 2 * step) parts[at] += parts[at + step];
  return std::move(parts[0]);
}

// The sum of one number per row, in four lanes.
inline double sum_over(const Leaves& leaves, std::span<const double> numbers) {
  return tree_sum<double>(leaves, [&](std::size_t begin, std::size_t end) {
    double sums[4] = {};
    for (std::size_t i = begin; i < end; ++i) sums[(i - begin) % 4] += numbers[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  });
}

// sum_i a_i b_i over the rows.
inline double product_over(const Leaves& leaves, std::span<const double> a, std::span<const double> b) {
  return tree_sum<double>(leaves, [&](std::size_t begin, std::size_t end) {
    double sums[4] = {};
    for (std::size_t i = begin; i < end; ++i) sums[(i - begin) % 4] += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  });
}

// The same for large results. fill(leaf, part) writes the sum of a leaf over whatever the part contains, join(left,
// right) adds the right part to the left one, make() returns a new part. The result is in `total`.
//
// Leaves are taken in their order by at most `workers` threads, and two parts are joined as soon as both are complete:
// about log2(leaves) + workers parts exist at the same time.
template <class Part, class Make, class Fill, class Join>
void tree_join(std::size_t leaves, std::size_t workers, Part& total, const Make& make, const Fill& fill,
               const Join& join) {
  if (leaves == 1) {
    fill(std::size_t{0}, total);
    return;
  }
  std::mutex mutex;
  std::vector<std::unique_ptr<Part>> made;
  std::vector<Part*> idle, waiting(leaves);  // waiting[m]: one half of the node whose right half begins at leaf m
  const auto take = [&] {
    const std::lock_guard lock(mutex);
    if (idle.empty()) {
      made.push_back(std::make_unique<Part>(make()));
      return made.back().get();
    }
    Part* const part = idle.back();
    idle.pop_back();
    return part;
  };
  // The other half of a node, or null if it is not complete yet: then `part` waits for it.
  const auto other_half = [&](std::size_t middle, Part* part) -> Part* {
    const std::lock_guard lock(mutex);
    return std::exchange(waiting[middle], waiting[middle] == nullptr ? part : nullptr);
  };
  const auto give_back = [&](Part* part) {
    const std::lock_guard lock(mutex);
    idle.push_back(part);
  };
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t) {
    for (std::size_t leaf = next++; leaf < leaves; leaf = next++) {
      Part* part =
          leaf == 0 ? &total : take();  // the leftmost part of every join is kept: the last one is that of leaf 0
      fill(leaf, *part);
      for (std::size_t first = leaf, width = 1; width < leaves; width *= 2) {
        const bool left = first / width % 2 == 0;
        if (left && first + width >= leaves) continue;  // no right half
        Part* const other = other_half(left ? first + width : first, part);
        if (other == nullptr) break;
        join(left ? *part : *other, left ? *other : *part);
        give_back(left ? other : part);
        if (left) continue;
        part = other;
        first -= width;
      }
    }
  };
  workers = std::min({workers, leaves, available_threads()});
  if (workers <= 1) work(0);
  else tbb::parallel_for(std::size_t{0}, workers, work, tbb::simple_partitioner());
}

// body(part) for 0 <= part < count, in parallel, inside the work of a leaf: a thread that waits takes no other leaf.
template <class Body>
void parallel_inside(std::size_t count, const Body& body) {
  if (count == 1) return body(std::size_t{0});
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::size_t{0}, count, body, tbb::simple_partitioner()); });
}

// left += right, in parallel if they are long.
template <class T>
void add_vector(T* left, const T* right, std::size_t length) {
  const Chunks chunks = chunks_of(length, std::size_t{1} << 16);
  parallel_inside(chunks.count, [&](std::size_t chunk) {
    const std::size_t begin = chunks.begin(chunk), size = chunks.end(chunk) - begin;
    if constexpr (std::is_same_v<T, double>) kernels().add_double(left + begin, 1.0, right + begin, size);
    else
      for (std::size_t j = begin; j < begin + size; ++j) left[j] += right[j];
  });
}

// total = sum over the leaves of vectors of `length` elements: add(begin, end, part) adds the rows of a leaf to a part
// of zeros. T is trivially copyable, needs += and a default value that is zero.
template <class T, class Add>
void tree_sum(const Leaves& leaves, std::size_t length, T* total, const Add& add, std::size_t workers = most_threads) {
  struct Part {
    T* at;
    Buffer<T> own;
  };
  Part all{total, {}};
  tree_join(
      leaves.count(), workers, all,
      [&] {
        Buffer<T> memory(length);
        T* const at = memory.data();
        return Part{at, std::move(memory)};
      },
      [&](std::size_t leaf, Part& part) {
        std::fill_n(part.at, length, T());
        add(leaves.begin(leaf), leaves.end(leaf), part.at);
      },
      [&](Part& left, Part& right) { add_vector(left.at, right.at, length); });
}

}  // namespace seesaw
