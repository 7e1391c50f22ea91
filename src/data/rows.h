// The rows a_i of the data, in four storage formats: sparse or dense, double or float. Arithmetic is always double.
// These are views: the arrays belong to `owner` (memory or a mapped file), so copies are cheap and share it. A fifth
// format, with 16-bit columns, is for working copies (data/compact_rows.h).
//
// Every row supports dot, add_to, squared_norm, for_each and prefetch. The products and for_each are always_inline: g++ would
// otherwise call them, and the calls would take a third of the time of a pass over short rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "base/leaves.h"
#include "base/scalar.h"
#include "kernels/dense_row.h"
#include "kernels/table.h"

namespace seesaw {

template <class Value, class Column = std::uint32_t>
struct SparseRow {
  const Column* column;
  const Value* value;
  std::size_t size;
};

template <class Value>
struct DenseRow {
  const Value* value;
  std::size_t size;
};

// a.x, by four independent sums that hide the latency of additions.
template <class Value, class Column>
[[gnu::always_inline]] inline double dot(SparseRow<Value, Column> a, const double* x) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= a.size; k += 4) {
    s0 += static_cast<double>(a.value[k]) * x[a.column[k]];
    s1 += static_cast<double>(a.value[k + 1]) * x[a.column[k + 1]];
    s2 += static_cast<double>(a.value[k + 2]) * x[a.column[k + 2]];
    s3 += static_cast<double>(a.value[k + 3]) * x[a.column[k + 3]];
  }
  for (; k < a.size; ++k) s0 += static_cast<double>(a.value[k]) * x[a.column[k]];
  return (s0 + s1) + (s2 + s3);
}

// Dense rows of at least this size use the kernel of the level in use, shorter ones are inlined: bitwise identical.
inline constexpr std::size_t kernel_min_size = 24;

[[gnu::always_inline]] inline double dot(DenseRow<double> a, const double* x) {
  return a.size < kernel_min_size ? dense_dot(a.value, x, a.size) : kernels().dot_double(a.value, x, a.size);
}
[[gnu::always_inline]] inline double dot(DenseRow<float> a, const double* x) {
  return a.size < kernel_min_size ? dense_dot(a.value, x, a.size) : kernels().dot_float(a.value, x, a.size);
}

// a.S(x, e) with the soft threshold per coordinate: the primal point of a dual method that stores only v.
template <class Value, class Column>
[[gnu::always_inline]] inline double dot_soft(SparseRow<Value, Column> a, const double* x, double e) {
  double s0 = 0, s1 = 0;
  std::size_t k = 0;
  for (; k + 2 <= a.size; k += 2) {
    s0 += static_cast<double>(a.value[k]) * soft_threshold(x[a.column[k]], e);
    s1 += static_cast<double>(a.value[k + 1]) * soft_threshold(x[a.column[k + 1]], e);
  }
  if (k < a.size) s0 += static_cast<double>(a.value[k]) * soft_threshold(x[a.column[k]], e);
  return s0 + s1;
}
[[gnu::always_inline]] inline double dot_soft(DenseRow<double> a, const double* x, double e) {
  return kernels().dot_soft_double(a.value, x, a.size, e);
}
[[gnu::always_inline]] inline double dot_soft(DenseRow<float> a, const double* x, double e) {
  return kernels().dot_soft_float(a.value, x, a.size, e);
}

// x += scale a
template <class Value, class Column>
[[gnu::always_inline]] inline void add_to(double* x, double scale, SparseRow<Value, Column> a) {
  for (std::size_t k = 0; k < a.size; ++k) x[a.column[k]] += scale * static_cast<double>(a.value[k]);
}

[[gnu::always_inline]] inline void add_to(double* x, double scale, DenseRow<double> a) {
  a.size < kernel_min_size ? dense_add(x, scale, a.value, a.size) : kernels().add_double(x, scale, a.value, a.size);
}
[[gnu::always_inline]] inline void add_to(double* x, double scale, DenseRow<float> a) {
  a.size < kernel_min_size ? dense_add(x, scale, a.value, a.size) : kernels().add_float(x, scale, a.value, a.size);
}

template <class Row>
inline double squared_norm(Row a) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size; ++k) sum += static_cast<double>(a.value[k]) * static_cast<double>(a.value[k]);
  return sum;
}

// visit(column, value) for every stored entry (dense: for every column).
template <class Value, class Column, class Visit>
[[gnu::always_inline]] inline void for_each(SparseRow<Value, Column> a, Visit&& visit) {
  for (std::size_t k = 0; k < a.size; ++k) visit(std::size_t{a.column[k]}, static_cast<double>(a.value[k]));
}

template <class Value, class Visit>
[[gnu::always_inline]] inline void for_each(DenseRow<Value> a, Visit&& visit) {
  for (std::size_t j = 0; j < a.size; ++j) visit(j, static_cast<double>(a.value[j]));
}

// Prefetches the first cache lines of a row. Rows are drawn at random, so the hardware cannot predict them.
inline void prefetch_bytes(const void* begin, std::size_t bytes, std::size_t most) {
  const auto* p = static_cast<const char*>(begin);
  for (std::size_t at = 0; at < bytes && at < most; at += 64) __builtin_prefetch(p + at);
}
template <class Value, class Column>
inline void prefetch(SparseRow<Value, Column> a) {
  prefetch_bytes(a.column, a.size * sizeof *a.column, 256);
  prefetch_bytes(a.value, a.size * sizeof(Value), 512);
}
template <class Value>
inline void prefetch(DenseRow<Value> a) {
  prefetch_bytes(a.value, a.size * sizeof(Value), 512);
}

template <class Value_, class Column_ = std::uint32_t>
class SparseRows {
 public:
  using Value = Value_;
  using Column = Column_;
  using Row = SparseRow<Value, Column>;

  // offsets has n + 1 entries; columns are strictly increasing within a row. `leaves`: where they are not those of the
  // size of these rows.
  SparseRows(std::size_t width, std::span<const std::uint64_t> offsets, std::span<const Column> columns,
             std::span<const Value> values, std::shared_ptr<const void> owner,
             std::shared_ptr<const Leaves> leaves = nullptr)
      : width_(width),
        offsets_(offsets),
        columns_(columns),
        values_(values),
        owner_(std::move(owner)),
        leaves_(leaves ? std::move(leaves) : std::make_shared<const Leaves>(cut())) {}

  std::size_t count() const { return offsets_.size() - 1; }
  std::size_t width() const { return width_; }
  std::size_t entries() const { return values_.size(); }
  std::size_t entries(std::size_t i) const { return offsets_[i + 1] - offsets_[i]; }
  Row row(std::size_t i) const {
    return {columns_.data() + offsets_[i], values_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
  }
  std::size_t bytes() const { return offsets_.size_bytes() + columns_.size_bytes() + values_.size_bytes(); }

  std::span<const std::uint64_t> offsets() const { return offsets_; }
  std::span<const Column> columns() const { return columns_; }
  std::span<const Value> values() const { return values_; }
  const std::shared_ptr<const Leaves>& leaves() const { return leaves_; }
  const std::shared_ptr<const void>& owner() const { return owner_; }
  SparseRows with_leaves(std::shared_ptr<const Leaves> leaves) const {
    return {width_, offsets_, columns_, values_, owner_, std::move(leaves)};
  }

 private:
  Leaves cut() const {
    if (offsets_.empty()) return {};
    const std::size_t n = count();
    return cut_rows(n, [&](std::size_t i) { return i == n ? entries() : offsets_[i]; });
  }

  std::size_t width_;
  std::span<const std::uint64_t> offsets_;
  std::span<const Column> columns_;
  std::span<const Value> values_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const Leaves> leaves_;
};

template <class Value_>
class DenseRows {
 public:
  using Value = Value_;
  using Row = DenseRow<Value>;

  DenseRows(std::size_t count, std::size_t width, std::span<const Value> values, std::shared_ptr<const void> owner,
            std::shared_ptr<const Leaves> leaves = nullptr)
      : count_(count),
        width_(width),
        values_(values),
        owner_(std::move(owner)),
        leaves_(leaves ? std::move(leaves) : std::make_shared<const Leaves>(cut())) {}

  std::size_t count() const { return count_; }
  std::size_t width() const { return width_; }
  std::size_t entries() const { return values_.size(); }
  std::size_t entries(std::size_t) const { return width_; }
  Row row(std::size_t i) const { return {values_.data() + i * width_, width_}; }
  std::size_t bytes() const { return values_.size_bytes(); }

  std::span<const Value> values() const { return values_; }
  const std::shared_ptr<const Leaves>& leaves() const { return leaves_; }
  const std::shared_ptr<const void>& owner() const { return owner_; }
  DenseRows with_leaves(std::shared_ptr<const Leaves> leaves) const {
    return {count_, width_, values_, owner_, std::move(leaves)};
  }

 private:
  Leaves cut() const {
    return cut_rows(count_, [&](std::size_t i) { return i * width_; });
  }

  std::size_t count_;
  std::size_t width_;
  std::span<const Value> values_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const Leaves> leaves_;
};

using Rows = std::variant<SparseRows<double>, SparseRows<float>, DenseRows<double>, DenseRows<float>>;

// How sums over these rows are divided (base/tree_sum.h). Computed with the rows and shared by their copies; a selection
// of columns has the leaves of its source.
inline const Leaves& leaves_of(const Rows& rows) {
  return std::visit([](const auto& r) -> const Leaves& { return *r.leaves(); }, rows);
}

// Rows and entries of all processes (base/leaves.h), for what is chosen by them; of this process: count() and entries().
template <class RowsOf>
std::size_t all_rows(const RowsOf& rows) {
  return rows.leaves()->all_rows();
}
template <class RowsOf>
std::size_t all_entries(const RowsOf& rows) {
  return rows.leaves()->all_entries(rows.entries());
}

// For vectors of d numbers: groups with at least 4 entries per number on average, so that joining the vectors costs
// little beside summing the entries.
template <class RowsOf>
Leaves leaves_for_vectors(const RowsOf& rows) {
  return rows.leaves()->grouped(all_entries(rows) / std::max<std::size_t>(4 * rows.width(), 1));
}

// The leaves of a list of rows, ascending, as positions in it: groups with at least `least_rows` listed rows on average,
// else one. The group of a short list can be spread over many leaves; its rows are then few and can be gathered.
template <class RowsOf>
Leaves leaves_of_list(const RowsOf& rows, std::span<const std::uint32_t> which, std::size_t least_rows) {
  const std::size_t most = sum_of_ranks(*rows.leaves(), which.size()) / std::max<std::size_t>(least_rows, 1);
  if (most <= 1) return rows.leaves()->as_one(which.size());
  return rows.leaves()->grouped(most).of_list(which);
}

// For vectors of d numbers: the number of listed rows with as many entries as a group of leaves_for_vectors.
template <class RowsOf>
std::size_t rows_per_vector(const RowsOf& rows) {
  return std::max(leaf_size, 4 * rows.width()) / (all_entries(rows) / std::max<std::size_t>(all_rows(rows), 1) + 1) + 1;
}

}  // namespace seesaw
