#include "data/scaled_extents.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
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

template <class From, class To>
class ScaledReader final : public ExtentReader {
 public:
  ScaledReader(std::shared_ptr<ExtentReader> source, Factors factors, std::size_t entries)
      : source_(std::move(source)), factors_(std::move(factors)), entries_(entries), stored_(extent_entries) {}

  void read(std::size_t extent, void* columns, void* values) override {
    source_->read(extent, columns, stored_.data());
    const std::size_t first = extent * extent_entries, count = std::min(extent_entries, entries_ - first);
    auto* const to = static_cast<To*>(values);
    factors_.scale(first, count, static_cast<const std::uint32_t*>(columns), stored_.data(),
                   [&](std::size_t k, double value) { to[k] = static_cast<To>(value); });
  }

 private:
  std::shared_ptr<ExtentReader> source_;
  Factors factors_;
  std::size_t entries_;
  std::vector<From> stored_;
};

struct Found {
  bool single;        // every scaled value is a float
  std::size_t count;  // nonzero values; as far as they were needed
};

// Which storage the scaled rows have in memory. Ends as soon as that is known.
template <class RowsOf>
Found look_at(const RowsOf& rows, const Factors& factors) {
  constexpr bool sparse = requires { rows.offsets(); };
  Extents& extents = *extents_of(rows);
  const std::size_t all = rows.entries(), extent_count = extents.bytes().extents();
  Found found{true, 0};
  for (std::size_t e = 0; e < extent_count && (found.single || !sparse); ++e) {
    const std::size_t first = e * extent_entries, count = std::min(extent_entries, all - first);
    const Hold hold(extents, {e, e + 1}, {e + 1, extent_count});
    const std::uint32_t* columns = nullptr;
    if constexpr (sparse) columns = rows.columns().data() + first;
    std::size_t inexact = 0;
    factors.scale(first, count, columns, rows.values().data() + first, [&](std::size_t k, double value) {
      inexact += static_cast<double>(static_cast<float>(value)) != value;
      found.count += rows.values()[first + k] != 0;
    });
    found.single = found.single && inexact == 0;
  }
  return found;
}

struct Owner {
  Rows source;  // owns the offsets
  std::shared_ptr<Extents> extents;
};

template <class To, class RowsOf>
Rows scaled_rows(const RowsOf& rows, Factors factors) {
  using From = typename RowsOf::Value;
  const Extents& stored = *extents_of(rows);
  auto reader = std::make_shared<ScaledReader<From, To>>(stored.reader(), std::move(factors), rows.entries());
  const EntryBytes bytes{rows.entries(), stored.bytes().column, sizeof(To)};
  auto owner = std::make_shared<Owner>(
      Owner{rows, std::make_shared<Extents>(bytes, stored.longest_row(), std::move(reader), stored.budget())});
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
        if (!sparse && found.count < rows.entries() &&
            rows.width() > found.count * (value + sizeof(std::uint32_t)) / (rows.count() * value))
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
