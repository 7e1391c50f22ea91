#include "data/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "base/cancel.h"
#include "base/ranks.h"
#include "base/tree_sum.h"
#include "data/resident.h"
#include "data/share_rows.h"
#include "data/transformed_rows.h"
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

// 1 / size, or 1 if that is not finite and positive.
double inverse(double size) {
  const double factor = 1 / size;
  return std::isfinite(factor) && factor > 0 ? factor : 1;
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
                 RowEntries row;
                 resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
                   for (std::size_t i = first; i < last; ++i) {
                     row.take(rows.row(i));
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

// own: null, or the data itself.
Dataset applied(const Transform& transform, const Dataset& data, Precision precision, Dataset* own) {
  if (transform.identity()) return data;
  const std::size_t d = data.d();
  const bool by_column = transform.scaling == Scaling::columns_max || transform.scaling == Scaling::columns_std;
  if (by_column && transform.column_factors.size() != d)
    throw Error(
        fmt::format("{} has {} features, but the column scaling was computed for {}: read it with "
                    "that number of features.",
                    data.source.empty() ? "The data" : data.source, d, transform.column_factors.size()));

  Dataset result{.rows = transformed_rows(transform, data, precision, own), .labels = data.labels};
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
  return applied(transform, data, precision, nullptr);
}

Dataset apply_taking_rows(const Transform& transform, Dataset& data, Precision precision) {
  return applied(transform, data, precision, &data);
}

}  // namespace seesaw
