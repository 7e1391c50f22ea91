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

#include <algorithm>
#include <cstddef>
#include <memory>
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
Sum tree_sum(const Leaves& leaves, const Partial& partial_of) {
  const FunctionRef<Sum(std::size_t, std::size_t)> partial = partial_of;
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

// The same for large results, whose type is that of the caller. fill(leaf, part) writes the sum of a leaf over whatever
// the part contains, join(left, right) adds the right part to the left one, make() returns a new part, which the caller
// owns. The result is in `total`.
//
// Leaves are taken in their order by at most `workers` threads, and two parts are joined as soon as both are complete:
// about log2(leaves) + workers parts exist at the same time. make() is called by one thread at a time.
//
// Of a tree of `leaves` leaves, those of the range alone. Returned: the largest subtrees inside the range, each with its
// first leaf, in this order; the first one, or the whole, is `total`.
struct TreeParts {
  FunctionRef<void*()> make;
  FunctionRef<void(std::size_t, void*)> fill;
  FunctionRef<void(void*, void*)> join;
};
std::vector<JoinedNodes> tree_join(NodeRange range, std::size_t leaves, std::size_t workers, void* total,
                                   const TreeParts& parts);

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
template <class T>
void tree_sum(const Leaves& leaves, std::size_t length, T* total,
              std::type_identity_t<FunctionRef<void(std::size_t, std::size_t, T*)>> add,
              std::size_t workers = most_threads) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<Buffer<T>> made;
  const auto make = [&]() -> void* { return made.emplace_back(length).data(); };
  const auto join = [&](void* left, void* right) {
    add_vector(static_cast<T*>(left), static_cast<const T*>(right), length);
  };
  const auto fill = [&](std::size_t leaf, void* part) {
    T* const to = static_cast<T*>(part);
    std::fill_n(to, length, T());
    add(leaves.begin(leaf - leaves.first()), leaves.end(leaf - leaves.first()), to);
  };
  if (leaves.shares() == nullptr) {
    tree_join({0, leaves.count()}, leaves.count(), workers, total, {make, fill, join});
    return;
  }

  const bool continues = continues_node(leaves), continued = is_continued(leaves);
  const std::size_t bytes = length * sizeof(T), last = leaves.count() - 1;
  if (continued && !(continues && last == 0)) {
    Buffer<T> part(length);
    fill(leaves.first() + last, part.data());
    send_to_next(leaves, part.data(), bytes);
  }
  if (continues) {
    receive_from_before(leaves, total, bytes);
    add(leaves.begin(0), leaves.end(0), total);
    if (continued && last == 0) send_to_next(leaves, total, bytes);
  }
  const NodeRange range = completed_nodes(leaves);
  const auto fill_others = [&](std::size_t leaf, void* part) {
    if (!(continues && leaf == range.begin)) fill(leaf, part);
  };
  const std::vector<JoinedNodes> own = tree_join(range, leaves.nodes(), workers, total, {make, fill_others, join});
  const AddElements add_them = [](void* left, const void* right, std::size_t count) {
    add_vector(static_cast<T*>(left), static_cast<const T*>(right), count);
  };
  join_across_ranks(leaves, own, length, sizeof(T), add_them, total);
}

}  // namespace seesaw
