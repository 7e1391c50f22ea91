#include "solvers/named_number.h"

#include <charconv>
#include <cmath>

#include "seesaw/error.h"

namespace seesaw {

std::optional<double> given_number(const SolverSpec& spec, const std::string& option) {
  const auto given = spec.options.find(option);
  if (given == spec.options.end()) return std::nullopt;
  const std::string& text = given->second;
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(number) || !(number > 0))
    return std::nullopt;
  return number;
}

SolverSpec name_numbers(SolverSpec spec, std::initializer_list<const char*> options) {
  for (const char* option : options) {
    const auto given = spec.options.find(option);
    if (given == spec.options.end()) continue;
    if (given->second == number_name) throw InvalidOption(option, given->second, "give a number above 0");
    if (given_number(spec, option)) given->second = number_name;
  }
  return spec;
}

}  // namespace seesaw
