#include "data/dataset.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "base/cancel.h"
#include "base/parallel.h"
#include "base/ranks.h"
#include "base/tree_sum.h"
#include "data/block_products.h"
#include "data/both_products.h"
#include "data/column_ranges.h"
#include "data/hash_stream.h"
#include "data/norms_on_disk.h"
#include "data/resident.h"
#include "data/share_rows.h"

namespace seesaw {
namespace {

// Not inlined: with the code of an exception in them, the loops over rows would be compiled to slower ones.
[[gnu::noinline]] void leave_if_cancelled(const CancelPoll& poll) { poll(); }

template <class RowsOf>
Chunks chunks_of_rows(const RowsOf& rows) {
  return chunks_of(rows.count(), rows_per_task(rows), 1024);
}

template <class RowsOf>
std::uint64_t hash_rows(const RowsOf& rows, const Dataset& data, std::size_t begin, std::size_t end) {
  HashStream stream;
  resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      stream.put_row(rows.row(i), data.labels[i], data.weights.empty() ? 1.0 : data.weights[i]);
    }
  });
  return stream.digest();
}

// The product of dense matrices sums blocks of product_depth rows, counted from the first row of a leaf. Rows on disk are
// resident in other ranges: they are copied, block by block, so that the sums are the same.
template <class RowsOf>
bool needs_whole_blocks(const RowsOf& rows) {
  return std::is_same_v<RowsOf, DenseRows<double>> && extents_of(rows) != nullptr;
}
// also(begin, end): for the rows of the range while they are resident.
template <class RowsOf, class Also>
void add_whole_blocks(const RowsOf& rows, Range range, const double* y, double* v, std::size_t outputs,
                      const Also& also) {
  const std::size_t d = rows.width();
  Buffer<double> block(std::min(product_depth, range.end - range.begin) * d);
  std::size_t first = range.begin, filled = 0;  // first: the row at the beginning of the block
  const auto flush = [&] {
    multiply({outputs, d, filled, y + first * outputs, 1, outputs, block.data(), d, 1, v, outputs});
    first += filled;
    filled = 0;
  };
  resident(rows, range.begin, range.end, [&](std::size_t begin, std::size_t end) {
    also(begin, end);
    for (std::size_t i = begin; i < end; ++i) {
      std::copy_n(rows.row(i).value, d, block.data() + filled * d);
      if (++filled == product_depth) flush();
    }
  });
  if (filled > 0) flush();
}

// sum += the rows of a range, each times its y.
template <class RowsOf>
void add_transposed(const RowsOf& a, Range range, std::size_t leaves, const double* y, double* sum,
                    std::size_t outputs) {
  in_column_ranges(a, RowRange{range.begin, range.end}, leaves, [&](const auto& part) {
    if (outputs == 1)
      for (std::size_t i = range.begin; i < range.end; ++i) {
        if (y[i] != 0) add_to(sum, y[i], part.row(i));
      }
    else add_blocks_transposed(part, range, y, sum, outputs);
  });
}

template <class RowsOf>
void multiply_range(const RowsOf& a, Range range, const double* x, double* z, std::size_t outputs) {
  if (outputs == 1)
    for (std::size_t i = range.begin; i < range.end; ++i) z[i] = dot(a.row(i), x);
  else multiply_blocks(a, range, x, z, outputs);
}

// v = A^T y; also(rows, begin, end) for all rows, while they are resident.
template <class Also>
void add_all_transposed(const Rows& rows, const double* y, double* v, std::size_t outputs, const Also& also) {
  std::visit(
      [&](const auto& a) {
        const Leaves leaves = leaves_for_vectors(a);
        NormsBesidePass norms(extents_of(a), a.count());
        const auto too = [&](std::size_t begin, std::size_t end) {
          also(a, begin, end);
          norms.add(a, begin, end);
        };
        const CancelPoll poll;
        tree_sum(leaves, a.width() * outputs, v, [&](std::size_t begin, std::size_t end, double* sum) {
          leave_if_cancelled(poll);
          if (outputs > 1 && needs_whole_blocks(a)) return add_whole_blocks(a, {begin, end}, y, sum, outputs, too);
          resident(a, begin, end, [&](std::size_t first, std::size_t last) {
            too(first, last);
            add_transposed(a, {first, last}, leaves.count(), y, sum, outputs);
          });
        });
        norms.complete();
      },
      rows);
}

}  // namespace

std::vector<LabelCount> count_labels(const Dataset& data, std::size_t most) {
  std::vector<LabelCount> counts;
  const auto add = [&](const LabelCount& more) {  // false: too many labels
    const auto at = std::lower_bound(counts.begin(), counts.end(), more.label,
                                     [](const LabelCount& known, double value) { return known.label < value; });
    if (at != counts.end() && at->label == more.label) at->count += more.count;
    else counts.insert(at, more);
    return counts.size() <= most;
  };
  for (const double label : data.labels) {
    if (counts.size() == 2) {  // most labels of binary data: no search, no branch that cannot be predicted
      LabelCount& known = counts[label == counts[1].label ? 1 : 0];
      if (known.label == label) {
        ++known.count;
        continue;
      }
    }
    if (!add({label, 1})) break;
  }
  if (data.leaves().shares() == nullptr) return counts;
  const std::vector<LabelCount> of_ranks = data.leaves().shares()->ranks->concatenate<LabelCount>(counts);
  counts.clear();
  for (const LabelCount& more : of_ranks)
    if (!add(more)) break;
  return counts;
}

std::vector<std::uint64_t> leaf_hashes(const Dataset& data) {
  return leaf_hashes(data, 0, (data.n() + hash_leaf_rows - 1) / hash_leaf_rows);
}

std::vector<std::uint64_t> leaf_hashes(const Dataset& data, std::size_t first, std::size_t last) {
  return leaf_hashes_from(data, first * hash_leaf_rows, last - first);
}

std::vector<std::uint64_t> leaf_hashes_from(const Dataset& data, std::size_t row, std::size_t count) {
  std::vector<std::uint64_t> leaves(count);
  const CancelPoll poll;
  std::visit(
      [&](const auto& rows) {
        parallel_chunks(chunks_of(leaves.size(), 1, 256), [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t leaf = begin; leaf < end; ++leaf) {
            leave_if_cancelled(poll);
            leaves[leaf] = hash_rows(rows, data, row + leaf * hash_leaf_rows,
                                     std::min(data.n(), row + (leaf + 1) * hash_leaf_rows));
          }
        });
      },
      data.rows);
  return leaves;
}

std::uint64_t join_leaves(std::size_t rows, std::span<const std::uint64_t> leaves) {
  HashStream stream;
  stream.put(std::uint64_t{rows});
  for (const std::uint64_t leaf : leaves) stream.put(leaf);
  return stream.digest();
}

std::uint64_t content_hash(const Dataset& data) { return join_leaves(data.n(), leaf_hashes(data)); }

std::vector<double> squared_row_norms(const Dataset& data) {
  const Extents* const extents = extents_of(data.rows);
  if (std::optional<std::vector<double>> known = take_norms(extents)) return *std::move(known);
  std::vector<double> norms(data.n());
  std::visit(
      [&](const auto& rows) {
        resident_chunks(rows, chunks_of_rows(rows), [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) norms[i] = squared_norm(rows.row(i));
        });
      },
      data.rows);
  if (extents != nullptr) require_finite_squares(norms, *extents);
  return norms;
}

void multiply(const Rows& rows, const double* x, double* z, std::size_t outputs) {
  multiply_then(rows, x, z, outputs, [](std::size_t, std::size_t) {});
}

void multiply_then(const Rows& rows, const double* x, double* z, std::size_t outputs,
                   FunctionRef<void(std::size_t, std::size_t)> then) {
  const CancelPoll poll;
  std::visit(
      [&](const auto& a) {
        resident_chunks(a, chunks_of_rows(a), [&](std::size_t begin, std::size_t end) {
          leave_if_cancelled(poll);
          multiply_range(a, {begin, end}, x, z, outputs);
          then(begin, end);
        });
      },
      rows);
}

void multiply_transposed(const Rows& rows, const double* y, double* v, std::size_t outputs) {
  add_all_transposed(rows, y, v, outputs, [](const auto&, std::size_t, std::size_t) {});
}

// In memory, leaf by leaf as on disk: the second product finds the rows in the cache. With few leaves per thread, the loop
// over rows alone is divided better.
void multiply_both(const Rows& rows, const double* x, double* z, const double* y, double* v, std::size_t outputs) {
  const std::size_t threads = available_threads();
  const bool few_leaves =
      threads > 1 && std::visit([](const auto& a) { return leaves_for_vectors(a).count(); }, rows) < 8 * threads;
  if (extents_of(rows) == nullptr && few_leaves) {
    multiply(rows, x, z, outputs);
    multiply_transposed(rows, y, v, outputs);
    return;
  }
  add_all_transposed(rows, y, v, outputs, [&](const auto& a, std::size_t begin, std::size_t end) {
    multiply_range(a, {begin, end}, x, z, outputs);
  });
}

}  // namespace seesaw
