#include "value_list.h"

#include <cmath>
#include <sstream>

#include "base/elementary.h"
#include "seesaw/error.h"

namespace seesaw::app {
namespace {

constexpr std::size_t most_values = 10000;

class Reader {
 public:
  Reader(const std::string& text, const std::string& option) : text_(text), option_(option) {}

  std::vector<double> all() const {
    std::vector<double> values;
    std::istringstream parts(text_);
    for (std::string part; std::getline(parts, part, ',');) add(part, values);
    if (values.empty() || text_.ends_with(',')) refuse("it must be numbers A,B,... or a range A:B or A:B:COUNT");
    return values;
  }

 private:
  [[noreturn]] void refuse(const char* allowed) const { throw InvalidOption(option_, text_, allowed); }

  double plain(const std::string& word) const {
    try {
      std::size_t used = 0;
      const double value = std::stod(word, &used);
      if (used == word.size()) return value;
    } catch (const std::exception&) {
    }
    refuse("it must be numbers A,B,... or a range A:B or A:B:COUNT");
  }

  double number(const std::string& word) const {
    const std::size_t hat = word.find('^');
    double value = 0;
    if (hat == std::string::npos) {
      value = plain(word);
    } else {
      const double base = plain(word.substr(0, hat)), exponent = plain(word.substr(hat + 1));
      if (!(base > 0)) refuse("the base of a power must be above 0");
      value = base == 2 && exponent == std::floor(exponent) && std::abs(exponent) < 1000
                  ? std::ldexp(1.0, static_cast<int>(exponent))
                  : power_of(base, exponent);
    }
    if (!(value > 0 && std::isfinite(value))) refuse("every value must be a number above 0");
    return value;
  }

  void add(const std::string& part, std::vector<double>& values) const {
    std::vector<std::string> words;
    std::istringstream pieces(part);
    for (std::string word; std::getline(pieces, word, ':');) words.push_back(word);
    if (words.empty() || words.size() > 3 || part.ends_with(':'))
      refuse("it must be numbers A,B,... or a range A:B or A:B:COUNT");
    const double first = number(words[0]);
    values.push_back(first);
    if (words.size() == 1) return;
    const double last = number(words[1]);
    if (!(last > first)) refuse("a range is SMALLER:LARGER");
    if (words.size() == 2) {
      for (double value = 2 * first; value <= last * (1 + 1e-9); value *= 2) values.push_back(value);
      return;
    }
    const double count = number(words[2]);
    if (count < 2 || count > most_values || count != std::floor(count))
      refuse("the count of a range A:B:COUNT must be a whole number from 2 to 10000");
    const double length = log_of(last / first) / (count - 1);
    for (double k = 1; k < count; ++k) values.push_back(k + 1 == count ? last : first * exp_of(length * k));
  }

  const std::string& text_;
  const std::string& option_;
};

}  // namespace

std::vector<double> read_values(const std::string& text, const std::string& option) {
  return Reader(text, option).all();
}

}  // namespace seesaw::app
