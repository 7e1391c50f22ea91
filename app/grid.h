// Text in columns, each as wide as its widest cell.
#pragma once

#include <string>
#include <vector>

namespace seesaw::app {

struct Cell {
  std::string text;
  bool marked = false;  // followed by a star
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

// Broken between words so that no line is longer than `columns`, unless a word is; lines after the first begin with
// `indent` spaces. taken: columns that the first line does not have.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent, std::size_t taken = 0);

}  // namespace seesaw::app
