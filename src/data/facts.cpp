#include "data/facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/cancel.h"
#include "base/compensated_sum.h"
#include "base/ranks.h"
#include "base/tree_sum.h"
#include "data/resident.h"

namespace seesaw {
namespace {

double mean_of(const CompensatedSum& sum, std::size_t count) {
  return count == 0 ? 0 : sum.value() / static_cast<double>(count);
}

double median(std::vector<double>& numbers) {  // reorders them
  const auto upper = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), upper, numbers.end());
  if (numbers.size() % 2 == 1) return *upper;
  return (*std::max_element(numbers.begin(), upper) + *upper) / 2;
}

Spread spread_of(std::vector<double> numbers, const CompensatedSum& sum) {
  if (numbers.empty()) return {};
  const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
  Spread spread{.min = *least, .mean = mean_of(sum, numbers.size()), .max = *greatest};
  spread.median = median(numbers);
  return spread;
}

struct Column {
  std::size_t count = 0;  // of nonzero entries
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  double squared_norm = 0;
  Column& operator+=(const Column& other) {
    count += other.count;
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
    squared_norm += other.squared_norm;
    return *this;
  }
};

struct RowSums {
  CompensatedSum squared_norms, norms;
  std::size_t longest = 0, empty = 0;
  RowSums& operator+=(const RowSums& other) {
    squared_norms += other.squared_norms;
    norms += other.norms;
    longest = std::max(longest, other.longest);
    empty += other.empty;
    return *this;
  }
};

template <class Row>
std::size_t nonzero_entries(Row a) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < a.size; ++k) count += a.value[k] != 0;
  return count;
}

}  // namespace

Facts measure(const Dataset& data) {
  Facts facts;
  facts.n = data.all_rows();
  facts.d = data.d();
  facts.nnz = data.nnz;
  if (facts.n > 0 && facts.d > 0)
    facts.density = static_cast<double>(facts.nnz) / (static_cast<double>(facts.n) * static_cast<double>(facts.d));
  facts.labels = count_labels(data);

  std::vector<double> row_norms(data.n());  // -1: an empty row
  std::vector<Column> columns(facts.d);
  const CancelPoll poll;
  const RowSums sums = std::visit(
      [&](const auto& rows) {
        tree_sum(leaves_for_vectors(rows), facts.d, columns.data(),
                 [&](std::size_t begin, std::size_t end, Column* part) {
                   poll();
                   resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
                     for (std::size_t i = first; i < last; ++i)
                       for_each(rows.row(i), [&](std::size_t j, double value) {
                         if (value != 0) part[j] += Column{1, value, value, value * value};
                       });
                   });
                 });
        return tree_sum<RowSums>(data.leaves(), [&](std::size_t begin, std::size_t end) {
          RowSums part;
          poll();
          resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              const std::size_t count = nonzero_entries(rows.row(i));
              const double square = squared_norm(rows.row(i));
              part.squared_norms += square;
              part.longest = std::max(part.longest, count);
              part.empty += count == 0;
              row_norms[i] = count == 0 ? -1 : std::sqrt(square);
              if (count > 0) part.norms += row_norms[i];
            }
          });
          return part;
        });
      },
      data.rows);
  facts.mean_squared_row_norm = mean_of(sums.squared_norms, facts.n);
  facts.longest_row = sums.longest;
  facts.empty_rows = sums.empty;
  std::erase(row_norms, -1);
  if (const Shares* shares = data.leaves().shares()) row_norms = shares->ranks->concatenate<double>(row_norms);
  facts.row_norms = spread_of(std::move(row_norms), sums.norms);

  std::vector<double> column_norms;
  CompensatedSum of_columns;
  for (const Column& column : columns) {
    if (column.count == 0) {
      ++facts.empty_columns;
      continue;
    }
    if (column.count == facts.n && column.lowest == column.highest) ++facts.constant_columns;
    column_norms.push_back(std::sqrt(column.squared_norm));
    of_columns += column_norms.back();
  }
  facts.column_norms = spread_of(std::move(column_norms), of_columns);
  return facts;
}

}  // namespace seesaw
