// Data::view and Data::copy: arrays in memory as rows. They are checked in one pass, in parallel; the first element that
// is wrong is reported, whatever the number of threads.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "api/internals.h"
#include "base/cancel.h"
#include "base/parallel.h"
#include "data/own_rows.h"
#include "data/rows_builder.h"
#include "data/select_rows.h"
#include "kernels/at_level.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

// The first i below `size` for which wrong(i) is true, or nowhere.
template <class Wrong>
std::size_t first_of(std::size_t size, const Wrong& wrong) {
  const Chunks chunks = chunks_of(size);
  std::vector<std::size_t> found(chunks.count, nowhere);
  const CancelPoll poll;
  parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    poll();
    for (std::size_t i = begin; i < end && found[chunk] == nowhere; ++i)
      if (wrong(i)) found[chunk] = i;
  });
  return *std::min_element(found.begin(), found.end());
}

// Of a range of numbers.
struct Scan {
  std::size_t nonzeros = 0, infinite = 0;  // infinite: or not a number
  Scan& operator+=(const Scan& other) {
    nonzeros += other.nonzeros;
    infinite += other.infinite;
    return *this;
  }
};

template <class Number>
Scan scan(std::span<const Number> numbers) {
  using Bits = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
  constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<Number>::infinity());
  const CancelPoll poll;
  return parallel_sum<Scan>(chunks_of(numbers.size(), 32768, 1024), [&](std::size_t begin, std::size_t end) {
    poll();
    Scan of;
    at_level([&]() __attribute__((always_inline)) {
      const Number* const at = numbers.data();
      Bits nonzeros = 0, infinite = 0;  // of the same width: vectorized; a chunk has fewer than 2^32 elements
      for (std::size_t k = begin; k < end; ++k) {
        nonzeros += at[k] != 0;
        infinite += (std::bit_cast<Bits>(at[k]) & exponent) == exponent;
      }
      of = {nonzeros, infinite};
    });
    return of;
  });
}

template <class Number>
void require_finite(std::span<const Number> numbers, const char* array, std::optional<Scan> scanned = {}) {
  if ((scanned ? *scanned : scan(numbers)).infinite == 0) return;
  const std::size_t bad = first_of(numbers.size(), [&](std::size_t i) { return !std::isfinite(numbers[i]); });
  if (bad != nowhere)
    throw InvalidArray(
        array, bad, fmt::format("{}[{}] is {}; remove or replace it.", array, bad, static_cast<double>(numbers[bad])));
}

void require_size(const char* array, std::size_t expected, std::size_t actual) {
  if (expected != actual)
    throw ShapeError(expected, actual, fmt::format("`{}` has {} elements, expected {}.", array, actual, expected));
}

template <class Array>
std::size_t size_of(const Array& array) {
  return std::visit([](const auto& elements) { return elements.size(); }, array);
}

// The array as unsigned indices of another width: itself if the widths agree (signed or not), otherwise a copy.
template <class Wanted>
struct Indices {
  std::span<const Wanted> span;
  std::shared_ptr<const Buffer<Wanted>> copy;

  explicit Indices(const IndexArray& array) {
    std::visit(
        [&](auto from) {
          if constexpr (sizeof(from[0]) == sizeof(Wanted)) {
            span = {reinterpret_cast<const Wanted*>(from.data()), from.size()};
          } else {
            auto converted = std::make_shared<Buffer<Wanted>>(from.size());
            Wanted* const to = converted->data();
            parallel_chunks(chunks_of(from.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
              for (std::size_t k = begin; k < end; ++k) to[k] = static_cast<Wanted>(from[k]);
            });
            span = converted->span();
            copy = std::move(converted);
          }
        },
        array);
  }
};

// Before 64-bit columns are narrowed: none may wrap around.
void require_columns(const IndexArray& columns, std::span<const std::uint64_t> offsets, std::size_t features) {
  if (features > std::numeric_limits<std::uint32_t>::max())
    throw ShapeError(std::numeric_limits<std::uint32_t>::max(), features,
                     fmt::format("there are {} features; at most 2^32 - 1 are possible.", features));
  const std::size_t bad = std::visit(
      [&](auto column) {
        return first_of(offsets.size() - 1, [&](std::size_t i) {
          for (std::uint64_t k = offsets[i]; k < offsets[i + 1]; ++k)
            if (static_cast<std::uint64_t>(column[k]) >= features || (k > offsets[i] && column[k] <= column[k - 1]))
              return true;
          return false;
        });
      },
      columns);
  if (bad != nowhere)
    throw InvalidArray(
        "columns", bad,
        fmt::format("row {} has columns that do not increase strictly, or one that is not below {}; sort each row by "
                    "its columns and add up entries of the same column.",
                    bad, features));
}

void require_offsets(std::span<const std::uint64_t> offsets, std::size_t values) {
  if (offsets.empty()) throw ShapeError(1, 0, "`offsets` is empty; it has one element more than there are rows.");
  const std::size_t bad = first_of(
      offsets.size() - 1, [&](std::size_t i) { return offsets[i] > offsets[i + 1] || offsets[i + 1] > values; });
  const bool ends = offsets.front() == 0 && offsets.back() == values;
  if (bad != nowhere || !ends)
    throw InvalidArray(
        "offsets", bad != nowhere ? bad : 0,
        fmt::format("`offsets` must rise from 0 to the number of values, {}; they do not at row {}.", values,
                    bad != nowhere         ? bad
                    : offsets.front() != 0 ? 0
                                           : offsets.size() - 1));
}

struct Made {
  Rows rows;
  std::size_t nnz;
};

Made view_of(const SparseArrays& arrays, std::shared_ptr<const void> owner) {
  const Indices<std::uint64_t> offsets(arrays.offsets);
  const std::size_t entries = size_of(arrays.values);
  require_offsets(offsets.span, entries);
  require_size("columns", entries, size_of(arrays.columns));
  require_columns(arrays.columns, offsets.span, arrays.features);
  const Indices<std::uint32_t> columns(arrays.columns);
  struct Kept {
    std::shared_ptr<const void> owner, offsets, columns;
  };
  const auto kept = std::make_shared<Kept>(Kept{std::move(owner), offsets.copy, columns.copy});
  const auto view = [&]<class Value>(std::span<const Value> values) -> Rows {
    require_finite(values, "values");
    return SparseRows<Value>(arrays.features, offsets.span, columns.span, values, kept);
  };
  return {std::visit(view, arrays.values), entries};
}

Made view_of(const DenseArrays& arrays, std::shared_ptr<const void> owner) {
  const std::size_t size = size_of(arrays.values);
  if (arrays.features > 0 && arrays.rows > std::numeric_limits<std::size_t>::max() / arrays.features)
    throw ShapeError(arrays.rows, size, "there cannot be so many values.");
  require_size("values", arrays.rows * arrays.features, size);
  const auto view = [&]<class Value>(std::span<const Value> values) -> Made {
    const Scan scanned = scan(values);
    require_finite(values, "values", scanned);
    return {DenseRows<Value>(arrays.rows, arrays.features, values, std::move(owner)), scanned.nonzeros};
  };
  return std::visit(view, arrays.values);
}

std::size_t count_of(const Rows& rows) {
  return std::visit([](const auto& r) { return r.count(); }, rows);
}

// Labels and weights of the data, instead of those it has.
Dataset labelled(Dataset data, const RowLabels& given) {
  const std::size_t n = count_of(data.rows);
  if (n == 0) throw ShapeError(1, 0, "there are no rows; give at least one.");
  if (!given.labels.empty()) require_size("labels", n, given.labels.size());
  if (!given.weights.empty()) require_size("weights", n, given.weights.size());
  require_finite(given.labels, "labels");
  require_finite(given.weights, "weights");
  const std::size_t negative = first_of(given.weights.size(), [&](std::size_t i) { return given.weights[i] < 0; });
  if (negative != nowhere)
    throw InvalidArray(
        "weights", negative,
        fmt::format("weights[{}] is {}; weights must be at least 0.", negative, given.weights[negative]));

  data.labels.assign(given.labels.begin(), given.labels.end());
  data.weights.clear();
  data.labelled = !given.labels.empty();
  if (!data.labelled) data.labels.assign(n, 0.0);
  if (!given.weights.empty()) {
    if (std::all_of(given.weights.begin(), given.weights.end(), [](double w) { return w == 0; }))
      throw InvalidArray("weights", 0, "all weights are 0; at least one row needs a weight above 0.");
    data = with_row_weights(std::move(data), {given.weights.begin(), given.weights.end()});
  }
  return data;
}

Dataset labelled(Made made, const RowLabels& given) {
  Dataset data{.rows = std::move(made.rows), .labels = {}};
  data.nnz = made.nnz;
  data.source = "data in memory";
  data.fixed_width = true;
  return labelled(std::move(data), given);
}

// The same rows in the smallest storage. Explicit zeros of sparse rows stay, as entries that were given.
Data compacted(Dataset data) {
  data.rows = std::visit(
      []<class RowsOf>(const RowsOf& rows) {
        return rebuilt_rows(
            rows, rows.width(), Precision::exact, requires { rows.columns(); });
      },
      data.rows);
  return Access::data(std::move(data));
}

}  // namespace

Data Data::view(const SparseArrays& rows, const RowLabels& labels, std::shared_ptr<const void> owner) {
  return Access::data(labelled(view_of(rows, std::move(owner)), labels));
}
Data Data::view(const DenseArrays& rows, const RowLabels& labels, std::shared_ptr<const void> owner) {
  return Access::data(labelled(view_of(rows, std::move(owner)), labels));
}
Data Data::copy(const SparseArrays& rows, const RowLabels& labels) {
  return compacted(labelled(view_of(rows, nullptr), labels));
}
Data Data::copy(const DenseArrays& rows, const RowLabels& labels) {
  return compacted(labelled(view_of(rows, nullptr), labels));
}
Data Data::with_labels(const RowLabels& labels) const {
  LoadedData loaded{.data = labelled(state_->set, labels), .table = state_->table, .notes = state_->notes};
  const std::vector<double>& before = state_->set.labels;
  if (loaded.table && !std::equal(labels.labels.begin(), labels.labels.end(), before.begin(), before.end())) {
    LabelEncoding& label = loaded.table->label;
    label.classes.clear();
    label.log = false;
    // Other labels are in no column of a file. Without a header the name is the place of a column, which stays.
    if (loaded.table->header) label.name.clear();
  }
  return Access::data(std::move(loaded));
}

}  // namespace seesaw
