// Sums over rows: the only place where partial results of rows are joined.
//
// Invariant: every reduction over rows whose result has an influence on a bit of a model, a certificate or a statistic
// goes through a function of this file, with the leaves of the rows (base/leaves.h). The sum of a leaf depends on its rows
// alone, and the sums are joined along the tree of the leaves. A communicator between processes, or a reader of extents
// from disk, belongs behind these functions: their callers do not depend on who computes the sum of a leaf. Loops without
// a sum over rows, and sums over features, may divide their range in any way (base/parallel.h).
//
// Several processes (base/ranks.h): the sum is that of the rows of all ranks, and every rank returns it. Each joins the
// nodes inside its range; join_across_ranks joins what remains, by the tree. All ranks make the same calls, one at a time.
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
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "base/leaves.h"
#include "base/parallel.h"
#include "kernels/table.h"

namespace seesaw {

// A complete subtree of the nodes of this rank: its first node, and its sum.
struct JoinedNodes {
  std::size_t first;
  void* sum;
};

// The nodes that this rank completes: all that end inside its range.
struct NodeRange {
  std::size_t begin, end;
};
NodeRange completed_nodes(const Leaves& leaves);
// The largest subtrees of a tree of `nodes` leaves that are inside the range: their first nodes.
std::vector<std::size_t> subtrees(NodeRange range, std::size_t nodes);

// Whether the first piece of this rank continues a node of ranks before it, and whether its last piece is continued.
bool continues_node(const Leaves& leaves);
bool is_continued(const Leaves& leaves);
void receive_from_before(const Leaves& leaves, void* sum, std::size_t bytes);
void send_to_next(const Leaves& leaves, const void* sum, std::size_t bytes);

// total = the sum of all subtrees of all ranks, along the tree. Sums are `length` elements of `bytes` each, trivially
// copyable; add(left, right, count) adds count elements. Short sums go up the tree to the rank of the first node and are
// broadcast from there. Long ones are divided by elements: each rank joins a range of them, and all ranges are gathered.
using AddElements = void (*)(void* left, const void* right, std::size_t count);
void join_across_ranks(const Leaves& leaves, std::span<const JoinedNodes> own, std::size_t length, std::size_t bytes,
                       AddElements add, void* total);

template <class T>
void add_elements(void* left, const void* right, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) static_cast<T*>(left)[k] += static_cast<const T*>(right)[k];
}

// The sum of partial(begin, end) over the leaves, for numbers and small structures: Sum needs += and a default value.
// begin .. end - 1 are the rows of a leaf; there may be none. All sums of leaves are in memory at the same time.
template <class Sum, class Partial>
Sum tree_sum(const Leaves& leaves, const Partial& partial) {
  const std::size_t count = leaves.count();
  const bool shared = leaves.shares() != nullptr;
  if (count == 1 && !shared) return partial(leaves.begin(0), leaves.end(0));
  std::vector<Sum> parts(count);
  constexpr std::size_t rows_per_task = 2048;  // leaves of long rows have few
  const Chunks tasks =
      chunks_of(count, count * rows_per_task / (leaves.rows() + 1) + 1, std::max<std::size_t>(count, 1));
  parallel_chunks(tasks, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t leaf = begin; leaf < end; ++leaf) parts[leaf] = partial(leaves.begin(leaf), leaves.end(leaf));
  });
  const std::size_t first = leaves.first(), end = first + count, nodes = leaves.nodes();
  for (std::size_t step = 1; step < nodes; step *= 2)
    for (std::size_t at = (first + 2 * step - 1) / (2 * step) * (2 * step);
         at + step < nodes && std::min(at + 2 * step, nodes) <= end; at += 2 * step)
      parts[at - first] += parts[at + step - first];
  if (!shared) return std::move(parts[0]);
  if constexpr (std::is_trivially_copyable_v<Sum>) {
    if (continues_node(leaves) || is_continued(leaves)) throw std::logic_error("the rows of a node are on two ranks");
    std::vector<JoinedNodes> own;
    for (const std::size_t at : subtrees({first, end}, nodes)) own.push_back({at, &parts[at - first]});
    Sum total;
    join_across_ranks(leaves, own, 1, sizeof total, add_elements<Sum>, &total);
    return total;
  } else {
    throw std::logic_error("a sum over ranks must be trivially copyable");
  }
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
//
// Of a tree of `leaves` leaves, those of the range alone. finish(rest): the largest subtrees inside the range, each with its
// first leaf, in this order; the first one, or the whole, is `total`.
template <class Part>
struct Subtree {
  std::size_t first;
  Part* part;
};
template <class Part, class Make, class Fill, class Join, class Finish>
void tree_join(NodeRange range, std::size_t leaves, std::size_t workers, Part& total, const Make& make,
               const Fill& fill, const Join& join, const Finish& finish) {
  std::vector<Subtree<Part>> rest;
  if (range.end - range.begin <= 1) {
    if (range.begin < range.end) {
      fill(range.begin, total);
      rest.push_back({range.begin, &total});
    }
    return finish(rest);
  }
  std::mutex mutex;
  std::vector<std::unique_ptr<Part>> made;
  std::vector<Part*> idle;
  // waiting[m - begin]: one half of the node whose right half begins at leaf m
  std::vector<Part*> waiting(range.end - range.begin);
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
    Part*& other = waiting[middle - range.begin];
    return std::exchange(other, other == nullptr ? part : nullptr);
  };
  const auto keep = [&](std::size_t first, Part* part) {
    const std::lock_guard lock(mutex);
    rest.push_back({first, part});
  };
  const auto give_back = [&](Part* part) {
    const std::lock_guard lock(mutex);
    idle.push_back(part);
  };
  std::atomic<std::size_t> next = range.begin;
  const auto work = [&](std::size_t) {
    for (std::size_t leaf = next++; leaf < range.end; leaf = next++) {
      // The leftmost part of every join is kept: the last one is that of the first leaf.
      Part* part = leaf == range.begin ? &total : take();
      fill(leaf, *part);
      for (std::size_t first = leaf, width = 1;; width *= 2) {
        if (width >= leaves) {
          keep(first, part);
          break;
        }
        const bool left = first / width % 2 == 0;
        if (left && first + width >= leaves) continue;  // no right half
        if (left ? std::min(first + 2 * width, leaves) > range.end : first - width < range.begin) {
          keep(first, part);  // the other half is not in the range
          break;
        }
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
  workers = std::min({workers, range.end - range.begin, available_threads()});
  if (workers <= 1) work(0);
  else tbb::parallel_for(std::size_t{0}, workers, work, tbb::simple_partitioner());
  std::sort(rest.begin(), rest.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  finish(rest);
}
// The whole tree.
template <class Part, class Make, class Fill, class Join>
void tree_join(std::size_t leaves, std::size_t workers, Part& total, const Make& make, const Fill& fill,
               const Join& join) {
  tree_join(NodeRange{0, leaves}, leaves, workers, total, make, fill, join, [](const auto&) {});
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
// of zeros. T is trivially copyable, needs += and a default value that is zero. Where the rows of a node are on several
// ranks, each adds its rows to what it receives from the rank before: add() must give the same bits for a range of rows
// and for its two parts, one after the other.
template <class T, class Add>
void tree_sum(const Leaves& leaves, std::size_t length, T* total, const Add& add, std::size_t workers = most_threads) {
  struct Part {
    T* at;
    Buffer<T> own;
  };
  static_assert(std::is_trivially_copyable_v<T>);
  Part all{total, {}};
  const auto make = [&] {
    Buffer<T> memory(length);
    T* const at = memory.data();
    return Part{at, std::move(memory)};
  };
  const auto join = [&](Part& left, Part& right) { add_vector(left.at, right.at, length); };
  const auto add_piece = [&](std::size_t piece, T* to) { add(leaves.begin(piece), leaves.end(piece), to); };
  const auto fill = [&](std::size_t leaf, Part& part) {
    std::fill_n(part.at, length, T());
    add_piece(leaf - leaves.first(), part.at);
  };
  if (leaves.shares() == nullptr) return tree_join(leaves.count(), workers, all, make, fill, join);

  const bool continues = continues_node(leaves), continued = is_continued(leaves);
  const std::size_t bytes = length * sizeof(T), last = leaves.count() - 1;
  if (continued && !(continues && last == 0)) {
    Part part = make();
    fill(leaves.first() + last, part);
    send_to_next(leaves, part.at, bytes);
  }
  if (continues) {
    receive_from_before(leaves, total, bytes);
    add_piece(0, total);
    if (continued && last == 0) send_to_next(leaves, total, bytes);
  }
  const NodeRange range = completed_nodes(leaves);
  tree_join(
      range, leaves.nodes(), workers, all, make,
      [&](std::size_t leaf, Part& part) {
        if (!(continues && leaf == range.begin)) fill(leaf, part);
      },
      join,
      [&](const std::vector<Subtree<Part>>& rest) {
        std::vector<JoinedNodes> own;
        for (const Subtree<Part>& subtree : rest) own.push_back({subtree.first, subtree.part->at});
        const AddElements add_them = [](void* left, const void* right, std::size_t count) {
          add_vector(static_cast<T*>(left), static_cast<const T*>(right), count);
        };
        join_across_ranks(leaves, own, length, sizeof(T), add_them, total);
      });
}

}  // namespace seesaw
