#include "data/column_segments.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/parallel.h"
#include "base/tree_sum.h"

namespace seesaw {

template <class Value>
struct SegmentArrays {
  SegmentArrays(std::size_t count, std::size_t entries_in_all)
      : offsets(count + 1),
        entries(entries_in_all),
        indices(std::make_unique_for_overwrite<std::uint32_t[]>(entries)),
        values(std::make_unique_for_overwrite<Value[]>(entries)) {}

  std::vector<std::uint64_t> offsets;
  std::size_t entries;
  std::unique_ptr<std::uint32_t[]> indices;
  std::unique_ptr<Value[]> values;
};

namespace {

template <class Value>
SparseRows<Value> rows_in(std::shared_ptr<const SegmentArrays<Value>> a, std::size_t width,
                          std::shared_ptr<const Leaves> leaves = nullptr) {
  const SegmentArrays<Value>& at = *a;
  return {width,        at.offsets,       {at.indices.get(), at.entries}, {at.values.get(), at.entries},
          std::move(a), std::move(leaves)};
}

template <class Value>
SparseRows<Value> segments_of(const SparseRows<Value>& rows) {
  const Leaves& leaves = *rows.leaves();
  const std::size_t width = rows.width(), count = leaves.count();
  auto arrays = std::make_shared<SegmentArrays<Value>>(count * width, rows.entries());
  SegmentArrays<Value>& a = *arrays;
  parallel_chunks(chunks_of(count, 1, 1024), [&](std::size_t, std::size_t first, std::size_t last) {
    std::vector<std::uint64_t> next(width);
    for (std::size_t leaf = first; leaf < last; ++leaf) {
      const std::size_t begin = leaves.begin(leaf), end = leaves.end(leaf);
      const std::span<const std::uint32_t> columns =
          rows.columns().subspan(rows.offsets()[begin], rows.offsets()[end] - rows.offsets()[begin]);
      std::fill(next.begin(), next.end(), 0);
      for (const std::uint32_t j : columns) ++next[j];
      std::uint64_t at = rows.offsets()[begin];
      for (std::size_t j = 0; j < width; ++j) {
        a.offsets[leaf * width + j] = at;
        at += std::exchange(next[j], at);
      }
      for (std::size_t i = begin; i < end; ++i) {
        const auto row = rows.row(i);
        for (std::size_t k = 0; k < row.size; ++k) {
          const std::uint64_t to = next[row.column[k]]++;
          a.indices[to] = static_cast<std::uint32_t>(i);
          a.values[to] = row.value[k];
        }
      }
    }
  });
  a.offsets.back() = rows.entries();
  return rows_in<Value>(std::move(arrays), rows.count());
}

// sum + a.y, in the order of the entries from `first` on.
template <class Row>
[[gnu::always_inline]] inline double add_dot(double sum, const Row& a, std::size_t first, const double* y) {
  for (std::size_t e = first; e < a.size; ++e) sum += y[a.column[e]] * static_cast<double>(a.value[e]);
  return sum;
}

// Four of them at a time, which hides the latency of additions.
template <class Row>
void add_four_dots(const Row& a, const Row& b, const Row& c, const Row& d, const double* y, double* const (&sums)[4]) {
  const std::size_t common = std::min({a.size, b.size, c.size, d.size});
  double of_a = *sums[0], of_b = *sums[1], of_c = *sums[2], of_d = *sums[3];
  for (std::size_t e = 0; e < common; ++e) {
    of_a += y[a.column[e]] * static_cast<double>(a.value[e]);
    of_b += y[b.column[e]] * static_cast<double>(b.value[e]);
    of_c += y[c.column[e]] * static_cast<double>(c.value[e]);
    of_d += y[d.column[e]] * static_cast<double>(d.value[e]);
  }
  *sums[0] = add_dot(of_a, a, common, y);
  *sums[1] = add_dot(of_b, b, common, y);
  *sums[2] = add_dot(of_c, c, common, y);
  *sums[3] = add_dot(of_d, d, common, y);
}

}  // namespace

bool ColumnSegments::suit(const Rows& rows) {
  constexpr std::size_t least = 16;
  constexpr double sparse = 0.3;
  return rows.index() < 2 &&
         std::visit(
             [](const auto& a) {
               const std::size_t entries = all_entries(a), segments = a.leaves()->nodes() * a.width();
               const double numbers = static_cast<double>(all_rows(a)) * static_cast<double>(a.width());
               return entries >= least * segments && static_cast<double>(entries) <= sparse * numbers;
             },
             rows);
}

ColumnSegments::ColumnSegments(const Rows& rows)
    : segments_(std::visit(
          [](const auto& a) -> Segments {
            if constexpr (requires { a.row(0).column; }) return segments_of(a);
            else throw std::logic_error("segments of dense rows");
          },
          rows)) {
  std::visit(
      [&](const auto& a) {
        leaves_ = a.leaves();
        width_ = a.width();
        entries_ = a.entries();
        all_entries_ = all_entries(a);
      },
      rows);
  columns_.resize(width_);
  std::iota(columns_.begin(), columns_.end(), 0u);
  order_by_size();
}

// Returns the number of entries.
std::size_t ColumnSegments::order_by_size() {
  std::vector<std::size_t> sizes(columns_.size());
  std::visit(
      [&](const auto& segments) {
        for (std::size_t leaf = 0; leaf < leaves_->count(); ++leaf)
          for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] += segments.entries(segment(leaf, k));
      },
      segments_);
  by_size_.resize(columns_.size());
  std::iota(by_size_.begin(), by_size_.end(), 0u);
  std::stable_sort(by_size_.begin(), by_size_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return sizes[a] > sizes[b]; });
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

ColumnSegments ColumnSegments::select(std::vector<std::uint32_t> columns) const {
  ColumnSegments selected = *this;
  selected.columns_ = std::move(columns);
  selected.entries_ = selected.order_by_size();
  selected.all_entries_ = sum_of_ranks(*leaves_, selected.entries_);
  return selected;
}

void ColumnSegments::multiply_transposed(const double* y, double* v) const {
  const Leaves groups = leaves_->grouped(all_entries_ / std::max<std::size_t>(4 * columns_.size(), 1));
  std::visit(
      [&](const auto& segments) {
        const auto add_leaf = [&](std::size_t leaf, double* sum) {
          const auto at = [&](std::size_t k) { return segments.row(segment(leaf, by_size_[k])); };
          const auto sum_of = [&](std::size_t k) { return sum + by_size_[k]; };
          std::size_t k = 0;
          for (; k + 4 <= by_size_.size(); k += 4)
            add_four_dots(at(k), at(k + 1), at(k + 2), at(k + 3), y,
                          {sum_of(k), sum_of(k + 1), sum_of(k + 2), sum_of(k + 3)});
          for (; k < by_size_.size(); ++k) *sum_of(k) = add_dot(*sum_of(k), at(k), 0, y);
        };
        tree_sum(groups, columns_.size(), v, [&](std::size_t begin, std::size_t end, double* sum) {
          std::size_t leaf = 0;
          while (leaf < leaves_->count() && leaves_->end(leaf) <= begin) ++leaf;
          for (; leaf < leaves_->count() && leaves_->begin(leaf) < end; ++leaf) add_leaf(leaf, sum);
        });
      },
      segments_);
}

void ColumnSegments::multiply(const double* x, double* z) const {
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (x[k] != 0) used.push_back(k);
  std::visit(
      [&](const auto& segments) {
        parallel_chunks(chunks_of(leaves_->count(), 1, 1024), [&](std::size_t, std::size_t first, std::size_t last) {
          for (std::size_t leaf = first; leaf < last; ++leaf) {
            std::fill(z + leaves_->begin(leaf), z + leaves_->end(leaf), 0.0);
            for (const std::size_t k : used) add_to(z, x[k], segments.row(segment(leaf, k)));
          }
        });
      },
      segments_);
}

template <class Value>
Rows ColumnSegments::rows_of(const SparseRows<Value>& segments) const {
  const std::size_t n = leaves_->rows(), m = columns_.size();
  auto arrays = std::make_shared<SegmentArrays<Value>>(n, entries_);  // by rows
  SegmentArrays<Value>& a = *arrays;
  const Chunks chunks = chunks_of(leaves_->count(), 1, 1024);
  parallel_chunks(chunks, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t leaf = first; leaf < last; ++leaf)
      for (std::size_t k = 0; k < m; ++k)
        for_each(segments.row(segment(leaf, k)), [&](std::size_t i, double) { ++a.offsets[i + 1]; });
  });
  for (std::size_t i = 0; i < n; ++i) a.offsets[i + 1] += a.offsets[i];
  parallel_chunks(chunks, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t leaf = first; leaf < last; ++leaf) {
      const std::size_t begin = leaves_->begin(leaf);
      std::vector<std::uint64_t> next(a.offsets.begin() + static_cast<std::ptrdiff_t>(begin),
                                      a.offsets.begin() + static_cast<std::ptrdiff_t>(leaves_->end(leaf)));
      for (std::size_t k = 0; k < m; ++k) {
        const auto column = segments.row(segment(leaf, k));
        for (std::size_t e = 0; e < column.size; ++e) {
          const std::uint64_t to = next[column.column[e] - begin]++;
          a.indices[to] = static_cast<std::uint32_t>(k);
          a.values[to] = column.value[e];
        }
      }
    }
  });
  return rows_in<Value>(std::move(arrays), m, leaves_);
}

Rows ColumnSegments::rows() const {
  return std::visit([&](const auto& segments) { return rows_of(segments); }, segments_);
}

}  // namespace seesaw
