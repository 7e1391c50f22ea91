#include "data/scaled_extents.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "data/resident.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

// What is shared by the rows as stored and the rows as scaled.
struct Factors {
  Transform transform;
  std::vector<double> lengths;
  std::size_t width;
  std::span<const std::uint64_t> offsets;  // empty: dense rows

  // scaled(k, value) for the entries first .. first + count - 1, in their order.
  template <class Value, class Write>
  void scale(std::size_t first, std::size_t count, const std::uint32_t* columns, const Value* values,
             const Write& scaled) const {
    const bool by_columns = !transform.column_factors.empty(), by_rows = transform.scaling == Scaling::rows;
    std::size_t row = 0, end = 0, column = 0;
    if (offsets.empty()) {
      row = first / width;
      column = first % width;
      end = (row + 1) * width;
    } else {
      row = static_cast<std::size_t>(std::upper_bound(offsets.begin(), offsets.end(), first) - offsets.begin()) - 1;
      end = offsets[row + 1];
    }
    for (std::size_t k = 0; k < count; ++k) {
      while (first + k >= end) {
        ++row;
        column = 0;
        end = offsets.empty() ? end + width : offsets[row + 1];
      }
      const auto value = static_cast<double>(values[k]);
      double result = 0;
      if (value != 0) {
        result = value;
        if (transform.scaling == Scaling::max) result *= transform.factor;
        if (by_columns) result *= transform.column_factors[offsets.empty() ? column : columns[k]];
        if (by_rows && lengths[row] > 0) result /= lengths[row];
      }
      ++column;
      scaled(k, result);
    }
  }
};

// The entries of an extent that belong to the rows: first .. first + count - 1 of theirs, from the position `at` on.
struct Part {
  std::size_t first, count, at;
};
Part part_of_extent(std::size_t extent, std::size_t skew, std::size_t entries) {
  const std::size_t begin = extent * extent_entries, first = std::max(begin, skew),
                    end = std::min(begin + extent_entries, skew + entries);
  return {first - skew, end - first, first - begin};
}

template <class From, class To>
class ScaledReader final : public ExtentReader {
 public:
  ScaledReader(std::shared_ptr<ExtentReader> source, Factors factors, std::size_t skew, std::size_t entries)
      : source_(std::move(source)), factors_(std::move(factors)), skew_(skew), entries_(entries) {}

  void read(std::size_t extent, void* columns, void* values) override {
    std::vector<From> stored = take_buffer();
    source_->read(extent, columns, stored.data());
    const Part part = part_of_extent(extent, skew_, entries_);
    auto* const to = static_cast<To*>(values) + part.at;
    const auto* const of = columns == nullptr ? nullptr : static_cast<const std::uint32_t*>(columns) + part.at;
    factors_.scale(part.first, part.count, of, stored.data() + part.at,
                   [&](std::size_t k, double value) { to[k] = static_cast<To>(value); });
    const std::lock_guard lock(mutex_);
    buffers_.push_back(std::move(stored));
  }

 private:
  std::vector<From> take_buffer() {  // one per thread that reads
    const std::lock_guard lock(mutex_);
    if (buffers_.empty()) return std::vector<From>(extent_entries);
    std::vector<From> buffer = std::move(buffers_.back());
    buffers_.pop_back();
    return buffer;
  }

  std::shared_ptr<ExtentReader> source_;
  Factors factors_;
  std::size_t skew_, entries_;
  std::mutex mutex_;
  std::vector<std::vector<From>> buffers_;
};

struct Found {
  bool single;        // every scaled value is a float
  std::size_t count;  // nonzero values; as far as they were needed
};

// Which storage the scaled rows of all processes have in memory. Ends as soon as that is known.
template <class RowsOf>
Found look_at(const RowsOf& rows, const Factors& factors) {
  constexpr bool sparse = requires { rows.offsets(); };
  Extents& extents = *extents_of(rows);
  const std::size_t all = rows.entries(), extent_count = extents.bytes().extents();
  Found found{true, 0};
  for (std::size_t e = 0; e < extent_count && (found.single || !sparse); ++e) {
    const std::size_t first = part_of_extent(e, extents.skew(), all).first,
                      count = part_of_extent(e, extents.skew(), all).count;
    const Hold hold(extents, {e, e + 1}, {e + 1, extent_count});
    const std::uint32_t* columns = nullptr;
    if constexpr (sparse) columns = rows.columns().data() + first;
    std::size_t inexact = 0;
    const auto* const values = rows.values().data() + first;
    factors.scale(first, count, columns, values, [&](std::size_t k, double value) {
      inexact += static_cast<double>(static_cast<float>(value)) != value;
      found.count += values[k] != 0;
    });
    found.single = found.single && inexact == 0;
  }
  return {!any_rank(*rows.leaves(), !found.single), sum_of_ranks(*rows.leaves(), found.count)};
}

struct ScaledOwner {
  Rows source;  // owns the offsets
  std::shared_ptr<Extents> extents;
};

template <class To, class RowsOf>
Rows scaled_rows(const RowsOf& rows, Factors factors) {
  using From = typename RowsOf::Value;
  const Extents& stored = *extents_of(rows);
  auto reader =
      std::make_shared<ScaledReader<From, To>>(stored.reader(), std::move(factors), stored.skew(), rows.entries());
  const EntryBytes bytes{stored.bytes().entries, stored.bytes().column, sizeof(To)};
  auto owner = std::make_shared<ScaledOwner>(ScaledOwner{
      rows, std::make_shared<Extents>(bytes, stored.longest_row(), std::move(reader), stored.budget(), stored.skew())});
  const std::span values(static_cast<const To*>(owner->extents->values()), rows.entries());
  if constexpr (requires { rows.offsets(); }) {
    const std::span columns(static_cast<const std::uint32_t*>(owner->extents->columns()), rows.entries());
    return SparseRows<To>(rows.width(), rows.offsets(), columns, values, owner, rows.leaves());
  } else {
    return DenseRows<To>(rows.count(), rows.width(), values, owner, rows.leaves());
  }
}

}  // namespace

Rows scaled_on_disk(const Transform& transform, const Dataset& data, std::vector<double> lengths) {
  if (transform.constant_feature)
    throw Error(
        fmt::format("a penalized intercept appends a feature to every row, and the rows of {} are on disk: choose "
                    "`intercept` free or none, or more memory.",
                    data.source));
  return std::visit(
      [&]<class RowsOf>(const RowsOf& rows) -> Rows {
        Factors factors{transform, std::move(lengths), rows.width(), {}};
        constexpr bool sparse = requires { rows.offsets(); };
        if constexpr (sparse) factors.offsets = rows.offsets();
        const Found found = look_at(rows, factors);
        const std::size_t value = found.single ? sizeof(float) : sizeof(double);
        // RowsBuilder: dense if that is not larger.
        if (!sparse && found.count < all_entries(rows) &&
            rows.width() > found.count * (value + sizeof(std::uint32_t)) / (all_rows(rows) * value))
          throw Error(fmt::format(
              "{} has so many zeros that its rows are sparse once they are scaled, and rows on disk cannot change: "
              "scale it before it is converted, or use more memory.",
              data.source));
        return found.single ? scaled_rows<float>(rows, std::move(factors))
                            : scaled_rows<double>(rows, std::move(factors));
      },
      data.rows);
}

}  // namespace seesaw
