#include "explain_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "summary.h"

namespace seesaw::app {
namespace {

constexpr std::size_t most_columns = 20;

std::string column_in_words(const ColumnEncoding& column, const TableEncoding& table) {
  std::string text;
  switch (column.kind) {
    case ColumnKind::number:
      text = "a number";
      break;
    case ColumnKind::yes_no:
      text = fmt::format("{} = 1, {} = 0", column.levels[1], column.levels[0]);
      break;
    case ColumnKind::date:
      text = "days since 1970-01-01";
      break;
    case ColumnKind::levels:
      text = counted(column.levels.size(), "level") + ", one-hot";
      if (column.rare) text += ", others pooled as rare";
      return text + (column.missing ? ", empty cells as one more level" : "");
    case ColumnKind::hashed:
      text = fmt::format("hashed to {} features", table.hash_size);
      return text + (column.missing ? ", empty cells as one more level" : "");
  }
  return text + fmt::format("; empty cells as {:.6g}{}", column.fill, column.indicator ? " and an indicator" : "");
}

}  // namespace

std::vector<std::string> table_in_words(const TableEncoding& table) {
  std::vector<std::string> lines;
  lines.push_back(
      table.label.name.empty() ? "no label"
      : table.label.log ? fmt::format("label {}: its logarithm is predicted, and seesaw predict returns to its units",
                                      table.label.name)
      : table.label.classes.empty()
          ? fmt::format("label {}: a number", table.label.name)
          : fmt::format("label {}: text, {}", table.label.name,
                        table.label.classes.size() == 1 ? std::string("1 class")
                                                        : fmt::format("{} classes", table.label.classes.size())));
  const std::size_t shown = std::min(table.columns.size(), most_columns);
  for (std::size_t k = 0; k < shown; ++k)
    lines.push_back(fmt::format("{}: {}", table.columns[k].name, column_in_words(table.columns[k], table)));
  if (shown < table.columns.size()) lines.push_back(fmt::format("and {} more columns", table.columns.size() - shown));
  return lines;
}

nlohmann::ordered_json table_json(const TableEncoding& table) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const ColumnEncoding& column : table.columns) {
    nlohmann::ordered_json one = {{"name", column.name}, {"kind", name_of(column.kind)}};
    if (column.kind == ColumnKind::levels || column.kind == ColumnKind::hashed) one["missing"] = column.missing;
    else one.update({{"fill", column.fill}, {"indicator", column.indicator}});
    if (column.kind == ColumnKind::levels) one.update({{"levels", column.levels.size()}, {"rare", column.rare}});
    columns.push_back(std::move(one));
  }
  return {{"label", table.label.name},
          {"log", table.label.log},
          {"hash_size", table.hash_size},
          {"columns", std::move(columns)}};
}

}  // namespace seesaw::app
