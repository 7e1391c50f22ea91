#include "study/printed.h"

#include <cmath>
#include <cstdlib>

namespace seesaw {
namespace {

std::optional<double> number_in(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool whole = end != text.c_str() && std::string(end).find_first_not_of(" s") == std::string::npos;
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

PrintedCell cell_of(const PrintedTable& table, const PrintedRow& row, const std::string& method,
                    const Evidence& evidence) {
  PrintedCell cell{row.panel, method, {}, {}, {}, NAN};
  if (const auto printed = row.values.find(method); printed != row.values.end()) {
    cell.paper = printed->second;
    cell.paper_number = number_in(cell.paper);
  }
  if (const MethodRuns* runs = evidence.find(row.panel, method))
    cell.our_number = measured(table.measure, *runs, evidence.optimum(row.panel)).value;
  cell.ours = number_in_words(table.measure, cell.our_number);
  return cell;
}

}  // namespace

std::vector<PrintedCell> printed_cells(const PrintedTable& table, const Evidence& evidence) {
  std::vector<PrintedCell> cells;
  for (const PrintedRow& row : table.rows)
    for (const std::string& method : table.columns) cells.push_back(cell_of(table, row, method, evidence));
  return cells;
}

Json printed_json(const PrintedTable& table, const Evidence& evidence,
                  const std::map<std::string, std::string>& other_data) {
  Json rows = Json::array();
  for (const PrintedRow& row : table.rows) {
    Json cells = Json::array();
    for (const std::string& method : table.columns) {
      const PrintedCell cell = cell_of(table, row, method, evidence);
      cells.push_back({{"paper", cell.paper}, {"ours", cell.ours}});
    }
    rows.push_back({{"name", row.name}, {"cells", std::move(cells)}});
    if (const auto other = other_data.find(row.panel); other != other_data.end()) rows.back()["data"] = other->second;
  }
  return {{"caption", table.caption},
          {"measure", in_words(table.measure)},
          {"columns", table.columns},
          {"rows", std::move(rows)}};
}

}  // namespace seesaw
