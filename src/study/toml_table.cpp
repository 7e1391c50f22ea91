#include "study/toml_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "seesaw/error.h"

namespace seesaw {
namespace {

[[noreturn]] void fail_at(const std::string& file, const toml::source_position& place, const std::string& what) {
  throw ParseError(file, place.line, place.column, what);
}

constexpr std::size_t most_parts =
    100;  // of a key: each is a table in a table, which the parser and its result recurse into

// Where the first key with more parts than that has its last one. Strings and comments are skipped; a number has one dot.
std::optional<toml::source_position> dotted_deeper(std::string_view text) {
  std::size_t dots = 0, line_begin = 0;
  toml::source_index line = 1;
  const auto next_line = [&](std::size_t newline) {
    ++line;
    line_begin = newline + 1;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '"' || letter == '\'') {
      const bool lines = text.substr(at, 3) == std::string(3, letter);
      const std::string_view end = text.substr(at, lines ? 3 : 1);
      for (at += end.size(); at < text.size() && text.substr(at, end.size()) != end; ++at) {
        if (text[at] == '\\' && letter == '"') ++at;
        if (at < text.size() && text[at] == '\n') {
          next_line(at);
          if (!lines) break;  // the string is not closed: an error that the parser reports
        }
      }
      at += text.substr(std::min(at, text.size()), end.size()) == end ? end.size() - 1 : 0;
    } else if (letter == '#') {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (letter == '\n') {
      next_line(at);
      dots = 0;
    } else if (letter == '.') {
      if (++dots >= most_parts)
        return toml::source_position{line, static_cast<toml::source_index>(at - line_begin + 1)};
    } else if (letter == '=' || letter == ',' || letter == '[' || letter == '{') {
      dots = 0;
    }
  }
  return std::nullopt;
}

std::optional<std::string> word_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "on" : "off";
  return std::nullopt;
}

std::optional<double> number_of(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return static_cast<double>(whole->get());
  if (const auto* number = node.as_floating_point()) return number->get();
  return std::nullopt;
}

std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  return std::nullopt;
}

// One value, or an array of them.
template <class Value, class Take>
std::vector<Value> several(const toml::node* node, const Take& take, const std::function<void()>& wrong) {
  std::vector<Value> values;
  if (node == nullptr) return values;
  const auto add = [&](const toml::node& one) {
    if (const auto value = take(one)) values.push_back(*value);
    else wrong();
  };
  if (const toml::array* array = node->as_array())
    for (const toml::node& one : *array) add(one);
  else add(*node);
  return values;
}

}  // namespace

TomlTable TomlTable::parse(std::string_view text, const std::string& file) {
  if (const auto place = dotted_deeper(text))
    fail_at(file, *place, fmt::format("this key has more than {} parts between dots.", most_parts));
  try {
    auto whole = std::make_shared<const toml::table>(toml::parse(text, file));
    return {whole, *whole, file, "the file"};
  } catch (const toml::parse_error& error) {
    fail_at(file, error.source().begin, "this is not valid TOML. Check quotes, brackets and '=' on this line.");
  }
}

const toml::node* TomlTable::find(const std::string& key) {
  if (std::find(read_.begin(), read_.end(), key) == read_.end()) read_.push_back(key);
  return table_->get(key);
}

std::optional<std::string> TomlTable::text(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  auto value = text_of(*node);
  if (!value) fail(key, fmt::format("'{}' must be a text in quotes.", key));
  return value;
}

std::string TomlTable::required_text(const std::string& key) {
  const auto value = text(key);
  if (!value || value->empty()) fail(key, fmt::format("'{}' is missing in {}; it must be a text.", key, name_));
  return *value;
}

std::optional<double> TomlTable::number(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto value = number_of(*node);
  if (!value) fail(key, fmt::format("'{}' must be a number.", key));
  return value;
}

std::optional<std::size_t> TomlTable::count(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto* value = node->as_integer();
  if (value == nullptr || value->get() < 1) fail(key, fmt::format("'{}' must be a whole number above 0.", key));
  return static_cast<std::size_t>(value->get());
}

std::optional<bool> TomlTable::flag(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto* value = node->as_boolean();
  if (value == nullptr) fail(key, fmt::format("'{}' must be true or false.", key));
  return value->get();
}

std::vector<std::string> TomlTable::texts(const std::string& key) {
  return several<std::string>(find(key), text_of,
                              [&] { fail(key, fmt::format("'{}' must be a text or an array of texts.", key)); });
}

std::vector<double> TomlTable::numbers(const std::string& key) {
  return several<double>(find(key), number_of,
                         [&] { fail(key, fmt::format("'{}' must be a number or an array of numbers.", key)); });
}

std::optional<std::string> TomlTable::word(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  auto value = word_of(*node);
  if (!value) fail(key, fmt::format("'{}' must be a text or a number.", key));
  return value;
}

std::vector<std::string> TomlTable::words(const std::string& key) {
  return several<std::string>(find(key), word_of,
                              [&] { fail(key, fmt::format("'{}' must be an array of texts or numbers.", key)); });
}

std::optional<TomlTable> TomlTable::table(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const toml::table* found = node->as_table();
  if (found == nullptr) fail(key, fmt::format("'{}' must be a table.", key));
  return inner(*found, fmt::format("[{}]", key));
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) {
  std::vector<TomlTable> all;
  const toml::node* node = find(key);
  if (node == nullptr) return all;
  const toml::array* array = node->as_array();
  const auto wrong = [&] { fail(key, fmt::format("'{}' must be tables: begin each with [[{}]].", key, key)); };
  if (array == nullptr) wrong();
  for (const toml::node& one : *array) {
    const toml::table* found = one.as_table();
    if (found == nullptr) wrong();
    all.push_back(inner(*found, fmt::format("[[{}]]", key)));
  }
  return all;
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> all;
  for (const auto& [key, value] : *table_) all.emplace_back(key.str());
  return all;
}

void TomlTable::finish() const {
  for (const auto& [key, value] : *table_)
    if (std::find(read_.begin(), read_.end(), key.str()) == read_.end())
      fail_at(file_, key.source().begin,
              fmt::format("unknown key '{}' in {}; allowed are {}.", key.str(), name_, fmt::join(read_, ", ")));
}

void TomlTable::fail(const std::string& key, const std::string& what) const {
  for (const auto& [name, value] : *table_)
    if (name.str() == key) fail_at(file_, name.source().begin, what);
  const toml::source_position place = table_->source().begin;
  fail_at(file_, place.line > 0 ? place : toml::source_position{1, 1}, what);
}

void TomlTable::require_one_of(const std::string& key, const std::string& value,
                               const std::vector<std::string>& allowed) const {
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
    fail(key, fmt::format("'{}' cannot be '{}'; choose one of {}.", key, value, fmt::join(allowed, ", ")));
}

}  // namespace seesaw
