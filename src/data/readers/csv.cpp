#include "data/readers/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "data/readers/numbers.h"
#include "data/readers/parsed_rows.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

// The layout of all lines, determined by the first one.
struct Layout {
  char delimiter = ',';
  bool header = false;
  std::vector<std::string> names;  // of all fields; their numbers if there is no header
  std::size_t label = 0;           // its field; fields() if there are no labels

  std::size_t fields() const { return names.size(); }
  bool labelled() const { return label < names.size(); }
  std::size_t features() const { return names.size() - (labelled() ? 1 : 0); }
  std::string column(std::size_t j) const {  // for messages: "column 2 'price'"
    return fmt::format("column {}{}", j + 1, header ? " " + in_quotes(names[j]) : "");
  }
};

const char* skip_padding(const char* p, char delimiter) {
  while (is_blank(*p) && *p != delimiter) ++p;
  return p;
}

// The field at p: its end (at the delimiter or the end of the line), and its text without surrounding blanks and
// quotes; a doubled quote within quotes is one.
struct Field {
  const char* end;
  std::string text;
  bool closed;  // the closing quote was found
};

Field field_at(const char* p, char delimiter) {
  p = skip_padding(p, delimiter);
  Field field{p, {}, true};
  if (*p == '"') {
    for (++p; *p != '\n' && (*p != '"' || p[1] == '"'); ++p) {
      field.text += *p;
      if (*p == '"') ++p;
    }
    field.closed = *p == '"';
    if (field.closed) ++p;
  }
  for (; *p != delimiter && *p != '\n'; ++p) field.text += *p;
  while (field.closed && !field.text.empty() && is_blank(field.text.back())) field.text.pop_back();
  field.end = p;
  return field;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// The common notations for a missing value.
bool is_missing(const std::string& text) {
  const std::string word = lower(text);
  return word.empty() || word == "?" || word == "na" || word == "n/a" || word == "null" || word == "none";
}

// Neither a number nor missing: a name in a header. A first line without names is a row, and parsed as one.
bool is_word(const std::string& text) {
  if (is_missing(text)) return false;
  const std::string padded = text + std::string(lookahead, '\n');
  double value = 0;
  const char* after = read_any_number(padded.data(), padded.data() + text.size(), value);
  return after != padded.data() + text.size();
}

bool has_name(const Layout& layout, const ReadOptions& options) {
  return layout.header &&
         std::find(layout.names.begin(), layout.names.end(), options.label_column) != layout.names.end();
}

std::size_t find_label(const Layout& layout, const std::string& name, const std::string& wanted) {
  if (wanted.empty()) return 0;
  if (layout.header) {
    const auto found = std::find(layout.names.begin(), layout.names.end(), wanted);
    if (found != layout.names.end()) {
      if (std::find(found + 1, layout.names.end(), wanted) != layout.names.end())
        throw Error(fmt::format("{}: has more than one column {}; give the number of the label column, counted from 1.",
                                name, in_quotes(wanted)));
      return static_cast<std::size_t>(found - layout.names.begin());
    }
  }
  std::size_t number = 0;
  const auto [after, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  const bool is_number = error == std::errc() && after == wanted.data() + wanted.size();
  if (is_number && number >= 1 && number <= layout.fields()) return number - 1;
  if (is_number)
    throw Error(
        fmt::format("{}: has no column {}; the label column is one of 1 to {}.", name, wanted, layout.fields()));
  if (!layout.header)
    throw Error(fmt::format("{}: has no header, so no column {}; give the number of the label column, counted from 1.",
                            name, in_quotes(wanted)));
  std::string all = in_quotes(layout.names[0]);
  for (std::size_t j = 1; j < layout.fields() && all.size() < 200; ++j) all += ", " + in_quotes(layout.names[j]);
  throw Error(fmt::format("{}: has no column {}; its columns are {}.", name, in_quotes(wanted), all));
}

std::size_t count_outside_quotes(std::string_view line, char wanted) {
  std::size_t count = 0;
  bool outside = true;
  for (const char c : line) {
    if (c == '"') outside = !outside;
    count += outside && c == wanted;
  }
  return count;
}

// The delimiter is the one of the three that occurs most often in the first line.
Layout layout_of(TextBlocks& blocks, const ReadOptions& options) {
  const std::string_view text = blocks.peek();
  if (text.empty()) blocks.refuse_as_empty();
  const std::string_view line = text.substr(0, text.find('\n'));
  if (line.find_first_not_of(" \t\r") == line.npos)
    throw ParseError(blocks.name(), 1, 1, "the first line is blank; begin with a header or a row.");
  Layout layout;
  std::size_t most = 0;
  for (const char candidate : {',', ';', '\t'}) {
    const std::size_t count = count_outside_quotes(line, candidate);
    if (count > most) layout.delimiter = candidate;
    most = std::max(most, count);
  }
  if (most == 0)
    throw ParseError(blocks.name(), 1, 1,
                     fmt::format("the first line {} has only one field; separate fields by comma, semicolon or tab.",
                                 in_quotes(line)));
  std::vector<std::string> fields;
  for (const char* p = text.data();; ++p) {
    Field field = field_at(p, layout.delimiter);
    p = field.end;
    layout.header = layout.header || is_word(field.text);
    fields.push_back(std::move(field.text));
    if (*p == '\n') break;
  }
  layout.names = fields;
  if (!layout.header)
    for (std::size_t j = 0; j < fields.size(); ++j) layout.names[j] = std::to_string(j + 1);
  // Rows to predict often have no labels: then there are as many fields as the model has features.
  const bool all_features = (options.label_column.empty() || (options.label_optional && !has_name(layout, options))) &&
                            options.width == layout.fields();
  const bool no_labels = all_features || options.label_column == "none";
  layout.label = no_labels ? layout.fields() : find_label(layout, blocks.name(), options.label_column);
  if (options.width && *options.width != layout.features())
    throw Error(fmt::format("{}: has {} where {} has {}; give data with the same features.", blocks.name(),
                            counted(layout.features(), "feature"), expecting(options), *options.width));
  return layout;
}

class CsvBlockParser {
 public:
  CsvBlockParser(const Layout& layout, const Block& block)
      : layout_(layout), text_(block.text), skip_line_(block.number == 0 && layout.header) {}

  void parse(ParsedRows& part) {
    part.resize(text_.size() / 2 + 1, text_.size() / 2 + 1);  // "1\n" is a row, "1," an entry
    std::size_t rows = 0;
    std::size_t entries = 0;
    const char* const end = text_.data() + text_.size();
    for (const char* p = text_.data(); p < end; ++p, ++lines_) {
      line_ = p;
      if (std::exchange(skip_line_, false)) {
        p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
        continue;
      }
      if (const char* const first = skip_padding(p, layout_.delimiter); *first == '\n') {  // a blank line
        p = first;
        continue;
      }
      const std::size_t before = entries;
      for (std::size_t j = 0;; ++j, ++p) {
        double value;
        p = read_field(p, j, value);
        if (j == 0) part.labels[rows] = 0;  // kept if there are no labels
        if (j == layout_.label) part.labels[rows] = value;
        else if (value != 0) {
          part.columns[entries] = static_cast<std::uint32_t>(j - (j > layout_.label));
          part.values[entries++] = value;
        }
        if (*p == '\n') {
          if (j + 1 < layout_.fields()) refuse_count(p, j + 1);
          break;
        }
      }
      part.sizes[rows++] = static_cast<std::uint32_t>(entries - before);
    }
    part.resize(rows, entries);
    part.lines = lines_;
  }

 private:
  // The number in field j, which begins at p. Returns the end of the field: a delimiter or the end of the line.
  const char* read_field(const char* p, std::size_t j, double& value) const {
    if (j >= layout_.fields()) refuse_count(p, j + 1);
    const char* const begin = skip_padding(p, layout_.delimiter);
    const bool quotes = *begin == '"';
    const char* const number = quotes ? skip_blanks(begin + 1) : begin;
    const char* after = read_simple_number(number, value);
    if (after == nullptr) after = read_any_number(number, text_.data() + text_.size(), value);
    if (after == nullptr || !std::isfinite(value)) refuse_field(begin, j);
    if (quotes) {
      after = skip_blanks(after);
      if (*after++ != '"') refuse_field(begin, j);
    }
    after = skip_padding(after, layout_.delimiter);
    if (*after != layout_.delimiter && *after != '\n') refuse_field(begin, j);
    return after;
  }

  [[noreturn]] void refuse(const char* at, std::string what) const {
    throw Flaw{lines_ + 1, static_cast<std::size_t>(at - line_) + 1, std::move(what)};
  }

  [[noreturn]] void refuse_count(const char* at, std::size_t fields) const {
    if (fields > layout_.fields())
      refuse(at, fmt::format("this row has more than the {} of the first line; give every row the same number.",
                             counted(layout_.fields(), "field")));
    refuse(at, fmt::format("this row has {}, the first line has {}; give every row the same number.",
                           counted(fields, "field"), layout_.fields()));
  }

  [[noreturn]] void refuse_field(const char* begin, std::size_t j) const {
    const Field field = field_at(begin, layout_.delimiter);
    const bool label = j == layout_.label;
    const std::string where = label ? "the label column, " + layout_.column(j) + "," : layout_.column(j);
    if (!field.closed) refuse(begin, fmt::format("the quote in {} is not closed on this line; close it.", where));
    if (is_missing(field.text))
      refuse(begin, fmt::format("the value in {} is missing{}; fill it in or remove the row.", where,
                                field.text.empty() ? "" : " (" + in_quotes(field.text) + ")"));
    const std::string padded = field.text + std::string(lookahead, '\n');
    double value = 0;
    const char* after = read_any_number(padded.data(), padded.data() + field.text.size(), value);
    if (after == padded.data() + field.text.size() && !std::isfinite(value))
      refuse(begin, fmt::format("{} in {} is not a finite number; correct it or remove the row.", in_quotes(field.text),
                                where));
    if (after != nullptr && *after == ',')
      refuse(begin, fmt::format("{} in {} is not a number; write a decimal point, not a comma.", in_quotes(field.text),
                                where));
    refuse(begin,
           fmt::format("{} in {} is not a number; only the first line may contain text{}.", in_quotes(field.text),
                       where, label ? "; to use another label column, add `label_column`" : ""));
  }

  const Layout& layout_;
  std::string_view text_;
  bool skip_line_;
  const char* line_ = nullptr;  // the beginning of the current line
  std::size_t lines_ = 0;       // before it
};

}  // namespace

Dataset read_csv(TextBlocks& blocks, const ReadOptions& options, RowsSink* sink) {
  Layout layout = layout_of(blocks, options);
  const bool labelled = layout.labelled();
  const std::string label_column = labelled ? layout.column(layout.label) : "";
  Dataset data = read_rows(blocks, layout.features(), options.precision, sink,
                           [&](const Block& block, ParsedRows& part) { CsvBlockParser(layout, block).parse(part); });
  if (layout.header) {
    if (layout.labelled()) layout.names.erase(layout.names.begin() + static_cast<std::ptrdiff_t>(layout.label));
    data.feature_names = std::move(layout.names);
  }
  data.labelled = labelled;
  data.label_column = label_column;
  data.fixed_width = true;
  return data;
}

}  // namespace seesaw
