// A method's options: a plain struct of defaults and one describe() line per field. The same description parses and
// checks the given values, and lists the options for --help, the docs and the trace.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace seesaw {

using OptionValues = std::map<std::string, std::string>;  // name without dashes -> value as text

struct OptionInfo {
  std::string name;
  std::string allowed;
  std::string standard;  // default value
  std::string meaning;
};

class OptionReader {
 public:
  explicit OptionReader(const OptionValues& given) : given_(given) {}

  template <class Enum>
  void choice(std::string_view name, Enum& field, std::initializer_list<std::string_view> names,
              std::string_view meaning) {
    field = static_cast<Enum>(pick(name, static_cast<std::size_t>(field), names, meaning));
  }
  void on_off(std::string_view name, bool& field, std::string_view meaning);
  struct Allowed {
    std::string_view words;  // "a number above 0"
    bool (*accepts)(double);
  };
  void number(std::string_view name, double& field, const Allowed& allowed, std::string_view meaning);
  void count(std::string_view name, std::size_t& field, std::string_view meaning);  // at least 1

  const std::vector<OptionInfo>& described() const { return described_; }
  void finish(std::string_view method) const;  // throws InvalidOption for a given option that was not described

 private:
  std::size_t pick(std::string_view name, std::size_t standard, std::initializer_list<std::string_view> names,
                   std::string_view meaning);
  const OptionValues& given_;
  std::vector<OptionInfo> described_;
};

inline constexpr OptionReader::Allowed above_zero = {"a number above 0", [](double v) { return v > 0; }};
inline constexpr OptionReader::Allowed between_0_and_1 = {"a number in (0, 1)",
                                                          [](double v) { return v > 0 && v < 1; }};
inline constexpr OptionReader::Allowed from_0_to_1 = {"a number in [0, 1)", [](double v) { return v >= 0 && v < 1; }};

}  // namespace seesaw
