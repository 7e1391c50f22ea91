#include "data/facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/compensated_sum.h"

namespace seesaw {
namespace {

double mean(const std::vector<double>& numbers) {
  CompensatedSum sum;
  for (const double number : numbers) sum += number;
  return numbers.empty() ? 0 : sum.value() / static_cast<double>(numbers.size());
}

double median(std::vector<double>& numbers) {  // reorders them
  const auto upper = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), upper, numbers.end());
  if (numbers.size() % 2 == 1) return *upper;
  return (*std::max_element(numbers.begin(), upper) + *upper) / 2;
}

Spread spread_of(std::vector<double> numbers) {
  if (numbers.empty()) return {};
  const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
  Spread spread{.min = *least, .mean = mean(numbers), .max = *greatest};
  spread.median = median(numbers);
  return spread;
}

struct Column {
  std::size_t count = 0;  // of nonzero entries
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  double squared_norm = 0;
};

}  // namespace

Facts measure(const Dataset& data) {
  Facts facts;
  facts.n = data.n();
  facts.d = data.d();
  facts.nnz = data.nnz;
  if (facts.n > 0 && facts.d > 0)
    facts.density = static_cast<double>(facts.nnz) / (static_cast<double>(facts.n) * static_cast<double>(facts.d));
  facts.labels = count_labels(data);

  const std::vector<double> squared_norms = squared_row_norms(data);
  facts.mean_squared_row_norm = mean(squared_norms);

  std::vector<Column> columns(facts.d);
  std::vector<double> row_norms;
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i) {
          std::size_t count = 0;
          for_each(rows.row(i), [&](std::size_t j, double value) {
            if (value == 0) return;
            ++count;
            Column& column = columns[j];
            ++column.count;
            column.lowest = std::min(column.lowest, value);
            column.highest = std::max(column.highest, value);
            column.squared_norm += value * value;
          });
          facts.longest_row = std::max(facts.longest_row, count);
          if (count == 0) ++facts.empty_rows;
          else row_norms.push_back(std::sqrt(squared_norms[i]));
        }
      },
      data.rows);
  facts.row_norms = spread_of(std::move(row_norms));

  std::vector<double> column_norms;
  for (const Column& column : columns) {
    if (column.count == 0) {
      ++facts.empty_columns;
      continue;
    }
    if (column.count == facts.n && column.lowest == column.highest) ++facts.constant_columns;
    column_norms.push_back(std::sqrt(column.squared_norm));
  }
  facts.column_norms = spread_of(std::move(column_norms));
  return facts;
}

}  // namespace seesaw
