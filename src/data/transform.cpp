#include "data/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "base/buffer.h"
#include "base/cancel.h"
#include "base/parallel.h"
#include "base/ranks.h"
#include "base/tree_sum.h"
#include "data/constant_feature.h"
#include "data/resident.h"
#include "data/scaled_extents.h"
#include "data/share_rows.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

struct NamedScaling {
  std::string_view name;
  Scaling scaling;
};
constexpr std::array<NamedScaling, 5> scalings{{{"none", Scaling::none},
                                                {"rows", Scaling::rows},
                                                {"max", Scaling::max},
                                                {"columns-max", Scaling::columns_max},
                                                {"columns-std", Scaling::columns_std}}};

// |a|; if the squares overflow or underflow, the entries are divided by the largest one first.
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

// 1 / size, or 1 if that is not finite and positive.
double inverse(double size) {
  const double factor = 1 / size;
  return std::isfinite(factor) && factor > 0 ? factor : 1;
}

// A row from any storage format: its nonzero entries, and the constant feature if there is one.
struct GatheredRow {
  std::vector<std::uint32_t> columns;
  std::vector<double> values;

  template <class Row>
  void gather(Row a) {
    columns.clear();
    values.clear();
    for_each(a, [&](std::size_t column, double value) {
      if (value != 0) push(column, value);
    });
  }
  void push(std::size_t column, double value) {
    columns.push_back(static_cast<std::uint32_t>(column));
    values.push_back(value);
  }
};

// visit(row) for every row of the data, in order.
template <class Visit>
void for_each_row(const Dataset& data, double constant, Visit&& visit) {
  const std::size_t d = data.d();
  std::visit(
      [&](const auto& rows) {
        GatheredRow row;
        const CancelPoll poll;
        for (std::size_t i = 0; i < rows.count(); ++i) {
          poll();
          row.gather(rows.row(i));
          if (constant != 0) row.push(d, constant);
          visit(row);
        }
      },
      data.rows);
}

// columns[j] = the sum over all rows of what add(column, i, j, value) adds for the nonzero entries of column j.
template <class Column, class Add>
std::vector<Column> sums_of_columns(const Dataset& data, const Add& add) {
  std::vector<Column> columns(data.d());
  std::visit(
      [&](const auto& rows) {
        const CancelPoll poll;
        tree_sum(leaves_for_vectors(rows), columns.size(), columns.data(),
                 [&](std::size_t begin, std::size_t end, Column* part) {
                   poll();
                   resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
                     for (std::size_t i = first; i < last; ++i)
                       for_each(rows.row(i), [&](std::size_t j, double value) {
                         if (value != 0) add(part[j], i, j, value);
                       });
                   });
                 });
      },
      data.rows);
  return columns;
}

struct Largest {
  double value = 0;
  Largest& operator+=(const Largest& other) {
    value = std::max(value, other.value);
    return *this;
  }
};

double largest_row_norm(const Dataset& data, double constant) {
  return std::visit(
             [&](const auto& rows) {
               const CancelPoll poll;
               return tree_sum<Largest>(data.leaves(), [&](std::size_t begin, std::size_t end) {
                 poll();
                 Largest largest;
                 GatheredRow row;
                 resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
                   for (std::size_t i = first; i < last; ++i) {
                     row.gather(rows.row(i));
                     if (constant != 0) row.push(data.d(), constant);
                     largest += Largest{norm(row.values)};
                   }
                 });
                 return largest;
               });
             },
             data.rows)
      .value;
}

std::vector<double> column_maxima(const Dataset& data) {
  const std::vector<Largest> columns = sums_of_columns<Largest>(
      data, [](Largest& column, std::size_t, std::size_t, double value) { column += Largest{std::abs(value)}; });
  std::vector<double> maxima;
  for (const Largest& column : columns) maxima.push_back(column.value);
  return maxima;
}

// Weighted standard deviations of the columns over all rows. Two passes, to avoid cancellation for a large mean and a
// small deviation; the second one also corrects the rounding error of the mean. Exactly 0 if all values are equal.
std::vector<double> column_deviations(const Dataset& data) {
  struct Column {
    std::size_t count = 0;  // of nonzero entries
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
    double weight = 0;  // of these entries
    double mean = 0;    // of all rows
    Column& operator+=(const Column& other) {
      count += other.count;
      lowest = std::min(lowest, other.lowest);
      highest = std::max(highest, other.highest);
      weight += other.weight;
      mean += other.mean;
      return *this;
    }
  };
  struct Deviation {
    double drift = 0;    // sum of s (a - mean): the error of the rounded mean
    double squares = 0;  // sum of s (a - mean)^2
    Deviation& operator+=(const Deviation& other) {
      drift += other.drift;
      squares += other.squares;
      return *this;
    }
  };
  const auto weight_of = [&](std::size_t i) { return data.weights.empty() ? 1.0 : data.weights[i]; };
  const auto total = tree_sum<double>(data.leaves(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += weight_of(i);
    return sum;
  });
  const std::vector<Column> columns =
      sums_of_columns<Column>(data, [&](Column& column, std::size_t i, std::size_t, double value) {
        column += Column{1, value, value, weight_of(i), weight_of(i) / total * value};
      });
  std::vector<Deviation> sums =
      sums_of_columns<Deviation>(data, [&](Deviation& sum, std::size_t i, std::size_t j, double value) {
        const double deviation = value - columns[j].mean;
        sum += Deviation{weight_of(i) * deviation, weight_of(i) * deviation * deviation};
      });

  std::vector<double> deviations(data.d());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Column& column = columns[j];
    if (column.count == 0) continue;
    if (column.count == data.all_rows()) {
      if (column.lowest == column.highest) continue;
    } else {  // the rows where the column is zero
      const double rest = total - column.weight;
      sums[j].drift -= rest * column.mean;
      sums[j].squares += rest * column.mean * column.mean;
    }
    const double variance = (sums[j].squares - sums[j].drift * sums[j].drift / total) / total;
    deviations[j] = std::sqrt(std::max(variance, 0.0));
  }
  return deviations;
}

// Sparse rows with other values; offsets and columns are shared with the source. Stored as float if that is exact.
template <class Value>
Rows with_values(const SparseRows<Value>& source, Buffer<double> values) {
  const auto own = [&]<class New>(Buffer<New> numbers) -> Rows {
    struct Arrays {
      SparseRows<Value> source;
      Buffer<New> values;
    };
    auto arrays = std::make_shared<Arrays>(Arrays{source, std::move(numbers)});
    return SparseRows<New>(source.width(), source.offsets(), source.columns(), arrays->values.span(), arrays,
                           source.leaves());
  };
  const auto is_float = [](double value) { return static_cast<double>(static_cast<float>(value)) == value; };
  if (any_rank(*source.leaves(), !std::all_of(values.begin(), values.end(), is_float))) return own(std::move(values));
  Buffer<float> narrow(values.size());
  std::transform(values.begin(), values.end(), narrow.begin(), [](double value) { return static_cast<float>(value); });
  return own(std::move(narrow));
}

// Multiplies, or for unit rows divides, every entry.
void scale(const Transform& transform, GatheredRow& row) {
  if (transform.scaling == Scaling::max)
    for (double& value : row.values) value *= transform.factor;
  for (std::size_t k = 0; k < row.values.size(); ++k)  // the constant feature has no column factor
    if (row.columns[k] < transform.column_factors.size()) row.values[k] *= transform.column_factors[row.columns[k]];
  if (transform.scaling == Scaling::rows)
    if (const double length = norm(row.values); length > 0)
      for (double& value : row.values) value /= length;
}

// Without a constant feature sparse rows keep their pattern: only the values are new.
template <class Value>
Rows scaled_values(const Transform& transform, const SparseRows<Value>& rows) {
  Buffer<double> values(rows.entries());
  const CancelPoll poll;
  parallel_chunks(chunks_of(rows.count(), 256), [&](std::size_t, std::size_t begin, std::size_t end) {
    GatheredRow row;
    for (std::size_t i = begin; i < end; ++i) {
      poll();
      row.gather(rows.row(i));
      scale(transform, row);
      double* to = values.data() + rows.offsets()[i];
      std::size_t k = 0;
      for_each(rows.row(i), [&](std::size_t, double value) { *to++ = value == 0 ? 0.0 : row.values[k++]; });
    }
  });
  return with_values(rows, std::move(values));
}

// New rows of any storage, with the constant feature if there is one.
Rows rebuilt(const Transform& transform, const Dataset& data, Precision precision) {
  RowsBuilder builder;
  for_each_row(data, transform.constant_feature ? transform.constant_value : 0, [&](GatheredRow& row) {
    scale(transform, row);
    builder.add_row(row.columns, row.values);
  });
  RowsBuilder::Shape all = builder.shape();
  if (data.leaves().shares() != nullptr) {
    all = {};
    for (const RowsBuilder::Shape& shape : data.leaves().shares()->ranks->gather(builder.shape())) all.add(shape);
  }
  return std::move(builder).finish(data.d() + transform.constant_feature, precision, all);
}

std::vector<double> row_lengths(const Dataset& data) {
  std::vector<double> lengths(data.n());
  std::visit(
      [&](const auto& rows) {
        resident_chunks(rows, chunks_of(rows.count(), 256), [&](std::size_t begin, std::size_t end) {
          GatheredRow row;
          for (std::size_t i = begin; i < end; ++i) {
            row.gather(rows.row(i));
            lengths[i] = norm(row.values);
          }
        });
      },
      data.rows);
  return lengths;
}

Rows transformed(const Transform& transform, const Dataset& data, Precision precision) {
  if (extents_of(data.rows) != nullptr)
    return scaled_on_disk(transform, data,
                          transform.scaling == Scaling::rows ? row_lengths(data) : std::vector<double>());
  if (!transform.constant_feature && precision == Precision::exact) {
    if (const auto* rows = std::get_if<SparseRows<double>>(&data.rows)) return scaled_values(transform, *rows);
    if (const auto* rows = std::get_if<SparseRows<float>>(&data.rows)) return scaled_values(transform, *rows);
  }
  if (transform.scaling == Scaling::none && precision == Precision::exact && data.leaves().shares() == nullptr) {
    std::optional<Rows> moved;
    if (const auto* rows = std::get_if<SparseRows<double>>(&data.rows))
      moved = with_constant_feature(*rows, transform.constant_value);
    if (const auto* rows = std::get_if<SparseRows<float>>(&data.rows))
      moved = with_constant_feature(*rows, transform.constant_value);
    if (moved) return std::move(*moved);
  }
  return rebuilt(transform, data, precision);
}

}  // namespace

Scaling scaling_of(std::string_view name) {
  for (const NamedScaling& known : scalings)
    if (known.name == name) return known.scaling;
  std::string names;
  for (const NamedScaling& known : scalings) names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  throw InvalidOption("scaling", std::string(name), "it is one of " + names);
}

std::string_view name_of(Scaling scaling) {
  return std::find_if(scalings.begin(), scalings.end(),
                      [=](const NamedScaling& known) { return known.scaling == scaling; })
      ->name;
}

Transform fit_transform(const Dataset& data, Scaling scaling, double constant) {
  Transform transform;
  transform.constant_feature = constant != 0;
  if (transform.constant_feature) transform.constant_value = constant;
  transform.scaling = scaling;
  if (scaling == Scaling::max) transform.factor = inverse(largest_row_norm(data, constant));
  if (scaling == Scaling::columns_max) transform.column_factors = column_maxima(data);
  if (scaling == Scaling::columns_std) transform.column_factors = column_deviations(data);
  for (double& factor : transform.column_factors) factor = inverse(factor);
  return transform;
}

Dataset apply(const Transform& transform, const Dataset& data, Precision precision) {
  if (transform.identity()) return data;
  const std::size_t d = data.d();
  const bool by_column = transform.scaling == Scaling::columns_max || transform.scaling == Scaling::columns_std;
  if (by_column && transform.column_factors.size() != d)
    throw Error(
        fmt::format("{} has {} features, but the column scaling was computed for {}: read it with "
                    "that number of features.",
                    data.source.empty() ? "The data" : data.source, d, transform.column_factors.size()));

  Dataset result{.rows = transformed(transform, data, precision), .labels = data.labels};
  result.weights = data.weights;
  result.nnz = data.nnz + (transform.constant_feature ? data.all_rows() : 0);
  result.feature_names = data.feature_names;
  result.source = data.source;
  result.fixed_width = data.fixed_width;
  result.label_column = data.label_column;
  if (data.leaves().shares() != nullptr && result.leaves().shares() == nullptr)
    return settle_shares(std::move(result), *data.leaves().shares()->ranks);  // rebuilt: rows of other sizes
  return result;
}

}  // namespace seesaw
