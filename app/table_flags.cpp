#include "table_flags.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "data/table/cells.h"
#include "data/table/table_encoding.h"
#include "seesaw/error.h"
#include "study/command_line.h"

namespace seesaw::app {
namespace {

constexpr const char* table_group = "Tables (CSV with text, dates or empty cells)";

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');)
    if (!word.empty()) names.push_back(word);
  return names;
}

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t value = 0;
  const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && after == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::uint64_t hash_size(const std::string& text) {
  if (text.empty()) return 0;
  std::optional<std::uint64_t> size = whole(text);
  if (text.starts_with("2^")) {
    size = whole(std::string_view(text).substr(2));
    if (size && *size < 31) size = std::uint64_t{1} << *size;
    else size = 0;
  }
  if (!size || *size < 2 || !std::has_single_bit(*size) || *size > largest_hash_size)
    throw InvalidOption("hash", text, "it must be a power of two up to 2^30, such as 2^20");
  return *size;
}

}  // namespace

char separator_named(const std::string& name) {
  if (name.empty()) return 0;
  if (name == "comma" || name == ",") return ',';
  if (name == "semicolon" || name == ";") return ';';
  if (name == "tab" || name == "\t" || name == "\\t") return '\t';
  if (name == "pipe" || name == "|") return '|';
  throw InvalidOption("separator", name, "choose one of comma, semicolon, tab, pipe");
}

void TableFlags::declare(Command& command) {
  command.add_option("--drop", drop, "columns to leave out: a,b").placeholder("NAMES").group(table_group);
  command.add_option("--keep", keep, "the only columns to use, beside the label")
      .placeholder("NAMES")
      .group(table_group);
  command.add_option("--categorical", categorical, "columns of levels even if they contain numbers")
      .placeholder("NAMES")
      .group(table_group);
  command.add_option("--date", date, "columns of dates, as days since 1970-01-01")
      .placeholder("NAMES")
      .group(table_group);
  command.add_option("--min-count", min_count, "levels of fewer rows are pooled into one feature")
      .standard("1")
      .group(table_group);
  command.add_option("--impute", impute, "value of empty cells: mean, median, constant (0) or constant:NUMBER")
      .completes({"mean", "median", "constant"})
      .placeholder("NAME")
      .standard("median")
      .group(table_group);
  command
      .add_option("--hash", hash,
                  fmt::format("columns of more than {} levels are hashed to so many features", most_listed_levels))
      .placeholder("2^K")
      .standard("off")
      .group(table_group);
  command.add_flag("--log-target", log_target, "train on the logarithm of the label; predict undoes it")
      .group(table_group);
}

TableOptions TableFlags::options(char separator) const {
  TableOptions options{.separator = separator,
                       .drop = names_in(drop),
                       .keep = names_in(keep),
                       .categorical = names_in(categorical),
                       .dates = names_in(date),
                       .min_count = min_count,
                       .hash_size = hash_size(hash),
                       .log_target = log_target};
  if (impute == "mean") options.impute = Impute::mean;
  else if (impute.starts_with("constant")) {
    options.impute = Impute::constant;
    const std::string number = impute.substr(std::string("constant").size());
    const std::optional<double> value = number.starts_with(':') ? number_in(number.substr(1)) : std::nullopt;
    if (!number.empty() && !value)
      throw InvalidOption("impute", impute, "it must be mean, median, constant or constant:NUMBER");
    options.constant = value.value_or(0);
  } else if (impute != "median") {
    throw InvalidOption("impute", impute, "it must be mean, median, constant or constant:NUMBER");
  }
  return options;
}

std::string TableFlags::as_typed() const {
  std::string text;
  const auto add = [&](const char* option, const std::string& value, const std::string& standard) {
    if (value != standard) text += fmt::format(" {} {}", option, shell_quoted(value));
  };
  add("--drop", drop, "");
  add("--keep", keep, "");
  add("--categorical", categorical, "");
  add("--date", date, "");
  add("--min-count", std::to_string(min_count), "1");
  add("--impute", impute, "median");
  add("--hash", hash, "");
  if (log_target) text += " --log-target";
  return text;
}

}  // namespace seesaw::app
