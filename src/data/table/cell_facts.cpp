#include "data/table/cell_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "data/readers/numbers.h"

namespace seesaw {

void CellFacts::count(std::size_t column, const Cell& cell, bool comma_allowed) {
  const CellKind kind = kind_of_cell(cell.text, comma_allowed);
  std::size_t& count = counts_[column][static_cast<std::size_t>(kind)];
  ++count;
  if (kind == CellKind::comma_number && comma_may_group(cell.text)) ++groupable_[column];
  if (kind == CellKind::number) {
    if (!comma_allowed || cell.text.find('.') == cell.text.npos || points_[column]++ > 0) return;
  } else if (count > 1) {
    return;
  }
  samples_.try_emplace({column, kind}, Sample{cell.at, std::string(cell.text)});
}

std::size_t CellFacts::present(std::size_t column) const {
  const auto& counts = counts_[column];
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0}) - of(column, CellKind::missing);
}

bool CellFacts::numbers(std::size_t column) const {
  return present(column) == of(column, CellKind::number) + of(column, CellKind::comma_number);
}

bool decimal_comma(const TableText& table, const CellFacts& facts, const std::vector<std::size_t>& columns,
                   Problems& problems) {
  std::optional<std::size_t> with_comma, with_point;
  for (const std::size_t j : columns) {
    if (!facts.numbers(j)) continue;
    if (!with_comma && facts.of(j, CellKind::comma_number) > 0) with_comma = j;
    if (!with_point && facts.points(j) > 0) with_point = j;
  }
  if (with_comma && with_point) {
    const Sample& comma = facts.sample(*with_comma, CellKind::comma_number);
    const Sample& point = facts.sample(*with_point, CellKind::number);
    problems.add(comma.at,
                 fmt::format("{} in {} has a decimal comma, but {} in {} (line {}) has a decimal point; write all "
                             "numbers with the same sign.",
                             in_quotes(comma.text), table.column(*with_comma), in_quotes(point.text),
                             table.column(*with_point), point.at.line));
  }
  const bool decimal = std::any_of(columns.begin(), columns.end(), [&](std::size_t j) {
    return facts.numbers(j) && facts.of(j, CellKind::comma_number) > facts.groupable(j);
  });
  for (const std::size_t j : columns) {
    if (decimal || with_point || !facts.numbers(j) || facts.groupable(j) == 0) continue;
    const Sample& first = facts.sample(j, CellKind::comma_number);
    problems.add(first.at,
                 fmt::format("{} in {} is a number of thousands or has a decimal comma, which no other number "
                             "of the file shows; write the numbers without separators of thousands, or with a "
                             "decimal point.",
                             in_quotes(first.text), table.column(j)));
  }
  return with_comma.has_value();
}

}  // namespace seesaw
