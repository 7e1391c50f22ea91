#include "deviations.h"

#include <CLI/CLI.hpp>
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

std::string default_of(const CLI::Option& option, const Recipe& recipe) {
  for (const OptionInfo& own : recipe.options)
    if ("--" + own.name == option.get_name()) return own.standard;
  if (option.get_expected_max() == 0) return "off";  // a flag
  return option.get_default_str();
}

std::string value_of(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return "on";
  std::string text;
  for (const std::string& result : option.results()) text += (text.empty() ? "" : " ") + result;
  return text;
}

}  // namespace

Json deviations(const Command& command, const std::string& solver) {
  Json list = Json::array();
  for (const CLI::Option* option : command.parser().get_options()) {
    if (option->count() == 0 || option->get_positional() || option->get_group() == "Output" ||
        option->get_name() == "--threads")
      continue;
    const std::string value = value_of(*option), standard = default_of(*option, recipe_named(solver));
    if (!same_value(value, standard))
      list.push_back({{"option", option->get_name()}, {"value", value}, {"default", standard}});
  }
  return list;
}

}  // namespace seesaw::app
