#include "solvers/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "seesaw/error.h"

namespace seesaw {

std::size_t OptionReader::pick(std::string_view name, std::size_t standard,
                               std::initializer_list<std::string_view> names, std::string_view meaning) {
  const std::string key(name);
  described_.push_back(
      {key, fmt::format("{}", fmt::join(names, "|")), std::string(names.begin()[standard]), std::string(meaning)});
  const auto given = given_.find(key);
  if (given == given_.end()) return standard;
  const auto* found = std::find(names.begin(), names.end(), given->second);
  if (found == names.end())
    throw InvalidOption(key, given->second, fmt::format("choose one of {}", fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

void OptionReader::on_off(std::string_view name, bool& field, std::string_view meaning) {
  field = pick(name, field ? 1 : 0, {"off", "on"}, meaning) == 1;
}

void OptionReader::number(std::string_view name, double& field, const Allowed& allowed, std::string_view meaning) {
  const std::string key(name);
  described_.push_back({key, std::string(allowed.words), fmt::format("{}", field), std::string(meaning)});
  const auto given = given_.find(key);
  if (given == given_.end()) return;
  const std::string& text = given->second;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), field);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(field) || !allowed.accepts(field))
    throw InvalidOption(key, text, fmt::format("it must be {}", allowed.words));
}

void OptionReader::count(std::string_view name, std::size_t& field, std::string_view meaning) {
  auto value = static_cast<double>(field);
  number(name, value, {"a whole number above 0", [](double v) { return v >= 1 && v < 1e15 && v == std::floor(v); }},
         meaning);
  field = static_cast<std::size_t>(value);
}

void OptionReader::finish(std::string_view method) const {
  for (const auto& given : given_) {
    const std::string& name = given.first;
    const bool known =
        std::any_of(described_.begin(), described_.end(), [&](const OptionInfo& o) { return o.name == name; });
    if (known) continue;
    std::vector<std::string> names;
    for (const OptionInfo& option : described_) names.push_back("`" + option.name + "`");
    throw InvalidOption(name, given.second,
                        fmt::format("the method {} does not have this option; its options are: {}", method,
                                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
}

}  // namespace seesaw
