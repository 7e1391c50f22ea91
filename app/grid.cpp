#include "grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

namespace seesaw::app {
namespace {

constexpr std::size_t space = 2;  // between two columns; the star of a marked cell is in it

}  // namespace

std::vector<std::size_t> Grid::widths() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].text.size());
  }
  return widths;
}

std::size_t Grid::width() const {
  const std::vector<std::size_t> all = widths();
  return std::accumulate(all.begin(), all.end(), all.empty() ? 0 : space * (all.size() - 1));
}

std::string Grid::text(bool bold) const {
  const std::vector<std::size_t> wide = widths();
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const bool words = k == 0 || (words_last_ && k + 1 == wide.size());
      const std::string padding(wide[k] - row[k].text.size(), ' ');
      const std::string shown = row[k].marked && bold ? fmt::format("\x1b[1m{}\x1b[0m", row[k].text) : row[k].text;
      line += words ? shown + padding : padding + shown;
      line += row[k].marked ? "* " : "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent, std::size_t taken) {
  std::istringstream words(text);
  std::string all, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && taken + line.size() + 1 + word.size() > columns) {
      all += line + "\n";
      line = std::string(indent, ' ') + word;
      taken = 0;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return all + line + "\n";
}

}  // namespace seesaw::app
