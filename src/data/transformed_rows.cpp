#include "data/transformed_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/cancel.h"
#include "base/parallel.h"
#include "base/ranks.h"
#include "base/tree_sum.h"
#include "data/narrow.h"
#include "data/own_rows.h"
#include "data/resident.h"
#include "data/scaled_extents.h"

namespace seesaw {

double norm(std::span<const double> a) {
  const double sum = std::transform_reduce(a.begin(), a.end(), a.begin(), 0.0);
  if (sum > 1e-280 && sum < 1e300) return std::sqrt(sum);
  double largest = 0;
  for (const double value : a) largest = std::max(largest, std::abs(value));
  if (largest == 0) return 0;
  double scaled = 0;
  for (const double value : a) scaled += (value / largest) * (value / largest);
  return largest * std::sqrt(scaled);
}

namespace {

// Multiplies, or for unit rows divides, every entry.
void scale(const Transform& transform, RowEntries& row) {
  if (transform.scaling == Scaling::max)
    for (double& value : row.values) value *= transform.factor;
  for (std::size_t k = 0; k < row.values.size(); ++k)  // the constant feature has no column factor
    if (row.columns[k] < transform.column_factors.size()) row.values[k] *= transform.column_factors[row.columns[k]];
  if (transform.scaling == Scaling::rows)
    if (const double length = norm(row.values); length > 0)
      for (double& value : row.values) value /= length;
}

// New rows of any storage, with the constant feature if there is one.
Rows rebuilt(const Transform& transform, const Dataset& data, Precision precision) {
  RowsBuilder builder(precision);
  const std::size_t d = data.d();
  std::visit(
      [&](const auto& rows) {
        RowEntries row;
        const CancelPoll poll;
        for (std::size_t i = 0; i < rows.count(); ++i) {
          poll();
          row.take(rows.row(i));
          if (transform.constant_feature) row.push(d, transform.constant_value);
          scale(transform, row);
          builder.add_row(row);
        }
      },
      data.rows);
  RowsBuilder::Shape all = builder.shape();
  if (data.leaves().shares() != nullptr) {
    all = {};
    for (const RowsBuilder::Shape& shape : data.leaves().shares()->ranks->gather(builder.shape())) all.add(shape);
  }
  return std::move(builder).finish(d + transform.constant_feature, precision, all);
}

// Of the values of all processes.
struct Content {
  std::size_t nonzeros = 0, negative_zeros = 0, wide = 0;  // wide: not representable as float
  Content& operator+=(const Content& other) {
    nonzeros += other.nonzeros;
    negative_zeros += other.negative_zeros;
    wide += other.wide;
    return *this;
  }
};

template <class RowsOf>
Content content_of(const RowsOf& rows) {
  const CancelPoll poll;
  return tree_sum<Content>(*rows.leaves(), [&](std::size_t begin, std::size_t end) {
    poll();
    Content of;
    const std::size_t first = entries_before(rows, begin), count = entries_before(rows, end) - first;
    for (const auto value : rows.values().subspan(first, count)) {
      of.nonzeros += value != 0;
      of.negative_zeros += value == 0 && std::signbit(value);
      of.wide += !is_float(value);
    }
    return of;
  });
}

// Whether rebuilt() selects the storage that the rows have, and has all of their entries. Undecided where that depends on
// scaled values being floats: false.
template <class RowsOf>
bool keeps_storage(const Transform& transform, const RowsOf& rows, const Content& content) {
  constexpr bool sparse = requires { rows.offsets(); };
  const std::size_t n = all_rows(rows), width = rows.width() + transform.constant_feature,
                    entries = content.nonzeros + (transform.constant_feature ? n : 0);
  if (n == 0 || width == 0 || (sparse && content.nonzeros < all_entries(rows))) return false;
  const auto dense_with = [&](std::size_t value) {  // of so many bytes: RowsBuilder::arrange
    return width <= entries * (value + sizeof(std::uint32_t)) / (n * value);
  };
  const bool as_float = dense_with(sizeof(float)), as_double = dense_with(sizeof(double));
  if (transform.scaling != Scaling::none) return as_float == as_double && as_float != sparse;
  if (content.negative_zeros > 0) return false;  // rebuilt() has +0
  return (content.wide > 0 || !is_float(transform.constant_value) ? as_double : as_float) != sparse;
}

// Arrays with the elements of rows, row i from begin(i) on. In the result each row is followed by `last`, if that is given.
template <class New, class Old, class Begin>
void copy_rows(const Old* from, const Begin& begin, std::size_t first, std::size_t end, New* to,
               std::optional<New> last) {
  for (std::size_t i = first; i < end; ++i) {
    New* const after = std::copy(from + begin(i), from + begin(i + 1), to + begin(i) + (last ? i : 0));
    if (last) *after = *last;
  }
}

template <class New, class Old, class Begin>
Buffer<New> copied(std::span<const Old> from, std::size_t n, const Begin& begin, std::optional<New> last) {
  Buffer<New> to(begin(n) + (last ? n : 0));
  parallel_chunks(chunks_of(n, 1024), [&](std::size_t, std::size_t first, std::size_t end) {
    copy_rows(from.data(), begin, first, end, to.data(), last);
  });
  return to;
}

// From an array that is not needed any more: in place, or to one of another type, with little more memory than the larger.
template <class New, class Old, class Begin>
Buffer<New> moved(Buffer<Old> from, std::size_t n, const Begin& begin, std::optional<New> last) {
  if constexpr (std::is_same_v<New, Old>) {
    if (!last) return from;
    from.resize(begin(n) + n);
    for (std::size_t i = n; i-- > 0;) {  // from the last row: it is written after all that are still to be read
      std::memmove(from.data() + begin(i) + i, from.data() + begin(i), (begin(i + 1) - begin(i)) * sizeof(New));
      from[begin(i + 1) + i] = *last;
    }
    from.shrink_to_fit();
    return from;
  } else {
    Buffer<New> to(begin(n) + (last ? n : 0));
    const Chunks steps = chunks_of(n, 1);
    for (std::size_t step = 0; step < steps.count; ++step) {
      copy_rows(from.data(), begin, steps.begin(step), steps.end(step), to.data(), last);
      from.release_front(begin(steps.end(step)));
    }
    return to;
  }
}

// own: null, or the array that has the elements.
template <class New, class Old, class Begin>
Buffer<New> followed_by(std::optional<New> last, Buffer<Old>* own, std::span<const Old> from, std::size_t n,
                        const Begin& begin) {
  if (own != nullptr) return moved(std::move(*own), n, begin, last);
  return copied(from, n, begin, last);
}

// Scales the rows row_at(i), whose values are in `values`, in place.
template <class RowAt>
void scale_rows(const Transform& transform, std::size_t n, Buffer<double>& values, const RowAt& row_at) {
  const CancelPoll poll;
  parallel_chunks(chunks_of(n, 256), [&](std::size_t, std::size_t begin, std::size_t end) {
    RowEntries row;
    for (std::size_t i = begin; i < end; ++i) {
      poll();
      const auto a = row_at(i);
      row.take(a);
      scale(transform, row);
      double* const to = values.data() + (a.value - values.data());
      for (std::size_t e = 0, k = 0; e < a.size; ++e) to[e] = to[e] == 0 ? 0.0 : row.values[k++];
    }
  });
}

// make(values) with the values as float where all of them are, of all processes.
template <class Make>
Rows as_narrow_as_exact(const Leaves& leaves, Buffer<double> values, const Make& make) {
  if (any_rank(leaves, !std::all_of(values.begin(), values.end(), is_float))) return make(std::move(values));
  return make(narrowed(std::move(values)));
}

// Rows with the offsets and columns of others, which they share.
template <class Value, class New>
Rows with_values(const SparseRows<Value>& source, Buffer<New> values) {
  struct Arrays {
    SparseRows<Value> source;
    Buffer<New> values;
  };
  const auto arrays = std::make_shared<Arrays>(Arrays{source, std::move(values)});
  return SparseRows<New>(source.width(), source.offsets(), source.columns(), arrays->values.span(), arrays,
                         source.leaves());
}

// What is appended to every row of an array.
template <class New>
std::optional<New> last_of_rows(const Transform& transform, double value) {
  if (!transform.constant_feature) return std::nullopt;
  return static_cast<New>(value);
}

// New: the type of the values until they are narrowed.
template <class New, class Value>
Rows rewritten(const Transform& transform, const SparseRows<Value>& rows, SparseRows<Value>* own) {
  const std::size_t n = rows.count(), d = rows.width();
  const auto leaves = rows.leaves();
  std::optional<OwnSparseArrays<Value>> taken;
  if (own != nullptr) taken = take_arrays(*own);
  const std::span<const std::uint64_t> begins = taken ? taken->offsets.span() : rows.offsets();
  const auto begin = [begins](std::size_t i) { return begins[i]; };
  Buffer<New> values = followed_by(last_of_rows<New>(transform, transform.constant_value),
                                   taken ? &taken->values : nullptr, rows.values(), n, begin);
  Buffer<std::uint64_t> offsets;  // this and `columns` are empty where those of the source are shared
  Buffer<std::uint32_t> columns;
  if (taken || transform.constant_feature) {
    columns = followed_by(last_of_rows<std::uint32_t>(transform, static_cast<double>(d)),
                          taken ? &taken->columns : nullptr, rows.columns(), n, begin);
    if (taken) offsets = std::move(taken->offsets);
    else offsets.append(rows.offsets());
    if (transform.constant_feature)
      for (std::size_t i = 0; i <= n; ++i) offsets[i] += i;
  }
  const std::uint64_t* const at = offsets.empty() ? rows.offsets().data() : offsets.data();
  const std::uint32_t* const column = offsets.empty() ? rows.columns().data() : columns.data();
  const auto make = [&]<class Final>(Buffer<Final> numbers) -> Rows {
    if (offsets.empty()) return with_values(rows, std::move(numbers));
    return own_sparse_rows(d + transform.constant_feature, std::move(offsets), std::move(columns), std::move(numbers),
                           transform.constant_feature ? nullptr : leaves);
  };
  if constexpr (std::is_same_v<New, double>) {
    if (transform.scaling != Scaling::none)
      scale_rows(transform, n, values, [&](std::size_t i) {
        return SparseRow<double>{column + at[i], values.data() + at[i], at[i + 1] - at[i]};
      });
    return as_narrow_as_exact(*leaves, std::move(values), make);
  } else {
    return make(std::move(values));
  }
}

template <class New, class Value>
Rows rewritten(const Transform& transform, const DenseRows<Value>& rows, DenseRows<Value>* own) {
  const std::size_t n = rows.count(), d = rows.width(), width = d + transform.constant_feature;
  const auto leaves = rows.leaves();
  std::optional<OwnDenseArrays<Value>> taken;
  if (own != nullptr) taken = take_arrays(*own);
  const auto begin = [d](std::size_t i) { return i * d; };
  Buffer<New> values = followed_by(last_of_rows<New>(transform, transform.constant_value),
                                   taken ? &taken->values : nullptr, rows.values(), n, begin);
  const auto make = [&]<class Final>(Buffer<Final> numbers) -> Rows {
    return own_dense_rows(n, width, std::move(numbers));
  };
  if constexpr (std::is_same_v<New, double>) {
    if (transform.scaling != Scaling::none)
      scale_rows(transform, n, values, [&](std::size_t i) {
        return DenseRow<double>{values.data() + i * width, width};
      });
    return as_narrow_as_exact(*leaves, std::move(values), make);
  } else {
    return make(std::move(values));
  }
}

// Nothing where rebuilt() has another storage.
template <class RowsOf>
std::optional<Rows> rewritten_in_storage(const Transform& transform, const RowsOf& rows, RowsOf* own) {
  constexpr bool sparse = requires { rows.offsets(); };
  const bool scaled = transform.scaling != Scaling::none;
  Content content;
  if (!sparse || transform.constant_feature) {  // otherwise the rows keep their pattern
    content = content_of(rows);
    if (!keeps_storage(transform, rows, content)) return std::nullopt;
  }
  if (scaled || content.wide > 0 || !is_float(transform.constant_value)) return rewritten<double>(transform, rows, own);
  return rewritten<float>(transform, rows, own);
}

std::vector<double> row_lengths(const Dataset& data) {
  std::vector<double> lengths(data.n());
  std::visit(
      [&](const auto& rows) {
        resident_chunks(rows, chunks_of(rows.count(), 256), [&](std::size_t begin, std::size_t end) {
          RowEntries row;
          for (std::size_t i = begin; i < end; ++i) {
            row.take(rows.row(i));
            lengths[i] = norm(row.values);
          }
        });
      },
      data.rows);
  return lengths;
}

}  // namespace

Rows transformed_rows(const Transform& transform, const Dataset& data, Precision precision, Dataset* own) {
  if (extents_of(data.rows) != nullptr)
    return scaled_on_disk(transform, data,
                          transform.scaling == Scaling::rows ? row_lengths(data) : std::vector<double>());
  if (precision == Precision::exact) {
    std::optional<Rows> result = std::visit(
        [&]<class RowsOf>(const RowsOf& rows) {
          return rewritten_in_storage(transform, rows, own == nullptr ? nullptr : &std::get<RowsOf>(own->rows));
        },
        data.rows);
    if (result) return std::move(*result);
  }
  return rebuilt(transform, data, precision);
}

}  // namespace seesaw
