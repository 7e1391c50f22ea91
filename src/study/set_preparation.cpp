#include "study/set_preparation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "base/rng.h"
#include "base/scalar.h"
#include "data/rows_builder.h"
#include "data/select_rows.h"

namespace seesaw {
namespace {

// Copies the set row by row; visit(columns, values) may change a row before it is added.
template <class Visit>
Dataset rebuilt(const Dataset& data, std::size_t width, const Visit& visit) {
  RowsBuilder builder;
  RowEntries row;
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i) {
          row.take(rows.row(i));
          visit(row.columns, row.values);
          builder.add_row(row);
        }
      },
      data.rows);
  const std::size_t entries = builder.entries();
  Dataset result{.rows = std::move(builder).finish(width, Precision::exact), .labels = data.labels};
  result.weights = data.weights;
  result.nnz = entries;
  result.feature_names = data.feature_names;
  result.label_column = data.label_column;
  result.source = data.source;
  return result;
}

// A value becomes (value - centre) / width.
struct Column {
  double centre = 0, width = 0;
};

template <class Visit>
void each_entry(const Dataset& data, const Visit& visit) {
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i) for_each(rows.row(i), visit);
      },
      data.rows);
}

std::vector<Column> means_and_deviations(const Dataset& data) {
  std::vector<Column> columns(data.d());
  const double n = static_cast<double>(data.n());
  std::vector<double> entries(columns.size());
  each_entry(data, [&](std::size_t j, double value) {
    columns[j].centre += value / n;
    ++entries[j];
  });
  each_entry(data, [&](std::size_t j, double value) {
    columns[j].width += (value - columns[j].centre) * (value - columns[j].centre) / n;
  });
  for (std::size_t j = 0; j < columns.size(); ++j) {  // zeros that are not stored
    columns[j].width += (1 - entries[j] / n) * columns[j].centre * columns[j].centre;
    columns[j].width = std::sqrt(columns[j].width);
  }
  return columns;
}

std::vector<Column> middles_and_half_ranges(const Dataset& data) {
  std::vector<double> least(data.d(), infinity), most(data.d(), -infinity);
  std::vector<std::size_t> entries(data.d());
  const auto include = [&](std::size_t j, double value) {
    least[j] = std::min(least[j], value);
    most[j] = std::max(most[j], value);
  };
  each_entry(data, [&](std::size_t j, double value) {
    include(j, value);
    ++entries[j];
  });
  std::vector<Column> columns(data.d());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (entries[j] < data.n()) include(j, 0);
    columns[j] = {(least[j] + most[j]) / 2, (most[j] - least[j]) / 2};
  }
  return columns;
}

void standardize(std::vector<double>& labels) {
  const double n = static_cast<double>(labels.size());
  const double mean = std::accumulate(labels.begin(), labels.end(), 0.0) / n;
  double square = 0;
  for (const double label : labels) square += (label - mean) * (label - mean) / n;
  for (double& label : labels) label = square > 0 ? (label - mean) / std::sqrt(square) : 0;
}

Dataset rows_labelled(const Dataset& data, const std::vector<double>& labels) {
  std::vector<std::uint32_t> chosen;
  for (std::size_t i = 0; i < data.n(); ++i)
    if (std::find(labels.begin(), labels.end(), data.labels[i]) != labels.end())
      chosen.push_back(static_cast<std::uint32_t>(i));
  return select_rows(data, chosen);
}

}  // namespace

Dataset evenly_spaced_rows(const Dataset& data, std::size_t most) {
  if (data.n() <= most) return data;
  std::vector<std::uint32_t> chosen(most);
  for (std::size_t k = 0; k < most; ++k) chosen[k] = static_cast<std::uint32_t>(k * data.n() / most);
  return select_rows(data, chosen);
}

Dataset prepared(const Dataset& given, const SetPreparation& preparation) {
  if (preparation.nothing()) return given;
  const Dataset kept = preparation.keep.empty() ? given : rows_labelled(given, preparation.keep);
  const Dataset data = preparation.rows == 0 ? kept : evenly_spaced_rows(kept, preparation.rows);
  const std::vector<Column> columns = preparation.standardize   ? means_and_deviations(data)
                                      : preparation.unit_ranges ? middles_and_half_ranges(data)
                                                                : std::vector<Column>();
  const std::size_t d = data.d(), width = d + (preparation.constant ? 1 : 0);
  std::vector<double> whole(d);
  Dataset result = rebuilt(data, width, [&](std::vector<std::uint32_t>& at, std::vector<double>& values) {
    if (!columns.empty()) {  // constant columns become 0
      std::fill(whole.begin(), whole.end(), 0.0);
      for (std::size_t k = 0; k < at.size(); ++k) whole[at[k]] = values[k];
      at.resize(d);
      std::iota(at.begin(), at.end(), 0U);
      values.resize(d);
      for (std::size_t j = 0; j < d; ++j)
        values[j] = columns[j].width > 0 ? (whole[j] - columns[j].centre) / columns[j].width : 0;
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
  if (preparation.standard_labels) standardize(result.labels);
  return result;
}

Dataset with_profile(const Dataset& data, const ColumnProfile& profile, std::uint64_t seed) {
  if (profile.nothing()) return data;
  Rng rng(seed, 1);
  std::vector<double> code_of(data.d());  // in this row; 0: none
  return rebuilt(data, data.d(), [&](std::vector<std::uint32_t>& at, std::vector<double>& values) {
    std::fill(code_of.begin(), code_of.end(), 0.0);
    for (const ColumnProfile::Code& one : profile.codes)
      if (rng.uniform() < 0.5)
        for (const std::size_t j : one.columns) code_of[j] = one.code;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      const std::size_t j = at[k];
      const bool zero = profile.density < 1 && rng.uniform() >= profile.density;
      const double size = profile.sizes.empty() ? 1 : profile.sizes[j % profile.sizes.size()];
      const double value = code_of[j] != 0 ? code_of[j] : zero ? 0 : size * values[k];
      if (value == 0) continue;
      at[kept] = at[k];
      values[kept++] = value;
    }
    at.resize(kept);
    values.resize(kept);
  });
}

void label_largest(std::vector<double>& scores, double fraction) {
  const auto count = static_cast<std::size_t>(fraction * static_cast<double>(scores.size()));
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::vector<double> labels(scores.size(), -1);
  for (std::size_t k = 0; k < std::max<std::size_t>(count, 1) && k < order.size(); ++k) labels[order[k]] = 1;
  scores = std::move(labels);
}

}  // namespace seesaw
