// The text of a table in memory, and its records: cells by separators, quoted cells with separators, line ends and doubled
// quotes inside.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/readers/blocks.h"
#include "data/table/problems.h"

namespace seesaw {

struct Cell {
  std::string_view text;  // without surrounding blanks and quotes
  Position at;            // of its first character
};

class Records {
 public:
  // Precondition: the text ends with a line end.
  Records(std::string_view text, char separator, std::size_t first_line = 1)
      : text_(text), separator_(separator), line_(first_line) {}

  // The next record that is not a blank line; the cells are valid until the next call. False at the end of the text, or at
  // a quote that is not closed.
  bool next(std::vector<Cell>& cells);
  const std::optional<Position>& open_quote() const { return open_quote_; }
  std::size_t offset() const { return at_; }  // of the text after the record
  std::size_t line() const { return line_; }  // of the text after the record

 private:
  bool read_cell(Cell& cell);
  bool read_quoted(const char*& p, Cell& cell);

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0, line_, line_begin_ = 0;
  std::deque<std::string> joined_;  // cells that are not contiguous in the text
  std::optional<Position> open_quote_;
};

void refuse_open_quote(const std::string& file, const Records& records);  // throws ParseError if there is one

struct TableText {
  std::string file;
  std::string text;
  char separator = ',';
  bool header = true;
  bool latin1 = false;             // it was not UTF-8 and is taken for Latin-1; `text` is UTF-8
  std::vector<std::string> names;  // of all columns; numbers counted from 1 if there is no header
  std::size_t rows_begin = 0, rows_line = 1;

  Records rows() const { return Records(std::string_view(text).substr(rows_begin), separator, rows_line); }
  bool comma_allowed() const { return separator != ','; }
  std::string column(std::size_t j) const;  // for messages: "column 2 'price'"

  // take(cells) for every row with as many cells as there are names; the others are problems.
  template <class Take>
  void for_each_row(Problems& problems, const Take& take) const;
};

void add_ragged_row(const TableText& table, const std::vector<Cell>& cells, Problems& problems);

template <class Take>
void TableText::for_each_row(Problems& problems, const Take& take) const {
  Records records = rows();
  for (std::vector<Cell> cells; records.next(cells);) {
    if (cells.size() == names.size()) take(cells);
    else add_ragged_row(*this, cells, problems);
  }
  refuse_open_quote(file, records);
}

// Reads all blocks. separator 0: comma, semicolon, tab or |, found from the text. header: whether the first record is one;
// if not given: it has one of `names`, or it has text and is not, by the kinds of its cells, like the second record. Lines
// end with LF, CR LF, or CR in a text without LF.
// Throws Error if the text has no rows, only one column, or bytes 0.
TableText read_table_text(TextBlocks& blocks, char separator, std::optional<bool> header,
                          const std::vector<std::string>& names = {});

}  // namespace seesaw
