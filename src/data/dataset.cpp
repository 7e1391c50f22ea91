#include "data/dataset.h"

#define XXH_INLINE_ALL
#ifdef __AVX2__
#define XXH_VECTOR \
  2  // XXH_AVX2; the hash is the same for all variants. With AVX-512, GCC 12 warns about its own intrinsics.
#endif
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/parallel.h"
#include "base/ranks.h"
#include "base/tree_sum.h"
#include "data/block_products.h"
#include "data/column_ranges.h"
#include "data/share_rows.h"

namespace seesaw {
namespace {

template <class RowsOf>
Chunks chunks_of_rows(const RowsOf& rows) {
  return chunks_of(rows.count(), rows_per_task(rows), 1024);
}

// A buffered stream into a hash. The digest depends on the bytes alone, not on when the buffer is flushed.
class HashStream {
 public:
  HashStream() { XXH3_64bits_reset(&state_); }

  template <class Number>
  void put(Number number) {
    ensure_space(sizeof number);
    std::memcpy(buffer_.data() + used_, &number, sizeof number);
    used_ += sizeof number;
  }

  // The nonzero entries of a row, each as column and value, then their number: read from the end, the encoding is
  // unambiguous. Every entry is written, and the position advances only if it is nonzero: no unpredictable branch.
  template <class Row>
  void put_row(Row a) {
    std::uint64_t bytes = 0;
    for (std::size_t begin = 0; begin < a.size; begin += batch_entries) {
      const std::size_t end = std::min(a.size, begin + batch_entries);
      ensure_space((end - begin) * entry_bytes);
      unsigned char* const first = buffer_.data() + used_;
      unsigned char* to = first;
      for (std::size_t k = begin; k < end; ++k) {
        const std::uint32_t column = column_of(a, k);
        const auto value = static_cast<double>(a.value[k]);
        std::memcpy(to, &column, sizeof column);
        std::memcpy(to + sizeof column, &value, sizeof value);
        to += value != 0 ? entry_bytes : 0;
      }
      bytes += static_cast<std::uint64_t>(to - first);
      used_ += static_cast<std::size_t>(to - first);
    }
    put(bytes / entry_bytes);
  }

  std::uint64_t digest() {
    flush();
    return XXH3_64bits_digest(&state_);
  }

 private:
  static constexpr std::size_t entry_bytes = sizeof(std::uint32_t) + sizeof(double);
  static constexpr std::size_t batch_entries = 300;  // they fit into the buffer

  template <class Value>
  static std::uint32_t column_of(SparseRow<Value> a, std::size_t k) {
    return a.column[k];
  }
  template <class Value>
  static std::uint32_t column_of(DenseRow<Value>, std::size_t k) {
    return static_cast<std::uint32_t>(k);
  }

  void ensure_space(std::size_t bytes) {
    if (used_ + bytes > buffer_.size()) flush();
  }
  void flush() {
    XXH3_64bits_update(&state_, buffer_.data(), used_);
    used_ = 0;
  }

  XXH3_state_t state_;
  std::array<unsigned char, 4096> buffer_;
  std::size_t used_ = 0;
};

// Per row: its entries, its label (-0 as 0) and its weight.
template <class RowsOf>
std::uint64_t hash_rows(const RowsOf& rows, const Dataset& data, std::size_t begin, std::size_t end) {
  HashStream stream;
  for (std::size_t i = begin; i < end; ++i) {
    stream.put_row(rows.row(i));
    stream.put(data.labels[i] + 0.0);
    stream.put(data.weights.empty() ? 1.0 : data.weights[i]);
  }
  return stream.digest();
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
  for (const double label : data.labels)
    if (!add({label, 1})) break;
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
  std::visit(
      [&](const auto& rows) {
        parallel_chunks(chunks_of(leaves.size(), 1, 256), [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t leaf = begin; leaf < end; ++leaf)
            leaves[leaf] = hash_rows(rows, data, row + leaf * hash_leaf_rows,
                                     std::min(data.n(), row + (leaf + 1) * hash_leaf_rows));
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
  std::vector<double> norms(data.n());
  std::visit(
      [&](const auto& rows) {
        parallel_chunks(chunks_of_rows(rows), [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) norms[i] = squared_norm(rows.row(i));
        });
      },
      data.rows);
  return norms;
}

void multiply(const Rows& rows, const double* x, double* z, std::size_t outputs) {
  std::visit(
      [&](const auto& a) {
        parallel_chunks(chunks_of_rows(a), [&](std::size_t, std::size_t begin, std::size_t end) {
          if (outputs == 1)
            for (std::size_t i = begin; i < end; ++i) z[i] = dot(a.row(i), x);
          else multiply_blocks(a, {begin, end}, x, z, outputs);
        });
      },
      rows);
}

void multiply_transposed(const Rows& rows, const double* y, double* v, std::size_t outputs) {
  std::visit(
      [&](const auto& a) {
        const Leaves leaves = leaves_for_vectors(a);
        tree_sum(leaves, a.width() * outputs, v, [&](std::size_t begin, std::size_t end, double* sum) {
          in_column_ranges(a, RowRange{begin, end}, leaves.count(), [&](const auto& part) {
            if (outputs == 1)
              for (std::size_t i = begin; i < end; ++i) {
                if (y[i] != 0) add_to(sum, y[i], part.row(i));
              }
            else add_blocks_transposed(part, {begin, end}, y, sum, outputs);
          });
        });
      },
      rows);
}

}  // namespace seesaw
