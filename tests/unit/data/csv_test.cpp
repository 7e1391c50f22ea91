#include "data/readers/csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rng.h"
#include "files.h"
#include "seesaw/error.h"

namespace seesaw {
namespace csv_test {

using testing_files::matrix_of;
using testing_files::message_of;
using testing_files::packed;
using testing_files::TemporaryFile;
using Matrix = std::vector<std::vector<double>>;
using Labels = std::vector<double>;
using Names = std::vector<std::string>;

Dataset read(const std::string& path, const ReadOptions& options = {}, std::size_t size = TextBlocks::usual_size) {
  TextBlocks blocks(path, "a file of CSV", size);
  return read_csv(blocks, options);
}

Dataset parse(const std::string& text, const ReadOptions& options = {}) {
  return read(TemporaryFile(text).path(), options);
}

void expect_refused(const std::string& text, std::size_t line, std::size_t column, const std::string& words,
                    const ReadOptions& options = {}) {
  const TemporaryFile file(text);
  for (const std::size_t size : {std::size_t{1}, std::size_t{10}, TextBlocks::usual_size}) try {
      read(file.path(), options, size);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const ParseError& error) {
      EXPECT_EQ(error.what(), file.path() + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + words);
    }
}

std::string message(const std::string& text, const ReadOptions& options = {}) {
  const TemporaryFile file(text);
  const std::string words = message_of([&] { read(file.path(), options); });
  return words.starts_with(file.path() + ": ") ? words.substr(file.path().size() + 2) : words;
}

TEST(Csv, reads_rows_without_a_header) {
  const Dataset data = parse("1,0.5,0\n-1,2,3\n");
  EXPECT_EQ(data.labels, (Labels{1, -1}));
  EXPECT_EQ(matrix_of(data), (Matrix{{0.5, 0}, {2, 3}}));
  EXPECT_TRUE(data.feature_names.empty());
}

TEST(Csv, counts_entries_that_are_not_zero) { EXPECT_EQ(parse("1,0.5,0\n-1,2,3\n0,0.0,-0\n").nnz, 3u); }

TEST(Csv, keeps_the_names_of_features_in_the_header) {
  const Dataset data = parse("y,\"first one\", second \n1,2,3\n");
  EXPECT_EQ(data.feature_names, (Names{"first one", "second"}));
  EXPECT_EQ(data.labels, (Labels{1}));
}

TEST(Csv, accepts_commas_semicolons_and_tabs) {
  for (const std::string delimiter : {",", ";", "\t"}) {
    const Dataset data = parse(fmt::format("y{0}a\n1{0}2\n", delimiter));
    EXPECT_EQ(matrix_of(data), (Matrix{{2}}));
    EXPECT_EQ(data.feature_names, (Names{"a"}));
  }
}

TEST(Csv, uses_the_most_frequent_delimiter_of_the_first_line_outside_quotes) {
  const Dataset data = parse("\"a,b,c,d\";x;\"y\"\"z\"\n1;2;3\n");
  EXPECT_EQ(data.feature_names, (Names{"x", "y\"z"}));
  EXPECT_EQ(matrix_of(data), (Matrix{{2, 3}}));
}

TEST(Csv, accepts_blanks_and_quotes_around_numbers) {
  EXPECT_EQ(matrix_of(parse(" 1 , \"2\" ,\t3\n-1,\" 4 \",+5e0 \r\n")), (Matrix{{2, 3}, {4, 5}}));
  EXPECT_EQ(matrix_of(parse("1\t 2 \t\"3\"\n")), (Matrix{{2, 3}}));
}

TEST(Csv, accepts_a_last_line_without_newline_and_skips_blank_lines) {
  EXPECT_EQ(matrix_of(parse("1,2\n\n \r\n3,4")), (Matrix{{2}, {4}}));
}

TEST(Csv, finds_the_label_column_by_name) {
  const Dataset data = parse("a,target,b\n1,2,3\n4,5,6\n", {.label_column = "target"});
  EXPECT_EQ(data.labels, (Labels{2, 5}));
  EXPECT_EQ(matrix_of(data), (Matrix{{1, 3}, {4, 6}}));
  EXPECT_EQ(data.feature_names, (Names{"a", "b"}));
}

TEST(Csv, finds_the_label_column_by_number) {
  EXPECT_EQ(parse("a,b,c\n1,2,3\n", {.label_column = "3"}).labels, (Labels{3}));
  EXPECT_EQ(parse("1,2,3\n", {.label_column = "2"}).labels, (Labels{2}));
}

TEST(Csv, prefers_a_name_that_looks_like_a_number) {
  EXPECT_EQ(parse("a,b,1\n10,20,30\n", {.label_column = "1"}).labels, (Labels{30}));
}

TEST(Csv, stores_the_label_column_for_messages) {
  EXPECT_EQ(parse("a,target,b\n1,2,3\n", {.label_column = "target"}).label_column, "column 2 'target'");
  EXPECT_EQ(parse("a,b\n1,2\n").label_column, "column 1 'a'");
  EXPECT_EQ(parse("1,2\n").label_column, "column 1");
  EXPECT_EQ(parse("a,b\n1,2\n", {.label_column = "none"}).label_column, "");
  EXPECT_TRUE(parse("a,b\n1,2\n").fixed_width);
}

TEST(Csv, names_the_label_column_if_a_label_is_wrong) {
  expect_refused("city,price\nParis,2\n", 2, 1,
                 "'Paris' in the label column, column 1 'city', is not a number; only the first line may contain "
                 "text; to use another label column, add `label_column`.");
  expect_refused("1,2\nx,2\n", 2, 1,
                 "'x' in the label column, column 1, is not a number; only the first line may contain text; "
                 "to use another label column, add `label_column`.");
}

TEST(Csv, refuses_missing_label_columns) {
  EXPECT_EQ(message("a,b\n1,2\n", {.label_column = "c"}), "has no column 'c'; its columns are 'a', 'b'.");
  EXPECT_EQ(message("1,2\n", {.label_column = "c"}),
            "has no header, so no column 'c'; give the number of the label column, counted from 1.");
  EXPECT_EQ(message("1,2\n", {.label_column = "3"}), "has no column 3; the label column is one of 1 to 2.");
  EXPECT_EQ(message("1,2\n", {.label_column = "0"}), "has no column 0; the label column is one of 1 to 2.");
  EXPECT_EQ(message("a,a\n1,2\n", {.label_column = "a"}),
            "has more than one column 'a'; give the number of the label column, counted from 1.");
}

TEST(Csv, treats_a_first_line_with_a_missing_value_as_a_row) {
  expect_refused("1,,3\n1,2,3\n", 1, 3, "the value in column 2 is missing; fill it in or remove the row.");
  expect_refused("1,NA,3\n1,2,3\n", 1, 3, "the value in column 2 is missing ('NA'); fill it in or remove the row.");
  expect_refused("1,nan\n", 1, 3, "'nan' in column 2 is not a finite number; correct it or remove the row.");
}

TEST(Csv, refuses_missing_values) {
  expect_refused("y,a,b\n1,2,3\n1,,3\n", 3, 3, "the value in column 2 'a' is missing; fill it in or remove the row.");
  expect_refused("y,a\n1, \n", 2, 4, "the value in column 2 'a' is missing; fill it in or remove the row.");
  expect_refused("y,a\n1,\"\"\n", 2, 3, "the value in column 2 'a' is missing; fill it in or remove the row.");
  expect_refused("y,a\n1,?\n", 2, 3, "the value in column 2 'a' is missing ('?'); fill it in or remove the row.");
  expect_refused("y\ta\n\t1\n", 2, 1,
                 "the value in the label column, column 1 'y', is missing; fill it in or remove the row.");
  expect_refused("y\ta\n\t\n", 2, 1,
                 "the value in the label column, column 1 'y', is missing; fill it in or remove the row.");
}

TEST(Csv, refuses_what_is_not_a_number) {
  expect_refused("y,a\n1,2\n1,red\n", 3, 3,
                 "'red' in column 2 'a' is not a number; only the first line may contain text.");
  expect_refused("1,2\n1,2x\n", 2, 3, "'2x' in column 2 is not a number; only the first line may contain text.");
  expect_refused("1,2\n1,\"2\"x\n", 2, 3, "'2x' in column 2 is not a number; only the first line may contain text.");
  expect_refused("1,2\n1 1,2\n", 2, 1,
                 "'1 1' in the label column, column 1, is not a number; only the first line may contain text; "
                 "to use another label column, add `label_column`.");
  expect_refused("1;2\n1;2,5\n", 2, 3, "'2,5' in column 2 is not a number; write a decimal point, not a comma.");
  expect_refused("1,2\n1,\"2\n", 2, 3, "the quote in column 2 is not closed on this line; close it.");
}

TEST(Csv, refuses_what_is_not_finite) {
  expect_refused("1,2\n1,inf\n", 2, 3, "'inf' in column 2 is not a finite number; correct it or remove the row.");
  expect_refused("1,2\n-NaN,3\n", 2, 1,
                 "'-NaN' in the label column, column 1, is not a finite number; correct it or remove the row.");
  expect_refused("1,2\n1,1e999\n", 2, 3, "'1e999' in column 2 is not a finite number; correct it or remove the row.");
}

TEST(Csv, refuses_rows_of_another_length) {
  expect_refused("1,2,3\n4,5,6\n7,8\n", 3, 4,
                 "this row has 2 fields, the first line has 3; give every row the same number.");
  expect_refused("y,a\n1\n", 2, 2, "this row has 1 field, the first line has 2; give every row the same number.");
  expect_refused("1,2\n3,4,5\n", 2, 5,
                 "this row has more than the 2 fields of the first line; give every row the same number.");
  expect_refused("1,2\n3,4,\n", 2, 5,
                 "this row has more than the 2 fields of the first line; give every row the same number.");
}

TEST(Csv, refuses_a_first_line_of_one_field) {
  expect_refused("1 2 3\n", 1, 1,
                 "the first line '1 2 3' has only one field; separate fields by comma, semicolon or tab.");
  expect_refused("\n1,2\n", 1, 1, "the first line is blank; begin with a header or a row.");
}

TEST(Csv, refuses_files_without_rows) {
  EXPECT_EQ(message(""), "is empty; give a file of CSV.");
  EXPECT_EQ(message("y,a\n"), "has no rows; give a file of CSV.");
}

TEST(Csv, refuses_another_number_of_features_than_expected) {
  const ReadOptions model{.width = 2, .width_of = "the model m.model"};
  EXPECT_EQ(parse("1,2,3\n", model).d(), 2u);
  const ReadOptions with_label{.label_column = "1", .width = 2, .width_of = "the model m.model"};
  EXPECT_EQ(message("1,2\n", with_label),
            "has 1 feature where the model m.model has 2; give data with the same features.");
  EXPECT_EQ(message("1,2,3,4\n", model),
            "has 3 features where the model m.model has 2; give data with the same features.");
}

TEST(Csv, reads_rows_without_labels_if_the_width_implies_it_or_on_request) {
  const Dataset by_width = parse("a,b\n5,7\n0,8\n", {.width = 2});
  EXPECT_FALSE(by_width.labelled);
  EXPECT_EQ(by_width.feature_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(by_width.labels, (std::vector<double>{0, 0}));
  EXPECT_EQ(matrix_of(by_width), (std::vector<std::vector<double>>{{5, 7}, {0, 8}}));
  EXPECT_FALSE(parse("5,7\n", {.label_column = "none"}).labelled);
  EXPECT_TRUE(parse("5,7\n").labelled);
}

TEST(Csv, reads_the_same_with_blocks_of_any_size) {
  Rng rng(7);
  std::string text = "\"the label\",a,b,c\n";
  for (int i = 0; i < 80; ++i) {
    text += std::to_string(i % 2);
    for (int j = 0; j < 3; ++j) text.append(",").append(rng.below(3) == 0 ? "0" : std::to_string(rng.normal()));
    text += rng.below(4) == 0 ? "\r\n" : "\n";
  }
  const TemporaryFile plain(text), compressed(packed(text, "bzip2"));
  const Dataset expected = read(plain.path());
  EXPECT_EQ(expected.n(), 80u);
  for (std::size_t size = 1; size <= 64; ++size)
    for (const auto* file : {&plain, &compressed}) {
      const Dataset data = read(file->path(), {}, size);
      EXPECT_EQ(data.labels, expected.labels);
      EXPECT_EQ(data.nnz, expected.nnz);
      EXPECT_EQ(data.feature_names, expected.feature_names);
      EXPECT_EQ(matrix_of(data), matrix_of(expected));
    }
}

}  // namespace csv_test
}  // namespace seesaw
