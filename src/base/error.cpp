#include "seesaw/error.h"

#include <fmt/format.h>

#include <utility>

namespace seesaw {

ParseError::ParseError(std::string file_, std::size_t line_, std::size_t column_, const std::string& what)
    : Error(fmt::format("{}:{}:{}: {}", file_, line_, column_, what)),
      file(std::move(file_)),
      line(line_),
      column(column_) {}

InvalidOption::InvalidOption(const std::string& name, const std::string& value, const std::string& allowed)
    : Error(fmt::format("{} cannot be '{}': {}.", name, value, allowed)) {}

}  // namespace seesaw
