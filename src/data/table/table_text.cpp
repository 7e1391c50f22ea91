#include "data/table/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "data/readers/numbers.h"
#include "data/table/cells.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  for (std::size_t k = 0; k < text.size();) {
    const unsigned char first = byte(k);
    if (first < 0x80) {
      ++k;
      continue;
    }
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || k + size > text.size()) return false;
    for (std::size_t more = 1; more < size; ++more)
      if ((byte(k + more) & 0xc0) != 0x80) return false;
    const unsigned char second = byte(k + 1);  // overlong forms, surrogates, beyond U+10FFFF
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
        (first == 0xf4 && second > 0x8f))
      return false;
    k += size;
  }
  return true;
}

std::string utf8_of_latin1(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) result += c;
    else result.append({static_cast<char>(0xc0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3f))});
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

constexpr std::array separators = {',', ';', '\t', '|'};
constexpr std::size_t sampled_records = 100;

// The share of cells that are numbers or dates if every sampled record has the same number of cells, at least two.
struct Fit {
  bool consistent = false;
  std::size_t columns = 0;
  double plain = 0;
};

Fit fit_of(std::string_view text, char separator) {
  Records records(text, separator);
  std::vector<Cell> cells;
  Fit fit{.consistent = true};
  std::size_t plain = 0, all = 0;
  for (std::size_t k = 0; k < sampled_records && records.next(cells); ++k) {
    if (k == 0) fit.columns = cells.size();
    fit.consistent = fit.consistent && cells.size() == fit.columns;
    all += cells.size();
    for (const Cell& cell : cells) plain += kind_of_cell(cell.text, separator != ',') != CellKind::text;
  }
  fit.consistent = fit.consistent && fit.columns > 1 && all > 0;
  fit.plain = all > 0 ? static_cast<double>(plain) / static_cast<double>(all) : 0;
  return fit;
}

// The separator by which all records have the same number of cells; of several, the one that gives the largest share of
// numbers, then the most columns. If there is none, the most frequent one of the first line.
char find_separator(std::string_view text) {
  char best = 0;
  Fit best_fit;
  for (const char candidate : separators) {
    const Fit fit = fit_of(text, candidate);
    if (!fit.consistent) continue;
    if (best == 0 || fit.plain > best_fit.plain || (fit.plain == best_fit.plain && fit.columns > best_fit.columns)) {
      best = candidate;
      best_fit = fit;
    }
  }
  if (best != 0) return best;
  const std::string_view line = text.substr(0, text.find('\n'));
  std::ptrdiff_t most = 0;
  for (const char candidate : separators)
    if (const auto count = std::count(line.begin(), line.end(), candidate); count > most) {
      most = count;
      best = candidate;
    }
  return best;
}

bool is_word(const Cell& cell) {
  const CellKind kind = kind_of_cell(cell.text, true);
  return kind == CellKind::text || kind == CellKind::infinite;
}

// A first record with text is a header unless it is a row of a table with text: it has a number or a date, and its words
// are where the second record has words too.
bool is_header(const std::vector<Cell>& first, const std::vector<Cell>& second) {
  bool any_word = false, any_other = false, alike = first.size() == second.size();
  for (std::size_t j = 0; j < first.size(); ++j) {
    const bool missing = is_missing_cell(first[j].text);
    const bool word = is_word(first[j]);
    any_word = any_word || word;
    any_other = any_other || (!word && !missing);
    if (alike && !missing && !is_missing_cell(second[j].text)) alike = word == is_word(second[j]);
  }
  return any_word && !(any_other && alike);
}

// A number that can be the place of a column is no name.
bool has_a_name(const std::vector<Cell>& first, const std::vector<std::string>& names) {
  return std::any_of(first.begin(), first.end(), [&](const Cell& cell) {
    if (cell.text.empty() || std::find(names.begin(), names.end(), cell.text) == names.end()) return false;
    const auto number = number_in(cell.text);
    return !number || !(*number >= 1 && *number <= static_cast<double>(first.size()));
  });
}

// Lines that end with CR alone. The reader ends every text with LF.
void convert_line_ends(std::string& text) {
  if (text.find('\n') + 1 < text.size() || text.find('\r') + 2 >= text.size()) return;
  std::replace(text.begin(), text.end(), '\r', '\n');
}

void refuse_zero_bytes(const TableText& table) {
  const std::size_t at = table.text.find('\0');
  if (at == std::string::npos) return;
  const std::string_view before = std::string_view(table.text).substr(0, at);
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 = 0
  throw ParseError(table.file, line, at - line_begin + 1,
                   "there is a byte 0 here; save the table as UTF-8 text (UTF-16 is not read).");
}

void set_names(TableText& table, const std::vector<Cell>& first) {
  for (std::size_t j = 0; j < first.size(); ++j)
    table.names.push_back(table.header && !first[j].text.empty() ? std::string(first[j].text) : std::to_string(j + 1));
}

}  // namespace

bool Records::read_cell(Cell& cell) {
  const auto offset = [&](const char* to) { return static_cast<std::size_t>(to - text_.data()); };
  const char* p = text_.data() + at_;
  while (is_blank(*p) && *p != separator_) ++p;
  cell.at = {line_, offset(p) - line_begin_ + 1};
  const bool quoted = *p == '"';
  if (quoted && !read_quoted(p, cell)) return false;
  const char* const begin = p;
  while (*p != separator_ && *p != '\n') ++p;
  at_ = offset(p);
  const std::string_view rest = trimmed({begin, static_cast<std::size_t>(p - begin)});
  if (!quoted) cell.text = rest;
  else if (!rest.empty()) cell.text = joined_.emplace_back(std::string(cell.text).append(rest));  // "ab"c
  cell.text = trimmed(cell.text);
  return true;
}

// p is at the opening quote, afterwards behind the closing one.
bool Records::read_quoted(const char*& p, Cell& cell) {
  const char* const end = text_.data() + text_.size();
  const char* const opening = p++;
  const char* begin = p;
  std::string* joined = nullptr;
  for (;;) {
    p = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end - p)));
    if (p == nullptr) {
      open_quote_ = cell.at;
      return false;
    }
    if (joined != nullptr) joined->append(begin, p);
    if (p[1] != '"') break;
    if (joined == nullptr) joined = &joined_.emplace_back(begin, p);
    joined->push_back('"');
    begin = p += 2;
  }
  cell.text = joined != nullptr ? std::string_view(*joined) : std::string_view(begin, p);
  for (const char* c = opening; c < p; ++c)
    if (*c == '\n') {
      ++line_;
      line_begin_ = static_cast<std::size_t>(c - text_.data()) + 1;
    }
  ++p;
  return true;
}

bool Records::next(std::vector<Cell>& cells) {
  cells.clear();
  joined_.clear();
  for (;;) {  // blank lines
    std::size_t at = at_;
    while (at < text_.size() && is_blank(text_[at]) && text_[at] != separator_) ++at;
    if (at >= text_.size()) {
      at_ = text_.size();
      return false;
    }
    line_begin_ = at_;
    if (text_[at] != '\n') break;
    at_ = at + 1;
    ++line_;
  }
  for (;; ++at_) {
    Cell cell;
    if (!read_cell(cell)) return false;
    cells.push_back(cell);
    if (text_[at_] == '\n') break;
  }
  ++at_;
  ++line_;
  return true;
}

void refuse_open_quote(const std::string& file, const Records& records) {
  if (const auto& at = records.open_quote())
    throw ParseError(file, at->line, at->column,
                     "the quote that begins here is not closed; close it, and double the quotes inside quoted text.");
}

void add_ragged_row(const TableText& table, const std::vector<Cell>& cells, Problems& problems) {
  problems.add(cells.back().at, fmt::format("this row has {}, the first line has {}; give every row the same number.",
                                            counted(cells.size(), "field"), table.names.size()));
}

std::string TableText::column(std::size_t j) const {
  return fmt::format("column {}{}", j + 1, header ? " " + in_quotes(names[j]) : "");
}

TableText read_table_text(TextBlocks& blocks, char separator, std::optional<bool> header,
                          const std::vector<std::string>& names) {
  TableText table;
  table.file = blocks.name();
  while (const auto block = blocks.next()) table.text += block->text;
  if (table.text.empty()) blocks.refuse_as_empty();
  refuse_zero_bytes(table);
  convert_line_ends(table.text);
  table.latin1 = !is_utf8(table.text);
  if (table.latin1) table.text = utf8_of_latin1(table.text);
  table.separator = separator != 0 ? separator : find_separator(table.text);
  if (table.separator == 0) {
    const std::string_view line = std::string_view(table.text).substr(0, table.text.find('\n'));
    throw ParseError(table.file, 1, 1,
                     fmt::format("the first line {} has only one field; separate fields by comma, semicolon, tab or |.",
                                 in_quotes(line)));
  }
  Records records(table.text, table.separator);
  std::vector<Cell> first, second;
  const bool any = records.next(first);
  refuse_open_quote(table.file, records);
  if (!any) blocks.refuse_as_empty();
  if (header) {
    table.header = *header;
  } else {
    Records more(std::string_view(table.text).substr(records.offset()), table.separator);
    more.next(second);
    table.header = has_a_name(first, names) || is_header(first, second);
  }
  if (table.header) {
    table.rows_begin = records.offset();
    table.rows_line = records.line();
  }
  set_names(table, first);
  if (Records rows = table.rows(); !rows.next(second) && !rows.open_quote()) blocks.refuse_as_empty();
  return table;
}

}  // namespace seesaw
