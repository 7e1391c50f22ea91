#include "study/set_preparation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "data/rows_builder.h"

namespace seesaw {
namespace {

// Row by row into a new set: visit(columns, values) may change a row before it is added.
template <class Visit>
Dataset rebuilt(const Dataset& data, const std::vector<std::size_t>& chosen, std::size_t width, const Visit& visit) {
  RowsBuilder builder;
  std::vector<std::uint32_t> columns;
  std::vector<double> values, labels, weights;
  std::visit(
      [&](const auto& rows) {
        for (const std::size_t i : chosen) {
          columns.clear();
          values.clear();
          for_each(rows.row(i), [&](std::size_t column, double value) {
            if (value == 0) return;
            columns.push_back(static_cast<std::uint32_t>(column));
            values.push_back(value);
          });
          visit(columns, values);
          builder.add_row(columns, values);
          labels.push_back(data.labels[i]);
          if (!data.weights.empty()) weights.push_back(data.weights[i]);
        }
      },
      data.rows);
  const std::size_t entries = builder.entries();
  Dataset result{.rows = std::move(builder).finish(width, Precision::exact), .labels = std::move(labels)};
  result.weights = std::move(weights);
  result.nnz = entries;
  result.feature_names = data.feature_names;
  result.source = data.source;
  return result;
}

std::vector<std::size_t> all_rows(const Dataset& data) {
  std::vector<std::size_t> all(data.n());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

struct Column {
  double mean = 0, deviation = 0;
};

std::vector<Column> columns_of(const Dataset& data) {
  std::vector<Column> columns(data.d());
  const double n = static_cast<double>(data.n());
  std::visit(
      [&](const auto& rows) {
        const auto each = [&](const auto& visit) {
          for (std::size_t i = 0; i < rows.count(); ++i) for_each(rows.row(i), visit);
        };
        std::vector<double> entries(columns.size());
        each([&](std::size_t j, double value) {
          columns[j].mean += value / n;
          ++entries[j];
        });
        each([&](std::size_t j, double value) {
          columns[j].deviation += (value - columns[j].mean) * (value - columns[j].mean) / n;
        });
        for (std::size_t j = 0; j < columns.size(); ++j) {  // the zeros that are not stored
          columns[j].deviation += (1 - entries[j] / n) * columns[j].mean * columns[j].mean;
          columns[j].deviation = std::sqrt(columns[j].deviation);
        }
      },
      data.rows);
  return columns;
}

}  // namespace

Dataset some_rows(const Dataset& data, std::size_t most) {
  if (data.n() <= most) return data;
  std::vector<std::size_t> chosen(most);
  for (std::size_t k = 0; k < most; ++k) chosen[k] = k * data.n() / most;
  return rebuilt(data, chosen, data.d(), [](auto&, auto&) {});
}

Dataset prepared(const Dataset& data, const SetPreparation& preparation) {
  if (preparation.nothing()) return data;
  const std::vector<Column> columns = preparation.standardize ? columns_of(data) : std::vector<Column>();
  const std::size_t d = data.d(), width = d + (preparation.constant ? 1 : 0);
  std::vector<double> whole(d);
  Dataset result =
      rebuilt(data, all_rows(data), width, [&](std::vector<std::uint32_t>& at, std::vector<double>& values) {
        if (preparation.standardize) {  // columns that are constant become 0
          std::fill(whole.begin(), whole.end(), 0.0);
          for (std::size_t k = 0; k < at.size(); ++k) whole[at[k]] = values[k];
          at.resize(d);
          std::iota(at.begin(), at.end(), 0U);
          values.resize(d);
          for (std::size_t j = 0; j < d; ++j)
            values[j] = columns[j].deviation > 0 ? (whole[j] - columns[j].mean) / columns[j].deviation : 0;
        }
        for (double& value : values) value /= preparation.divide;
        if (preparation.constant) {
          at.push_back(static_cast<std::uint32_t>(d));
          values.push_back(1);
        }
        if (preparation.unit_rows) {
          const double norm = std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
          if (norm > 0)
            for (double& value : values) value /= norm;
        }
      });
  if (preparation.constant) result.feature_names.clear();
  const auto& positive = preparation.positive;
  if (!positive.empty())
    for (double& label : result.labels)
      label = std::find(positive.begin(), positive.end(), label) != positive.end() ? 1 : -1;
  if (preparation.center_labels) {
    const double mean =
        std::accumulate(result.labels.begin(), result.labels.end(), 0.0) / static_cast<double>(result.n());
    for (double& label : result.labels) label -= mean;
  }
  return result;
}

}  // namespace seesaw
