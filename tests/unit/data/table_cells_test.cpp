#include "data/table/cells.h"

#include <gtest/gtest.h>

#include <string>

namespace seesaw {
namespace table_cells_test {

TEST(TableCells, missing_markers_in_any_case) {
  for (const char* text : {"", "NA", "na", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?"})
    EXPECT_EQ(kind_of_cell(text, false), CellKind::missing) << text;
  for (const char* text : {"-", "nil", "nanx", "0", "NAA"})
    EXPECT_NE(kind_of_cell(text, false), CellKind::missing) << text;
}

TEST(TableCells, numbers_are_finite_and_whole) {
  EXPECT_EQ(number_in("+1.5"), 1.5);
  EXPECT_EQ(number_in("-.5e1"), -5);
  EXPECT_EQ(number_in("1e400"), std::nullopt);
  for (const char* text : {"", "+", "-", "+-1", "++1", "1x", "inf", "nan", "1 2", "0x1", "1,5"})
    EXPECT_EQ(number_in(text), std::nullopt) << text;
}

TEST(TableCells, infinite_numbers_are_no_text) {
  for (const char* text : {"inf", "-inf", "+Infinity", "1e400", "-1e999"})
    EXPECT_EQ(kind_of_cell(text, false), CellKind::infinite) << text;
  for (const char* text : {"info", "-nan", "1e400x"}) EXPECT_EQ(kind_of_cell(text, false), CellKind::text) << text;
}

TEST(TableCells, a_decimal_comma_is_a_number_only_where_the_comma_does_not_separate) {
  EXPECT_EQ(comma_number_in("1,5"), 1.5);
  EXPECT_EQ(comma_number_in("-,25e2"), -25);
  for (const char* text : {"1.5", "1,2,3", "1.234,5", "1,2.5", ",", "a,b"})
    EXPECT_EQ(comma_number_in(text), std::nullopt) << text;
  EXPECT_EQ(kind_of_cell("1,5", true), CellKind::comma_number);
  EXPECT_EQ(kind_of_cell("1,5", false), CellKind::text);
}

TEST(TableCells, separators_of_thousands_are_recognized) {
  for (const char* text : {"1.234,56", "1,234.56", "1'234", "1 234 567", "-12.345.678", "1,234"})
    EXPECT_EQ(kind_of_cell(text, false), CellKind::grouped_number) << text;
  EXPECT_EQ(kind_of_cell("1.234", false), CellKind::number);
  EXPECT_EQ(kind_of_cell("1,234", true), CellKind::comma_number);
  EXPECT_EQ(kind_of_cell("12 34", false), CellKind::text);
}

bool leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

// Every day from 1890 to 2110, counted one by one.
TEST(TableCells, dates_are_days_since_1970) {
  const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  double day = 0;
  for (int year = 1890; year < 1970; ++year) day -= leap(year) ? 366 : 365;
  for (int year = 1890; year < 2110; ++year)
    for (int month = 1; month <= 12; ++month) {
      const int length = lengths[month - 1] + (month == 2 && leap(year) ? 1 : 0);
      char text[32];
      for (int d = 1; d <= length; ++d, ++day) {
        std::snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, d);
        ASSERT_EQ(days_in(text), day) << text;
        std::snprintf(text, sizeof text, "%d.%d.%04d", d, month, year);
        ASSERT_EQ(days_in(text), day) << text;
      }
      std::snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, length + 1);
      ASSERT_EQ(days_in(text), std::nullopt) << text;
    }
}

TEST(TableCells, times_are_fractions_of_a_day) {
  EXPECT_EQ(days_in("1970-01-02T06:00"), 1.25);
  EXPECT_EQ(days_in("1970-01-01 12:00:00"), 0.5);
  EXPECT_EQ(days_in("1970/01/01 00:00:43.2Z"), 0.0005);
  EXPECT_EQ(days_in("19700103"), 2);
  for (const char* text : {"1970-01-01T24:00", "1970-01-01 12", "1970-01-01 12:60", "1970-01-01 12:00+02:00",
                           "1970-13-01", "1970-1-", "70-01-01", "1970-01/01", "1970-01-01x", "1.2.70"})
    EXPECT_EQ(days_in(text), std::nullopt) << text;
  EXPECT_EQ(kind_of_cell("2024-02-29", false), CellKind::date);
  EXPECT_EQ(kind_of_cell("2023-02-29", false), CellKind::text);
  EXPECT_EQ(kind_of_cell("3/4/2024", false), CellKind::slash_date);
  EXPECT_EQ(kind_of_cell("19700103", false), CellKind::number);
}

TEST(TableCells, other_notations_of_dates_are_recognized) {
  for (const char* text :
       {"2019-01-02T21:00:00+02:00", "2019-01-02 21:00:00 UTC", "06-12-2019", "13-12-2019", "09-Jul-2020",
        "9 July 2020", "09Jul2020", "Jul 9, 2020", "Mon, 02 Jan 2006 15:04:05 MST", "2020-Jul-09", "19.04.20",
        "2019.01.31", "2019-01-02 04:00:00 PM", "20141013T000000", "12-05-20"})
    EXPECT_EQ(kind_of_cell(text, false), CellKind::unread_date) << text;
  for (const char* text :
       {"2023-02-29", "31-31-2019", "10.4.3", "1.2.3", "192.168.1.1", "2019-01", "Jul", "March street 5", "May",
        "2019-01-02x", "555-01-2019", "12-34-56", "Jul 9, 20", "A 1-2-2019", "Sunday"})
    EXPECT_EQ(kind_of_cell(text, false), CellKind::text) << text;
}

TEST(TableCells, a_comma_before_three_digits_may_separate_thousands) {
  for (const char* text : {"1,234", "12,500", "-999,000", "+1,000"}) EXPECT_TRUE(comma_may_group(text)) << text;
  for (const char* text : {"0,123", "1234,567", "1,5", "1,2345", ",123", "1,234,567", "1,23e", "1.234", "", "-"})
    EXPECT_FALSE(comma_may_group(text)) << text;
}

TEST(TableCells, answers_come_in_pairs) {
  EXPECT_EQ(answer_in("Yes"), 1);
  EXPECT_EQ(answer_in("NO"), 0);
  EXPECT_EQ(answer_in("true"), 3);
  EXPECT_EQ(answer_in("f"), 6);
  EXPECT_EQ(answer_in("maybe"), std::nullopt);
  for (int place = 0; place < 8; ++place) EXPECT_EQ(answer_in(answer_word(place)), place);
}

}  // namespace table_cells_test
}  // namespace seesaw
