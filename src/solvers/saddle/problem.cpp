#include <fmt/format.h>

#include <cmath>

#include "seesaw/error.h"
#include "seesaw/saddle.h"
#include "solvers/saddle/block_norm.h"

namespace seesaw::saddle {
Problem::Problem(std::size_t dimension, std::shared_ptr<const PrimalFunction> g)
    : dimension_(dimension), g_(std::move(g)) {
  if (!g_) throw Error("a saddle problem needs a function g.");
  if (const std::size_t size = g_->size(); size != 0 && size != dimension)
    throw ShapeError(dimension, size, fmt::format("x has {} numbers, and the function g is of {}.", dimension, size));
}

void Problem::add(const std::vector<ScoreRow>& rows, std::shared_ptr<const BlockFunction> phi, double weight) {
  if (!phi) throw Error("a block needs a function phi.");
  if (rows.empty()) throw ShapeError(1, 0, "a block needs at least one row.");
  if (const std::size_t size = phi->size(); size != 0 && size != rows.size())
    throw ShapeError(rows.size(), size,
                     fmt::format("a block has {} rows, and its function phi is of {} scores.", rows.size(), size));
  if (!(weight > 0) || !std::isfinite(weight))
    throw InvalidOption("weight", fmt::format("{}", weight), "it must be a finite number above 0");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const ScoreRow& row = rows[r];
    if (row.columns.size() != row.values.size())
      throw ShapeError(row.columns.size(), row.values.size(),
                       fmt::format("row {} has {} columns and {} values.", r, row.columns.size(), row.values.size()));
    for (std::size_t k = 0; k < row.columns.size(); ++k) {
      if (row.columns[k] >= dimension_ || (k > 0 && row.columns[k] <= row.columns[k - 1]))
        throw InvalidArray("columns", k,
                           fmt::format("`columns` of row {} must ascend and be below {}.", r, dimension_));
      if (!std::isfinite(row.values[k]))
        throw InvalidArray("values", k, fmt::format("`values` of row {} must be finite.", r));
    }
  }
  blocks_.push_back({scores(), rows.size(), weight, block_norm(rows), std::move(phi)});
  for (const ScoreRow& row : rows) {
    columns_.insert(columns_.end(), row.columns.begin(), row.columns.end());
    values_.insert(values_.end(), row.values.begin(), row.values.end());
    offsets_.push_back(columns_.size());
  }
}

double Problem::score(std::size_t row, std::span<const double> x) const {
  double sum = 0;
  for (std::size_t at = offsets_[row]; at < offsets_[row + 1]; ++at) sum += values_[at] * x[columns_[at]];
  return sum;
}

void Problem::add_to(std::span<double> x, std::size_t row, double scale) const {
  if (scale == 0) return;
  for (std::size_t at = offsets_[row]; at < offsets_[row + 1]; ++at) x[columns_[at]] += scale * values_[at];
}

}  // namespace seesaw::saddle
