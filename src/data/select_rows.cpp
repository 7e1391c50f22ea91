#include "data/select_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "data/own_rows.h"
#include "data/resident.h"
#include "data/spooled_rows.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

template <class Value>
Rows chosen_rows(const SparseRows<Value>& rows, std::span<const std::uint32_t> which) {
  Buffer<std::uint64_t> offsets(which.size() + 1);
  offsets[0] = 0;
  for (std::size_t k = 0; k < which.size(); ++k) offsets[k + 1] = offsets[k] + rows.entries(which[k]);
  Buffer<std::uint32_t> columns(offsets[which.size()]);
  Buffer<Value> values(offsets[which.size()]);
  resident(rows, which, 0, which.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const auto row = rows.row(which[k]);
      std::copy_n(row.column, row.size, columns.data() + offsets[k]);
      std::copy_n(row.value, row.size, values.data() + offsets[k]);
    }
  });
  return own_sparse_rows(rows.width(), std::move(offsets), std::move(columns), std::move(values));
}

template <class Value>
Rows chosen_rows(const DenseRows<Value>& rows, std::span<const std::uint32_t> which) {
  Buffer<Value> values(which.size() * rows.width());
  resident(rows, which, 0, which.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k)
      std::copy_n(rows.row(which[k]).value, rows.width(), values.data() + k * rows.width());
  });
  return own_dense_rows(which.size(), rows.width(), std::move(values));
}

template <class Value>
Rows range_of(const SparseRows<Value>& rows, std::size_t begin, std::size_t end) {
  struct Owner {
    Buffer<std::uint64_t> offsets;
    std::shared_ptr<const void> entries;
  };
  const auto owner = std::make_shared<Owner>(Owner{Buffer<std::uint64_t>(end - begin + 1), rows.owner()});
  const std::size_t first = rows.offsets()[begin], entries = rows.offsets()[end] - first;
  for (std::size_t k = begin; k <= end; ++k) owner->offsets[k - begin] = rows.offsets()[k] - first;
  return SparseRows<Value>(rows.width(), owner->offsets.span(), rows.columns().subspan(first, entries),
                           rows.values().subspan(first, entries), owner);
}
template <class Value>
Rows range_of(const DenseRows<Value>& rows, std::size_t begin, std::size_t end) {
  return DenseRows<Value>(end - begin, rows.width(),
                          rows.values().subspan(begin * rows.width(), (end - begin) * rows.width()), rows.owner());
}

template <class T>
Buffer<T> joined(std::span<const T> a, std::span<const T> b) {
  Buffer<T> result;
  result.append(a);
  result.append(b);
  return result;
}
template <class Value>
Rows appended(const SparseRows<Value>& a, const SparseRows<Value>& b) {
  Buffer<std::uint64_t> offsets(a.count() + b.count() + 1);
  std::copy(a.offsets().begin(), a.offsets().end(), offsets.begin());
  for (std::size_t i = 0; i < b.count(); ++i) offsets[a.count() + i + 1] = offsets[a.count() + i] + b.entries(i);
  return own_sparse_rows(a.width(), std::move(offsets), joined(a.columns(), b.columns()),
                         joined(a.values(), b.values()));
}
template <class Value>
Rows appended(const DenseRows<Value>& a, const DenseRows<Value>& b) {
  return own_dense_rows(a.count() + b.count(), a.width(), joined(a.values(), b.values()));
}

// Dataset::nnz. Explicit zeros are stored by sparse rows only.
template <class Value>
std::size_t count_entries(const SparseRows<Value>& rows) {
  return rows.entries();
}
template <class Value>
std::size_t count_entries(const DenseRows<Value>& rows) {
  return static_cast<std::size_t>(
      std::count_if(rows.values().begin(), rows.values().end(), [](Value value) { return value != 0; }));
}

void keep(std::vector<double>& values, std::span<const std::uint32_t> which) {
  if (values.empty()) return;
  for (std::size_t k = 0; k < which.size(); ++k) values[k] = values[which[k]];
  values.resize(which.size());
}

// Everything but the rows.
Dataset like(const Dataset& data) {
  return {.rows = SparseRows<double>(data.d(), {}, {}, {}, nullptr),
          .labels = {},
          .feature_names = data.feature_names,
          .labelled = data.labelled,
          .fixed_width = data.fixed_width,
          .source = data.source,
          .label_column = data.label_column};
}

}  // namespace

Rows select_rows(const Rows& rows, std::span<const std::uint32_t> which) {
  return std::visit([&](const auto& a) { return chosen_rows(a, which); }, rows);
}

Rows sample_rows(const Rows& rows, std::span<const std::uint32_t> which) {
  return std::visit(
      [&](const auto& a) {
        auto leaves = std::make_shared<const Leaves>(leaves_of_list(a, which, rows_per_vector(a)));
        std::optional<Rows> on_disk = spooled_rows(rows, which);
        return std::visit([&](auto selection) -> Rows { return selection.with_leaves(leaves); },
                          on_disk ? *std::move(on_disk) : chosen_rows(a, which));
      },
      rows);
}

Rows select_and_append(const Rows& rows, std::span<const std::uint32_t> which, const Rows& more) {
  if (std::optional<Rows> on_disk = spooled_rows(rows, which, &more)) return *std::move(on_disk);
  const Rows selection = select_rows(rows, which);
  return std::visit([&]<class RowsOf>(const RowsOf& a) { return appended(a, std::get<RowsOf>(more)); }, selection);
}

Dataset select_rows(Dataset data, std::span<const std::uint32_t> which) {
  data.rows = select_rows(data.rows, which);
  data.nnz = std::visit([](const auto& rows) { return count_entries(rows); }, data.rows);
  keep(data.labels, which);
  keep(data.weights, which);
  return data;
}

Dataset arrange_rows(const Dataset& data, std::span<const std::uint32_t> which) {
  Dataset result = like(data);
  if (extents_of(data.rows) != nullptr) {  // read in the order of the file
    std::vector<std::uint32_t> all(data.n());
    std::iota(all.begin(), all.end(), 0u);
    result.rows = select_rows(select_rows(data.rows, all), which);
  } else {
    result.rows = select_rows(data.rows, which);
  }
  for (const std::uint32_t i : which) result.labels.push_back(data.labels[i]);
  if (!data.weights.empty())
    for (const std::uint32_t i : which) result.weights.push_back(data.weights[i]);
  result.nnz = std::visit([](const auto& rows) { return count_entries(rows); }, result.rows);
  return result;
}

Dataset row_range(const Dataset& data, std::size_t begin, std::size_t end) {
  Dataset result = like(data);
  result.rows = std::visit([&](const auto& rows) { return range_of(rows, begin, end); }, data.rows);
  const auto part = [&](const std::vector<double>& values) {
    return values.empty() ? values
                          : std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                                values.begin() + static_cast<std::ptrdiff_t>(end));
  };
  result.labels = part(data.labels);
  result.weights = part(data.weights);
  result.nnz = std::visit([](const auto& rows) { return count_entries(rows); }, result.rows);
  return result;
}

Dataset with_row_weights(Dataset data, std::vector<double> weights) {
  data.weights = std::move(weights);
  if (std::find(data.weights.begin(), data.weights.end(), 0.0) != data.weights.end()) {
    if (extents_of(data.rows) != nullptr)
      throw Error(fmt::format(
          "a weight is 0, and the rows of {} are on disk: give the weights to seesaw convert, which drops such rows.",
          data.source));
    std::vector<std::uint32_t> positive;
    for (std::size_t i = 0; i < data.weights.size(); ++i)
      if (data.weights[i] > 0) positive.push_back(static_cast<std::uint32_t>(i));
    data = select_rows(std::move(data), positive);
  }
  if (std::all_of(data.weights.begin(), data.weights.end(), [](double weight) { return weight == 1; }))
    data.weights.clear();
  return data;
}

}  // namespace seesaw
