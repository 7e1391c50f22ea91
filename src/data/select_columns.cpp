#include "data/select_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/buffer.h"
#include "base/parallel.h"
#include "data/resident.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

template <class RowsOf>
void require_memory(const RowsOf& rows, std::size_t bytes) {
  const Extents* const extents = extents_of(rows);
  if (extents == nullptr || bytes <= extents->budget()->copies) return;
  throw Error(fmt::format(
      "the features in use need {} MB of memory, and `memory` leaves {} MB for them; give at least {} MB more.",
      bytes / 1000000 + 1, extents->budget()->copies / 1000000, 4 * (bytes - extents->budget()->copies) / 1000000 + 1));
}

template <class Value>
struct KeptEntries {
  std::vector<std::uint64_t> offsets;
  Buffer<std::uint32_t> columns;
  Buffer<Value> values;
};

// Rows on disk: two passes, count the kept entries per row, then write them to their final position.
template <class Value>
void keep_in_two_passes(const SparseRows<Value>& rows, const Chunks& chunks, const std::vector<std::uint32_t>& place,
                        KeptEntries<Value>& kept) {
  resident_chunks(rows, chunks, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = rows.row(i);
      std::uint64_t count = 0;
      for (std::size_t e = 0; e < row.size; ++e) count += place[row.column[e]] != none;
      kept.offsets[i + 1] = count;
    }
  });
  for (std::size_t i = 0; i < rows.count(); ++i) kept.offsets[i + 1] += kept.offsets[i];
  require_memory(rows, kept.offsets.back() * (sizeof(std::uint32_t) + sizeof(Value)));
  kept.columns.resize(kept.offsets.back());
  kept.values.resize(kept.offsets.back());
  resident_chunks(rows, chunks, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = rows.row(i);
      std::uint64_t at = kept.offsets[i];
      for (std::size_t e = 0; at < kept.offsets[i + 1]; ++e) {
        const std::uint32_t k = place[row.column[e]];
        if (k == none) continue;
        kept.columns[at] = k;
        kept.values[at++] = row.value[e];
      }
    }
  });
}

// Rows in memory: one pass that writes every entry and goes on from the kept ones, without a branch, then a copy. Blocks
// of rows use the same scratch one after another: new memory costs more than the pass.
template <class Value>
void keep_in_one_pass(const SparseRows<Value>& rows, std::size_t rows_per_chunk,
                      const std::vector<std::uint32_t>& place, KeptEntries<Value>& kept) {
  constexpr std::size_t chunks_per_block = 16;
  const std::size_t n = rows.count(), rows_per_block = rows_per_chunk * chunks_per_block;
  Buffer<std::uint32_t> columns;
  Buffer<Value> values;
  for (std::size_t first = 0; first < n; first += rows_per_block) {
    const std::size_t last = std::min(n, first + rows_per_block), entries_first = entries_before(rows, first);
    columns.resize(entries_before(rows, last) - entries_first);
    values.resize(columns.size());
    const Chunks chunks = chunks_of(last - first, rows_per_chunk, chunks_per_block);
    parallel_chunks(chunks, [&](std::size_t, std::size_t begin, std::size_t end) {
      const std::size_t start = entries_before(rows, first + begin) - entries_first;
      std::uint32_t* const to_columns = columns.data() + start;
      Value* const to_values = values.data() + start;
      std::size_t at = 0;
      for (std::size_t i = first + begin; i < first + end; ++i) {
        const auto row = rows.row(i);
        const std::size_t before = at;
        for (std::size_t e = 0; e < row.size; ++e) {
          const std::uint32_t k = place[row.column[e]];
          to_columns[at] = k;
          to_values[at] = row.value[e];
          at += k != none;
        }
        kept.offsets[i + 1] = at - before;
      }
    });
    for (std::size_t i = first; i < last; ++i) kept.offsets[i + 1] += kept.offsets[i];
    kept.columns.resize(kept.offsets[last]);
    kept.values.resize(kept.offsets[last]);
    parallel_chunks(chunks, [&](std::size_t, std::size_t begin, std::size_t end) {
      const std::size_t start = entries_before(rows, first + begin) - entries_first, at = kept.offsets[first + begin],
                        size = kept.offsets[first + end] - at;
      std::copy_n(columns.data() + start, size, kept.columns.data() + at);
      std::copy_n(values.data() + start, size, kept.values.data() + at);
    });
  }
}

template <class Value>
Rows chosen_columns(const SparseRows<Value>& rows, std::span<const std::uint32_t> which) {
  std::vector<std::uint32_t> place(rows.width(), none);
  for (std::size_t k = 0; k < which.size(); ++k) place[which[k]] = static_cast<std::uint32_t>(k);
  auto kept = std::make_shared<KeptEntries<Value>>();
  kept->offsets.resize(rows.count() + 1);
  const std::size_t row = rows.entries() / std::max<std::size_t>(rows.count(), 1);
  const std::size_t rows_per_chunk = 8192 / (row + 1) + 1;  // what is written stays in the cache
  if (extents_of(rows) == nullptr) keep_in_one_pass(rows, rows_per_chunk, place, *kept);
  else keep_in_two_passes(rows, chunks_of(rows.count(), rows_per_chunk, std::size_t{1} << 16), place, *kept);
  return SparseRows<Value>(which.size(), kept->offsets, kept->columns.span(), kept->values.span(), kept, rows.leaves());
}

template <class Value>
Rows chosen_columns(const DenseRows<Value>& rows, std::span<const std::uint32_t> which) {
  require_memory(rows, rows.count() * which.size() * sizeof(Value));
  auto values = std::make_shared<Buffer<Value>>(rows.count() * which.size());
  resident_chunks(rows, chunks_of(rows.count(), 512), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Value* row = rows.row(i).value;
      Value* to = values->data() + i * which.size();
      for (std::size_t k = 0; k < which.size(); ++k) to[k] = row[which[k]];
    }
  });
  return DenseRows<Value>(rows.count(), which.size(), values->span(), values, rows.leaves());
}

}  // namespace

Rows select_columns(const Rows& rows, std::span<const std::uint32_t> which) {
  const bool all = std::visit([&](const auto& a) { return which.size() == a.width(); }, rows);
  if (all && extents_of(rows) == nullptr) return rows;
  const Rows result = std::visit([&](const auto& a) { return chosen_columns(a, which); }, rows);
  return std::visit(
      [&](const auto& a) -> Rows {
        const Leaves& leaves = *a.leaves();
        if (leaves.shares() == nullptr) return a;
        const std::size_t entries = sum_of_ranks(leaves, a.entries());
        return a.with_leaves(std::make_shared<const Leaves>(leaves.with_totals(leaves.all_rows(), entries)));
      },
      result);
}

}  // namespace seesaw
