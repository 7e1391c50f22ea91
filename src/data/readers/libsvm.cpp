#include "data/readers/libsvm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "data/readers/numbers.h"
#include "data/readers/parsed_rows.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::uint64_t most_columns = 0xffffffff;  // a column number and a width both fit 32 bits

struct Rules {
  std::uint64_t base;       // the first index: 0 or 1
  std::uint64_t index_end;  // the first index that is too large
  const ReadOptions& options;
};

// The common case of every step is inlined; rare cases and errors are handled by functions that are not inlined.
class LibsvmBlockParser {
 public:
  LibsvmBlockParser(const Rules& rules, std::string_view text) : rules_(rules), text_(text) {}

  void parse(ParsedRows& part) {
    part.resize(text_.size() / 2, text_.size() / 4);  // "1\n" is a row, " 1:1" an entry
    std::size_t rows = 0;
    Entries entries{part.columns.data(), part.values.data()};

    const char* const end = text_.data() + text_.size();
    for (const char* p = text_.data(); p < end; ++p, ++lines_) {
      line_ = p;
      p = skip_blanks(p);
      if (!ends_row(*p)) {
        p = read_label(p, part.labels[rows]);
        const double* const before = entries.value;
        if (!ends_row(*p)) p = read_entries(p, entries);
        part.sizes[rows] = static_cast<std::uint32_t>(entries.value - before);
        ++rows;
      }
      if (*p == '#') p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    }
    part.resize(rows, static_cast<std::size_t>(entries.value - part.values.data()));
    part.lines = lines_;
  }

 private:
  struct Entries {  // the position of the next one
    std::uint32_t* column;
    double* value;
  };

  static bool ends_row(char c) { return c == '\n' || c == '#'; }
  static bool ends_token(char c) { return is_blank(c) || ends_row(c); }

  // The entries from p, which is at a character of the first, to the end of the row.
  const char* read_entries(const char* p, Entries& entries) const {
    auto [column, value] = entries;
    const std::uint64_t base = rules_.base;
    const std::uint64_t index_end = rules_.index_end;
    std::uint64_t least = base;  // the smallest index allowed next
    do {
      auto [index, length] = leading_digits(p);
      if (length > 0 && p[length] == ':' && index >= least && index < index_end) [[likely]]
        p += length + 1;
      else p = read_index(p, least, index);
      *column++ = static_cast<std::uint32_t>(index - base);
      least = index + 1;

      const char* after;
      if (is_digit(p[0]) && ends_token(p[1])) {
        *value = p[0] - '0';
        after = p + 1;
      } else {
        after = read_simple_number(p, *value);
        if (after == nullptr || !ends_token(*after)) [[unlikely]]
          after = read_value(p, *value);
      }
      ++value;
      p = skip_blanks(after);
    } while (!ends_row(*p));
    entries = {column, value};
    return p;
  }

  // The label, and after it a query id, which is ignored.
  [[gnu::noinline]] const char* read_label(const char* p, double& label) const {
    const bool plus = p[0] == '+' && p[1] != '-';
    const char* after = read_simple_number(p + plus, label);
    if (after == nullptr || !ends_token(*after)) {
      after = read_any_number(p, text_.data() + text_.size(), label);
      if (after == nullptr || !ends_token(*after) || !std::isfinite(label)) refuse_label(p, after, label);
    }
    after = skip_blanks(after);
    if (std::memcmp(after, "qid:", 4) == 0) {
      while (!ends_token(*after)) ++after;
      after = skip_blanks(after);
    }
    return after;
  }

  [[gnu::noinline]] const char* read_index(const char* p, std::uint64_t least, std::uint64_t& index) const {
    const char* after = p;
    index = 0;
    for (; is_digit(*after); ++after)
      if (index <= most_columns)
        index = index * 10 + static_cast<unsigned>(*after - '0');  // no overflow: too large already
    if (after == p || *after != ':' || index < least || index >= rules_.index_end) refuse_index(p, after, least, index);
    return after + 1;
  }

  [[gnu::noinline]] const char* read_value(const char* p, double& value) const {
    const char* after = read_any_number(p, text_.data() + text_.size(), value);
    if (after == nullptr || !ends_token(*after) || !std::isfinite(value)) refuse_value(p, after, value);
    return after;
  }

  [[noreturn]] void refuse(const char* at, std::string what) const {
    throw Flaw{lines_ + 1, static_cast<std::size_t>(at - line_) + 1, std::move(what)};
  }

  [[noreturn]] void refuse_label(const char* p, const char* after, double label) const {
    const std::string text = in_quotes(token(p));
    if (after != nullptr && ends_token(*after))
      refuse(p, fmt::format("the label {} is {}; give a finite number.", text, describe_nonfinite(label)));
    if (after != nullptr && *after == ',')
      refuse(p, fmt::format("{} looks like several labels; only one label per row is supported.", text));
    if (after != nullptr && *after == ':')
      refuse(p, fmt::format("the row begins with {} instead of a label; put the label first.", text));
    refuse(p, fmt::format("the label {} is not a number; write a row as: label index:value index:value ...", text));
  }

  [[noreturn]] void refuse_index(const char* p, const char* after, std::uint64_t least, std::uint64_t index) const {
    const std::string_view whole = token(p);
    const std::string text = in_quotes({p, static_cast<std::size_t>(after - p)});
    const std::size_t colon = whole.find(':');
    if (colon == whole.npos)
      refuse(p, fmt::format("{} has no colon; write a feature as index:value.", in_quotes(whole)));
    if (after == p || *after != ':')
      refuse(p, fmt::format("the feature index {} is not a whole number; write a feature as index:value.",
                            in_quotes(whole.substr(0, colon))));
    if (index < rules_.base)
      refuse(p, "feature index 0 in a file whose first feature should be 1; if it counts from 0, add `index_base` 0.");
    if (const std::uint64_t last = most_columns - 1 + rules_.base; index > last)
      refuse(p, fmt::format("the feature index {} is above {}, the largest possible one; renumber the features.", text,
                            last));
    if (index >= rules_.index_end)
      refuse(p, fmt::format("feature index {} is above the {} of {}; give data with the same features.", index,
                            counted(*rules_.options.width, "feature"), expecting(rules_.options)));
    if (index + 1 == least)
      refuse(p, fmt::format("feature index {} occurs twice in this row; keep one of them.", index));
    refuse(p, fmt::format("feature index {} comes after {}; sort the features of a row by index.", index, least - 1));
  }

  [[noreturn]] void refuse_value(const char* p, const char* after, double value) const {
    const std::string_view text = token(p);
    if (text.empty()) refuse(p, "there is no value after the colon; write a feature as index:value.");
    if (after != nullptr && ends_token(*after))
      refuse(p,
             fmt::format("the value {} is {}; give finite numbers only.", in_quotes(text), describe_nonfinite(value)));
    refuse(p, fmt::format("the value {} is not a number; write a feature as index:value.", in_quotes(text)));
  }

  static const char* describe_nonfinite(double value) { return std::isnan(value) ? "not a number (NaN)" : "infinite"; }

  static std::string_view token(const char* p) {
    const char* end = p;
    while (!ends_token(*end)) ++end;
    return {p, static_cast<std::size_t>(end - p)};
  }

  const Rules& rules_;
  std::string_view text_;
  const char* line_ = nullptr;  // the beginning of the current line
  std::size_t lines_ = 0;       // before it
};

}  // namespace

Dataset read_libsvm(TextBlocks& blocks, const ReadOptions& options, RowsSink* sink, PartOfFile* part_of_file) {
  if (options.index_base > 1) throw InvalidOption("index_base", std::to_string(options.index_base), "it is 0 or 1");
  const std::uint64_t width = std::min<std::uint64_t>(options.width.value_or(most_columns), most_columns);
  const Rules rules{options.index_base, options.index_base + width, options};
  return read_rows(
      blocks, options.width.value_or(0), options.precision, sink,
      [&](const Block& block, ParsedRows& part) { LibsvmBlockParser(rules, block.text).parse(part); }, part_of_file);
}

}  // namespace seesaw
