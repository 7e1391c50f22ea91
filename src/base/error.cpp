#include "seesaw/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace seesaw {

ParseError::ParseError(std::string file_, std::size_t line_, std::size_t column_, const std::string& reason_)
    : Error(fmt::format("{}:{}:{}: {}", file_, line_, column_, reason_)),
      file(std::move(file_)),
      line(line_),
      column(column_),
      reason(reason_) {}

InvalidOption::InvalidOption(std::string field_, std::string value_, std::string allowed_)
    : Error(fmt::format("`{}` cannot be '{}': {}.", field_, value_, allowed_)),
      field(std::move(field_)),
      value(std::move(value_)),
      allowed(std::move(allowed_)) {}

ShapeError::ShapeError(std::size_t expected_, std::size_t actual_, const std::string& message)
    : Error(message), expected(expected_), actual(actual_) {}

InvalidArray::InvalidArray(std::string array_, std::size_t index_, const std::string& message)
    : Error(message), array(std::move(array_)), index(index_) {}

std::string replace_fields(std::string_view message, const std::function<std::string(const std::string&)>& name) {
  const auto in_name = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' || c == '-';
  };
  std::string text;
  for (std::size_t at = 0; at < message.size(); ++at) {
    const std::size_t end = message[at] == '`' ? message.find('`', at + 1) : std::string_view::npos;
    const std::string_view inside = end == std::string_view::npos ? "" : message.substr(at + 1, end - at - 1);
    if (inside.empty() || !std::all_of(inside.begin(), inside.end(), in_name)) {
      text += message[at];
      continue;
    }
    text += name(std::string(inside));
    at = end;
  }
  return text;
}

}  // namespace seesaw
