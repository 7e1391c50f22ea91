// Text in columns that are as wide as what stands in them.
#pragma once

#include <string>
#include <vector>

namespace seesaw::app {

struct Cell {
  std::string text;
  bool marked = false;  // with a star behind it
};

class Grid {
 public:
  // The first column and, where `words_last`, the last one are aligned to the left, the others to the right.
  explicit Grid(bool words_last) : words_last_(words_last) {}
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  std::size_t width() const;
  std::string text(bool bold) const;  // bold: marked cells are

 private:
  std::vector<std::size_t> widths() const;
  bool words_last_;
  std::vector<std::vector<Cell>> rows_;
};

// Broken between words so that no line is longer than `columns`; lines after the first begin with `indent` spaces.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent);

}  // namespace seesaw::app
