#include "data/table/cells.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "data/readers/numbers.h"
#include "data/table/date_patterns.h"

namespace seesaw {
namespace {

constexpr std::array<std::string_view, 8> answers = {"no", "yes", "false", "true", "n", "y", "f", "t"};

// The digits at the beginning of `text`, of which there must be from `least` to `most`; they are removed from it.
std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t size = 0;
  int value = 0;
  while (size < text.size() && size < most && is_digit(text[size])) value = value * 10 + (text[size++] - '0');
  if (size < least) return std::nullopt;
  text.remove_prefix(size);
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

struct Day {
  int year, month, day;
};

std::optional<Day> take_day(std::string_view& text) {
  const std::string_view whole = text;
  if (const auto year = take_digits(text, 4, 4)) {
    const char separator = text.empty() ? '\0' : text[0];
    if (separator == '-' || separator == '/') {
      text.remove_prefix(1);
      if (const auto month = take_digits(text, 1, 2); month && take(text, separator))
        if (const auto day = take_digits(text, 1, 2)) return Day{*year, *month, *day};
      return std::nullopt;
    }
    if (const auto month = take_digits(text, 2, 2))
      if (const auto day = take_digits(text, 2, 2)) return Day{*year, *month, *day};
    return std::nullopt;
  }
  text = whole;
  if (const auto day = take_digits(text, 1, 2); day && take(text, '.'))
    if (const auto month = take_digits(text, 1, 2); month && take(text, '.'))
      if (const auto year = take_digits(text, 4, 4)) return Day{*year, *month, *day};
  return std::nullopt;
}

// The time after a date, as a fraction of a day. An empty text is midnight.
std::optional<double> time_in(std::string_view text) {
  if (text.empty()) return 0;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const auto hour = take_digits(text, 1, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = take_digits(text, 2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  double seconds = 60.0 * (60 * *hour + *minute);
  if (take(text, ':')) {
    const auto second = take_digits(text, 2, 2);
    if (!second || *second > 60) return std::nullopt;
    seconds += *second;
    if (take(text, '.')) {
      std::string_view digits = text;
      while (!text.empty() && is_digit(text[0])) text.remove_prefix(1);
      digits = digits.substr(0, digits.size() - text.size());
      const auto fraction = number_in("0." + std::string(digits));
      if (!fraction || digits.empty()) return std::nullopt;
      seconds += *fraction;
    }
  }
  take(text, 'Z');
  if (!text.empty()) return std::nullopt;
  return seconds / 86400;
}

// Groups of three digits after one to three, by one separator, then optionally a decimal sign that is another one.
bool is_grouped(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (!take_digits(text, 1, 3) || text.empty()) return false;
  const char separator = text[0];
  if (separator != '.' && separator != ',' && separator != '\'' && separator != ' ') return false;
  std::size_t groups = 0;
  while (take(text, separator)) {
    if (!take_digits(text, 3, 3)) return false;
    ++groups;
  }
  if (text.empty()) return groups > 1 || separator != '.';
  if (text[0] != '.' && text[0] != ',') return false;
  text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

bool is_slash_date(std::string_view text) {
  if (!take_digits(text, 1, 2) || !take(text, '/') || !take_digits(text, 1, 2) || !take(text, '/')) return false;
  if (!take_digits(text, 2, 4)) return false;
  return text.empty() || text[0] == ' ';
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

bool is_missing_cell(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() > 4 || (text[0] != 'n' && text[0] != 'N' && text[0] != '?')) return false;
  const std::string word = lower_case(text);
  return word == "?" || word == "na" || word == "n/a" || word == "nan" || word == "null" || word == "none";
}

namespace {

// A number with a decimal point, finite or not.
std::optional<double> any_number_in(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double value = 0;
  const char* const end = text.data() + text.size();
  const char first = text[0] == '+' && text.size() > 1 ? text[1] : text[0];
  if (first == '+' || (first == '-' && text[0] == '+')) return std::nullopt;
  const char* const begin = text.data() + (text[0] == '+' ? 1 : 0);
  if (begin == end) return std::nullopt;
  const auto [after, error] = fast_float::from_chars(begin, end, value);
  if (error != std::errc() || after != end || std::isnan(value)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
  const auto value = any_number_in(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<double> comma_number_in(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos || text.find_first_of(".,", comma + 1) != text.npos || text.find('.') != text.npos)
    return std::nullopt;
  std::string copy(text);
  copy[comma] = '.';
  return number_in(copy);
}

bool comma_may_group(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  const std::size_t comma = text.find(',');
  return comma >= 1 && comma <= 3 && text.size() == comma + 4 && text[0] != '0' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c == ',' || is_digit(c); }) &&
         text.find(',', comma + 1) == text.npos;
}

std::optional<double> days_in(std::string_view text) {
  const auto day = take_day(text);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(day->year),
                                         std::chrono::month(static_cast<unsigned>(day->month)),
                                         std::chrono::day(static_cast<unsigned>(day->day))};
  if (!date.ok()) return std::nullopt;
  const auto time = time_in(text);
  if (!time) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) + *time;
}

CellKind kind_of_cell(std::string_view text, bool comma_allowed) {
  if (is_missing_cell(text)) return CellKind::missing;
  if (const auto value = any_number_in(text)) return std::isfinite(*value) ? CellKind::number : CellKind::infinite;
  if (!is_digit(text[0]) && text[0] != '-' && text[0] != '+' && text[0] != ',')
    return looks_like_date(text) ? CellKind::unread_date : CellKind::text;
  if (comma_allowed && comma_number_in(text)) return CellKind::comma_number;
  if (is_grouped(text)) return CellKind::grouped_number;
  if (days_in(text)) return CellKind::date;
  if (is_slash_date(text)) return CellKind::slash_date;
  return looks_like_date(text) ? CellKind::unread_date : CellKind::text;
}

std::optional<int> answer_in(std::string_view text) {
  if (text.size() > 5) return std::nullopt;
  const auto found = std::find(answers.begin(), answers.end(), lower_case(text));
  if (found == answers.end()) return std::nullopt;
  return static_cast<int>(found - answers.begin());
}

std::string_view answer_word(int place) { return answers[static_cast<std::size_t>(place)]; }

}  // namespace seesaw
