#include "data/table/date_patterns.h"

#include <array>
#include <chrono>
#include <optional>

#include "data/readers/numbers.h"
#include "data/table/cells.h"

namespace seesaw {
namespace {

constexpr std::array<std::string_view, 12> months = {"january",   "february", "march",    "april",
                                                     "may",       "june",     "july",     "august",
                                                     "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> weekdays = {"monday", "tuesday",  "wednesday", "thursday",
                                                      "friday", "saturday", "sunday"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <class Test>
std::string_view take_while(std::string_view& text, const Test& test) {
  std::size_t size = 0;
  while (size < text.size() && test(text[size])) ++size;
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

// The place of a name, written in full or by at least three letters, counted from 1.
template <class Names>
std::optional<int> place_of_name(std::string_view word, const Names& names) {
  if (word.size() < 3 || word.size() > 9) return std::nullopt;
  const std::string lower = lower_case(word);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k].starts_with(lower)) return static_cast<int>(k) + 1;
  return std::nullopt;
}

struct DatePart {
  bool word = false;  // the name of a month
  std::size_t digits = 0;
  int value = 0;

  bool day() const { return !word && digits <= 2; }
  bool year() const { return !word && digits == 4; }
  int as_year() const { return digits == 4 ? value : 2000 + value; }
};

std::optional<DatePart> take_date_part(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  if (is_letter(text[0])) {
    const auto month = place_of_name(take_while(text, is_letter), months);
    if (!month) return std::nullopt;
    return DatePart{true, 0, *month};
  }
  const std::string_view digits = take_while(text, is_digit);
  if (digits.empty() || digits.size() > 4 || digits.size() == 3) return std::nullopt;
  DatePart part{false, digits.size(), 0};
  for (const char c : digits) part.value = 10 * part.value + (c - '0');
  return part;
}

std::string_view take_separator(std::string_view& text) {
  return take_while(text, [](char c) { return c == '-' || c == '.' || c == '/' || c == ',' || c == ' '; });
}

bool day_exists(int year, int month, int day) {
  return std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

bool is_day(const DatePart& a, const DatePart& b, const DatePart& c, std::string_view first, std::string_view second) {
  if (c.word || (a.word && b.word)) return false;
  if (a.word) return b.day() && c.year() && day_exists(c.value, a.value, b.value);
  if (b.word)
    return (a.day() && (c.year() || c.digits == 2) && day_exists(c.as_year(), b.value, a.value)) ||
           (a.year() && c.day() && day_exists(a.value, b.value, c.value));
  if (first != second || first.size() != 1 || first == " " || first == ",") return false;
  if (a.year()) return b.day() && c.day() && day_exists(a.value, b.value, c.value);
  if (!a.day() || !b.day() || !(c.year() || (a.digits == 2 && b.digits == 2 && c.digits == 2))) return false;
  return day_exists(c.as_year(), b.value, a.value) || day_exists(c.as_year(), a.value, b.value);
}

// Nothing, or a time: what follows its minutes is not looked at.
bool ends_like_date(std::string_view text) {
  if (text.empty()) return true;
  if (text[0] != 'T' && text[0] != ' ' && text[0] != ',') return false;
  text.remove_prefix(1);
  take_while(text, is_blank);
  const std::size_t digits = take_while(text, is_digit).size();
  if (digits == 4 || digits == 6) return true;
  return (digits == 1 || digits == 2) && text.size() > 2 && text[0] == ':' && is_digit(text[1]) && is_digit(text[2]);
}

bool begins_with_day_in_digits(std::string_view text) {  // 20190131T160000
  if (text.size() < 9 || text[8] != 'T') return false;
  const std::string_view digits = take_while(text, is_digit);
  return digits.size() == 8 && days_in(digits) && ends_like_date(text);
}

}  // namespace

bool looks_like_date(std::string_view text) {
  if (begins_with_day_in_digits(text)) return true;
  if (!text.empty() && is_letter(text[0])) {
    std::string_view after = text;
    if (place_of_name(take_while(after, is_letter), weekdays)) {
      take_separator(after);
      text = after;
    }
  }
  const auto a = take_date_part(text);
  if (!a) return false;
  const std::string_view first = take_separator(text);
  const auto b = take_date_part(text);
  if (!b) return false;
  const std::string_view second = take_separator(text);
  const auto c = take_date_part(text);
  return c && is_day(*a, *b, *c, first, second) && ends_like_date(text);
}

}  // namespace seesaw
