// The kinds of the cells of each column, counted.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "data/table/cells.h"
#include "data/table/table_text.h"

namespace seesaw {

inline constexpr std::size_t cell_kinds = static_cast<std::size_t>(CellKind::text) + 1;

struct Sample {
  Position at;
  std::string text;
};

class CellFacts {
 public:
  explicit CellFacts(std::size_t columns) : counts_(columns), points_(columns), groupable_(columns) {}

  void count(std::size_t column, const Cell& cell, bool comma_allowed);
  std::size_t of(std::size_t column, CellKind kind) const { return counts_[column][static_cast<std::size_t>(kind)]; }
  std::size_t present(std::size_t column) const;  // cells that are not empty
  std::size_t points(std::size_t column) const { return points_[column]; }
  // Numbers with a comma that may separate thousands (cells.h).
  std::size_t groupable(std::size_t column) const { return groupable_[column]; }
  // Every cell that is not empty is a number, with any decimal sign.
  bool numbers(std::size_t column) const;

  // The first cell of a kind; of numbers: the first with a decimal point. Precondition: there is one.
  const Sample& sample(std::size_t column, CellKind kind) const { return samples_.at({column, kind}); }

 private:
  std::vector<std::array<std::size_t, cell_kinds>> counts_;
  std::vector<std::size_t> points_;  // numbers with a decimal point
  std::vector<std::size_t> groupable_;
  std::map<std::pair<std::size_t, CellKind>, Sample> samples_;
};

// Whether the decimal sign of the columns of numbers among `columns` is a comma. Both signs are a problem, and so
// are columns with 1,234 where no number shows that the comma does not separate thousands.
bool decimal_comma(const TableText& table, const CellFacts& facts, const std::vector<std::size_t>& columns,
                   Problems& problems);

}  // namespace seesaw
