#include "deviations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "solvers/catalog.h"

namespace seesaw::app {
namespace {

bool same_value(const std::string& a, const std::string& b) {  // 1e-4 is 0.0001
  if (a == b) return true;
  char *end_of_a = nullptr, *end_of_b = nullptr;
  const double of_a = std::strtod(a.c_str(), &end_of_a), of_b = std::strtod(b.c_str(), &end_of_b);
  return !a.empty() && !b.empty() && *end_of_a == '\0' && *end_of_b == '\0' && of_a == of_b;
}

std::string default_of(const OptionEntry& option, const Recipe& recipe) {
  for (const OptionInfo& own : recipe.options)
    if ("--" + own.name == option.name) return own.standard;
  return option.flag() ? "off" : option.standard;
}

}  // namespace

Json deviations(const Command& command, const std::string& solver) {
  Json list = Json::array();
  for (const auto& [option, values] : command.given()) {
    if (option->group == "Output" || option->name == "--threads" || option->name == "--memory") continue;
    const std::string value = option->flag() ? "on" : fmt::format("{}", fmt::join(values, " "));
    const std::string standard = default_of(*option, recipe_named(solver));
    if (!same_value(value, standard))
      list.push_back({{"option", option->name}, {"value", value}, {"default", standard}});
  }
  return list;
}

}  // namespace seesaw::app
