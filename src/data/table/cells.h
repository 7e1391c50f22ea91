// What a cell of a table contains: nothing, a number, a date or other text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace seesaw {

enum class CellKind {
  missing,         // empty, NA, N/A, NaN, null, none or ?, in upper or lower case
  number,          // finite, with a decimal point or none
  comma_number,    // finite, with a decimal comma
  grouped_number,  // with separators of thousands: 1.234,56; 1,234.56; 1'234
  date,            // YYYY-MM-DD, YYYY/MM/DD or DD.MM.YYYY, a time may follow
  infinite,        // inf, 1e400: a number that is not finite
  slash_date,      // 1/2/2024: day and month are in an order that the cell does not determine
  unread_date,     // 09-Jul-2020, 2019-01-02T21:00+02:00: a date, in a notation that is not read (date_patterns.h)
  text
};

bool is_missing_cell(std::string_view text);

// comma_allowed: a decimal comma is possible, since the comma does not separate the cells.
CellKind kind_of_cell(std::string_view text, bool comma_allowed);

std::optional<double> number_in(std::string_view text);        // finite, with a decimal point
std::optional<double> comma_number_in(std::string_view text);  // finite, with one decimal comma and no point

// 1,234: the comma can separate thousands. 0,123 and 1234,567 have a decimal comma.
bool comma_may_group(std::string_view text);

// Days since 1970-01-01, a time as a fraction of the day: YYYY-MM-DD, YYYY/MM/DD, DD.MM.YYYY or YYYYMMDD, then optionally
// a blank or T, HH:MM or HH:MM:SS, with a fraction of the second, and Z. Zones other than Z are not dates.
std::optional<double> days_in(std::string_view text);

std::string lower_case(std::string_view text);  // ASCII letters

// The place of a word in a pair of answers (yes/no, true/false, y/n, t/f): the pair's number times 2, + 1 if it is the
// affirmative one.
std::optional<int> answer_in(std::string_view text);
std::string_view answer_word(int place);

}  // namespace seesaw
