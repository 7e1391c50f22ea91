#include "solvers/parts/steps/column_facts.h"

#include <algorithm>
#include <cmath>

namespace seesaw {

ColumnFacts::ColumnFacts(const Problem& problem, const RowFacts& rows) : norm(problem.d()) {
  double largest_square = 0;
  std::visit(
      [&](const auto& columns) {
        for (std::size_t j = 0; j < norm.size(); ++j) {
          double sum = 0;
          for_each(columns.row(j), [&](std::size_t i, double value) {
            const double square = rows.m * rows.normalized_weight[i] * value * value;
            sum += square;
            largest_square = std::max(largest_square, square);
          });
          norm[j] = std::sqrt(sum);
          if (sum > 0) drawable.push_back(static_cast<std::uint32_t>(j));
        }
      },
      problem.columns());
  k = static_cast<double>(drawable.size());
  largest_entry = std::sqrt(largest_square);
}

}  // namespace seesaw
