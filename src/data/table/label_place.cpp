#include "data/table/label_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "data/readers/numbers.h"

namespace seesaw {

std::size_t label_place(const TableText& table, const std::string& label, Problems& problems) {
  const std::size_t columns = table.names.size();
  if (label == "none") return columns;
  if (label.empty()) return 0;
  if (const auto found = std::find(table.names.begin(), table.names.end(), label); found != table.names.end())
    return static_cast<std::size_t>(found - table.names.begin());
  std::size_t number = 0;
  const auto [after, error] = std::from_chars(label.data(), label.data() + label.size(), number);
  const bool is_number = error == std::errc() && after == label.data() + label.size();
  if (is_number && number >= 1 && number <= columns) return number - 1;
  if (is_number) {
    problems.add(fmt::format("has no column {}; the label column is one of 1 to {}.", label, columns));
  } else if (!table.header) {
    problems.add(fmt::format("has no header, so no column {}; give the number of the label column, counted from 1.",
                             in_quotes(label)));
  } else {
    std::string all = in_quotes(table.names[0]);
    for (std::size_t j = 1; j < columns && all.size() < 200; ++j) all += ", " + in_quotes(table.names[j]);
    problems.add(fmt::format("has no column {}; its columns are {}.", in_quotes(label), all));
  }
  return columns;
}

void add_without_logarithm(const TableText& table, std::size_t label, const Cell& cell, Problems& problems) {
  problems.add(cell.at, fmt::format("the label {} in {} has no logarithm; `log_target` needs labels above 0.",
                                    in_quotes(cell.text), table.column(label)));
}

}  // namespace seesaw
