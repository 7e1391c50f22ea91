#include "data/readers/libsvm.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <string>
#include <vector>

#include "base/rng.h"
#include "files.h"
#include "seesaw/error.h"

namespace seesaw {
namespace libsvm_test {

using testing_files::matrix_of;
using testing_files::message_of;
using testing_files::packed;
using testing_files::TemporaryFile;
using Matrix = std::vector<std::vector<double>>;
using Labels = std::vector<double>;

Dataset read(const std::string& path, const ReadOptions& options = {}, std::size_t size = TextBlocks::usual_size) {
  TextBlocks blocks(path, "a file of LIBSVM text", size);
  return read_libsvm(blocks, options);
}

Dataset parse(const std::string& text, const ReadOptions& options = {}) {
  return read(TemporaryFile(text).path(), options);
}

// The text is refused at this position with this message, for any size of the blocks.
void expect_refused(const std::string& text, std::size_t line, std::size_t column, const std::string& words,
                    const ReadOptions& options = {}) {
  const TemporaryFile file(text);
  for (const std::size_t size : {std::size_t{1}, std::size_t{10}, TextBlocks::usual_size}) try {
      read(file.path(), options, size);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const ParseError& error) {
      EXPECT_EQ(error.line, line) << text;
      EXPECT_EQ(error.column, column) << text;
      EXPECT_EQ(error.what(), file.path() + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + words);
    }
}

ReadOptions from_zero() { return {.index_base = 0}; }

TEST(Libsvm, reads_labels_and_entries) {
  const Dataset data = parse("1 1:0.5 3:-2\n-1 2:4\n");
  EXPECT_EQ(data.labels, (Labels{1, -1}));
  EXPECT_EQ(matrix_of(data), (Matrix{{0.5, 0, -2}, {0, 4, 0}}));
  EXPECT_EQ(data.nnz, 3u);
  EXPECT_TRUE(data.weights.empty());
  EXPECT_TRUE(data.feature_names.empty());
}

TEST(Libsvm, names_its_source) {
  const TemporaryFile file("1 1:1\n");
  EXPECT_EQ(read(file.path()).source, file.path());
}

TEST(Libsvm, keeps_rows_without_features) {
  const Dataset data = parse("-1\n+1 2:1\n-1 \n1\t\n");
  EXPECT_EQ(data.labels, (Labels{-1, 1, -1, 1}));
  EXPECT_EQ(matrix_of(data), (Matrix{{0, 0}, {0, 1}, {0, 0}, {0, 0}}));
}

TEST(Libsvm, accepts_a_file_without_any_features) {
  const Dataset data = parse("1\n-1\n");
  EXPECT_EQ(data.n(), 2u);
  EXPECT_EQ(data.d(), 0u);
  EXPECT_EQ(data.nnz, 0u);
}

TEST(Libsvm, reads_labels_in_all_notations) {
  EXPECT_EQ(
      parse("+1\n-1\n-1.0\n2.000000\n4.000000\n0\n1e2\n.5\n+0.25\n-3E-1\n10000000000\n0.1234567890123456789\n").labels,
      (Labels{1, -1, -1, 2, 4, 0, 100, 0.5, 0.25, -0.3, 1e10, 0.1234567890123456789}));
}

TEST(Libsvm, reads_values_in_all_notations) {
  const Dataset data = parse(
      "1 1:9.86899159742946E-02 2:+1.5 3:-.5 4:5. 5:1e3 6:0.30000000000000004 7:12345678901234567890 8:1e-400 "
      "9:123456789.25 10:-0\n");
  EXPECT_EQ(matrix_of(data)[0], (Labels{9.86899159742946E-02, 1.5, -.5, 5, 1000, 0.30000000000000004,
                                        12345678901234567890., 0, 123456789.25, 0}));
  EXPECT_EQ(data.nnz, 10u);
}

TEST(Libsvm, accepts_repeated_leading_and_trailing_blanks_and_tabs) {
  EXPECT_EQ(matrix_of(parse("1  1:1\t\t2:2 \t \n  -1\t1:3  \n\t1 2:5\t\n")), (Matrix{{1, 2}, {3, 0}, {0, 5}}));
}

TEST(Libsvm, accepts_crlf_line_ends) {
  const Dataset data = parse("1 1:1 2:2\r\n-1\r\n1 2:0.5 \r\n");
  EXPECT_EQ(matrix_of(data), (Matrix{{1, 2}, {0, 0}, {0, 0.5}}));
}

TEST(Libsvm, accepts_a_last_line_without_newline) {
  for (const std::string last :
       {"1 1:1 2:25", "1 1:1 2:2.5", "1", "1 2:3 ", "1 2:3 # comment", "1 2:1e5", "# comment"}) {
    const Dataset data = parse("-1 1:3\n" + last);
    const Dataset same = parse("-1 1:3\n" + last + "\n");
    EXPECT_EQ(data.labels, same.labels);
    EXPECT_EQ(matrix_of(data), matrix_of(same));
  }
}

TEST(Libsvm, skips_comments_and_blank_lines) {
  const Dataset data = parse("# head\n\n1 1:1 # the first 7:8\n  \t\n   # more\n-1 2:2# right behind\n1#\n\r\n");
  EXPECT_EQ(data.labels, (Labels{1, -1, 1}));
  EXPECT_EQ(matrix_of(data), (Matrix{{1, 0}, {0, 2}, {0, 0}}));
}

TEST(Libsvm, ignores_query_ids) {
  EXPECT_EQ(matrix_of(parse("1 qid:7 1:1\n2 qid:8\n3  qid:9  2:1 # x\n")), (Matrix{{1, 0}, {0, 0}, {0, 1}}));
}

TEST(Libsvm, keeps_explicit_zeros_as_entries) {
  const Dataset data = parse("1 1:0 100:1\n-1 2:0.0 3:0\n");
  EXPECT_EQ(data.nnz, 4u);
  EXPECT_EQ(std::get<SparseRows<float>>(data.rows).entries(), 4u);
}

TEST(Libsvm, counts_features_from_zero_on_request) {
  EXPECT_EQ(matrix_of(parse("1 0:1 2:2\n", from_zero())), (Matrix{{1, 0, 2}}));
}

TEST(Libsvm, refuses_another_index_base) { EXPECT_THROW(parse("1 2:1\n", {.index_base = 2}), InvalidOption); }

TEST(Libsvm, reads_the_largest_index) {
  EXPECT_EQ(parse("1 00000000001:1 4294967295:1\n").d(), 4294967295u);
  EXPECT_EQ(parse("1 4294967294:1\n", from_zero()).d(), 4294967295u);
}

TEST(Libsvm, widens_to_the_width_expected) {
  EXPECT_EQ(matrix_of(parse("1 2:3\n", {.width = 4})), (Matrix{{0, 3, 0, 0}}));
}

TEST(Libsvm, rounds_to_single_precision_on_request) {
  const Dataset data = parse("1 100:0.1\n", {.precision = Precision::single});
  EXPECT_EQ(std::get<SparseRows<float>>(data.rows).values()[0], 0.1f);
}

TEST(Libsvm, stores_dense_rows_densely) {
  EXPECT_TRUE(parse("1 1:0.1 2:0.2\n").dense());
  EXPECT_TRUE(parse("1 1:1 2:2\n").single_precision());
  EXPECT_FALSE(parse("1 1:1 50:2\n").dense());
}

TEST(Libsvm, refuses_letters_in_numbers) {
  expect_refused("1 1:2\nabc 1:1\n", 2, 1,
                 "the label 'abc' is not a number; write a row as: label index:value index:value ...");
  expect_refused("1x 1:1\n", 1, 1, "the label '1x' is not a number; write a row as: label index:value index:value ...");
  expect_refused("1 1:2 3:4x 5:6\n", 1, 9, "the value '4x' is not a number; write a feature as index:value.");
  expect_refused("1 1:0x10\n", 1, 5, "the value '0x10' is not a number; write a feature as index:value.");
  expect_refused("1 1:1.2.3\n", 1, 5, "the value '1.2.3' is not a number; write a feature as index:value.");
  expect_refused("1 1:1e\n", 1, 5, "the value '1e' is not a number; write a feature as index:value.");
  expect_refused("1 1:--1\n", 1, 5, "the value '--1' is not a number; write a feature as index:value.");
  expect_refused("1 1:+-1\n", 1, 5, "the value '+-1' is not a number; write a feature as index:value.");
  expect_refused("1 1:1,5\n", 1, 5, "the value '1,5' is not a number; write a feature as index:value.");
  expect_refused("1 a:1\n", 1, 3, "the feature index 'a' is not a whole number; write a feature as index:value.");
  expect_refused("1 1a:1\n", 1, 3, "the feature index '1a' is not a whole number; write a feature as index:value.");
  expect_refused("1 -1:1\n", 1, 3, "the feature index '-1' is not a whole number; write a feature as index:value.");
  expect_refused("1 1.5:1\n", 1, 3, "the feature index '1.5' is not a whole number; write a feature as index:value.");
  expect_refused("1 :1\n", 1, 3, "the feature index '' is not a whole number; write a feature as index:value.");
  expect_refused("1 1:1 qid:2\n", 1, 7,
                 "the feature index 'qid' is not a whole number; write a feature as index:value.");
}

TEST(Libsvm, refuses_binary_data) {
  expect_refused(std::string("1 1:1\n\0\n", 8), 2, 1,
                 "the label '\\x00' is not a number; write a row as: label index:value index:value ...");
  expect_refused(std::string("1 1:1\0 2:1\n", 11), 1, 5,
                 "the value '1\\x00' is not a number; write a feature as index:value.");
  expect_refused("\x7f\x45LF\xff", 1, 1,
                 "the label '\\x7FELF\\xFF' is not a number; write a row as: label index:value index:value ...");
}

TEST(Libsvm, shortens_quoted_text) {
  expect_refused("1 1:" + std::string(1000, 'y') + "\n", 1, 5,
                 "the value '" + std::string(40, 'y') + "...' is not a number; write a feature as index:value.");
}

TEST(Libsvm, refuses_index_zero_with_advice) {
  expect_refused("1 1:1\n1 0:1 1:1\n", 2, 3,
                 "feature index 0 in a file whose first feature should be 1; if it counts from 0, add `index_base` 0.");
}

TEST(Libsvm, refuses_indices_out_of_order) {
  expect_refused("1 3:1 2:1\n", 1, 7, "feature index 2 comes after 3; sort the features of a row by index.");
  expect_refused("1 3:1 17:1 9:1 20:1\n", 1, 12,
                 "feature index 9 comes after 17; sort the features of a row by index.");
  expect_refused("1 123456789:1 9:1\n", 1, 15,
                 "feature index 9 comes after 123456789; sort the features of a row by index.");
}

TEST(Libsvm, refuses_repeated_indices) {
  expect_refused("1 3:1 3:1\n", 1, 7, "feature index 3 occurs twice in this row; keep one of them.");
  expect_refused("1 0:1 0:1\n", 1, 7, "feature index 0 occurs twice in this row; keep one of them.", from_zero());
}

TEST(Libsvm, refuses_indices_beyond_all_columns) {
  const std::string words = " is above 4294967295, the largest possible one; renumber the features.";
  expect_refused("1 4294967296:1\n", 1, 3, "the feature index '4294967296'" + words);
  expect_refused("1 18446744073709551617:1\n", 1, 3, "the feature index '18446744073709551617'" + words);
  expect_refused("1 4294967295:1\n", 1, 3,
                 "the feature index '4294967295' is above 4294967294, the largest possible one; renumber the features.",
                 from_zero());
}

TEST(Libsvm, refuses_what_is_not_finite) {
  expect_refused("1 1:nan\n", 1, 5, "the value 'nan' is not a number (NaN); give finite numbers only.");
  expect_refused("1 1:1 2:-NaN\n", 1, 9, "the value '-NaN' is not a number (NaN); give finite numbers only.");
  expect_refused("1 1:inf\n", 1, 5, "the value 'inf' is infinite; give finite numbers only.");
  expect_refused("1 1:+Infinity\n", 1, 5, "the value '+Infinity' is infinite; give finite numbers only.");
  expect_refused("1 1:1e999\n", 1, 5, "the value '1e999' is infinite; give finite numbers only.");
  expect_refused("1 1:-1e99999\n", 1, 5, "the value '-1e99999' is infinite; give finite numbers only.");
  expect_refused("nan 1:1\n", 1, 1, "the label 'nan' is not a number (NaN); give a finite number.");
  expect_refused(" -inf\n", 1, 2, "the label '-inf' is infinite; give a finite number.");
  expect_refused("1e999 1:1\n", 1, 1, "the label '1e999' is infinite; give a finite number.");
}

TEST(Libsvm, refuses_entries_without_a_colon) {
  expect_refused("1 1:1 2 3:1\n", 1, 7, "'2' has no colon; write a feature as index:value.");
  expect_refused("1 2\n", 1, 3, "'2' has no colon; write a feature as index:value.");
  expect_refused("1 1;2\n", 1, 3, "'1;2' has no colon; write a feature as index:value.");
  expect_refused("1 abc\n", 1, 3, "'abc' has no colon; write a feature as index:value.");
}

TEST(Libsvm, refuses_entries_without_a_value) {
  const std::string words = "there is no value after the colon; write a feature as index:value.";
  expect_refused("1 1: 2:1\n", 1, 5, words);
  expect_refused("1 1:\n", 1, 5, words);
  expect_refused("1 1:", 1, 5, words);
  expect_refused("1 1:# comment\n", 1, 5, words);
  expect_refused("1 1:\r\n", 1, 5, words);
}

TEST(Libsvm, refuses_rows_without_a_label) {
  expect_refused("1 1:1\n1:1 2:3\n", 2, 1, "the row begins with '1:1' instead of a label; put the label first.");
}

TEST(Libsvm, refuses_several_labels) {
  expect_refused("1,3,7 1:1\n", 1, 1, "'1,3,7' looks like several labels; only one label per row is supported.");
}

TEST(Libsvm, refuses_features_beyond_the_width_expected) {
  const ReadOptions model{.width = 3, .width_of = "the model m.model"};
  EXPECT_EQ(parse("1 3:1\n", model).d(), 3u);
  expect_refused("1 3:1\n1 1:1 4:1\n", 2, 7,
                 "feature index 4 is above the 3 features of the model m.model; give data with the same features.",
                 model);
  expect_refused("1 3:1\n", 1, 3,
                 "feature index 3 is above the 3 features of what is expected; give data with the same features.",
                 {.index_base = 0, .width = 3});
  expect_refused("1 1:1\n", 1, 3,
                 "feature index 1 is above the 0 features of what is expected; give data with the same features.",
                 {.width = 0});
  EXPECT_EQ(parse("1\n", {.width = 0}).d(), 0u);
}

TEST(Libsvm, refuses_files_without_rows) {
  const TemporaryFile empty;
  EXPECT_EQ(message_of([&] { read(empty.path()); }), empty.path() + ": is empty; give a file of LIBSVM text.");
  const TemporaryFile comments("# nothing\n\n  \n");
  EXPECT_EQ(message_of([&] { read(comments.path()); }), comments.path() + ": has no rows; give a file of LIBSVM text.");
}

// Random rows with lines of many lengths.
std::string random_text(std::size_t rows, std::uint64_t seed) {
  Rng rng(seed);
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) {
    if (rng.below(8) == 0) text += rng.below(2) == 0 ? "\n" : "# a comment 3:x\n";
    text += rng.below(2) == 0 ? "+1" : "-1.50";
    for (std::uint32_t j = rng.below(5); j < 40; j += 1 + rng.below(30)) {
      text += rng.below(6) == 0 ? "  " : " ";
      text += std::to_string(j + 1) + ":";
      text += rng.below(2) == 0 ? std::to_string(rng.below(10)) : std::to_string(rng.normal());
    }
    text += rng.below(5) == 0 ? " \r\n" : "\n";
  }
  return text;
}

void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.nnz, b.nnz);
  ASSERT_EQ(a.rows.index(), b.rows.index());
  EXPECT_EQ(matrix_of(a), matrix_of(b));
}

TEST(Libsvm, reads_the_same_with_blocks_of_any_size) {
  for (const bool open_end : {false, true}) {
    std::string text = random_text(60, 3);
    if (open_end) text.pop_back();
    const TemporaryFile plain(text), compressed(packed(text, "zstd"));
    const Dataset expected = read(plain.path());
    EXPECT_EQ(expected.n(), 60u);
    for (std::size_t size = 1; size <= 64; ++size) {
      expect_same(read(plain.path(), {}, size), expected);
      expect_same(read(compressed.path(), {}, size), expected);
    }
  }
}

TEST(Libsvm, reads_the_same_with_any_number_of_threads) {
  const TemporaryFile file(random_text(3000, 4));
  const Dataset expected = read(file.path());
  for (const std::size_t threads : {1, 2, 5}) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    expect_same(read(file.path(), {}, 512), expected);
  }
}

TEST(Libsvm, reports_the_first_error_in_the_file) {
  const std::string good = random_text(500, 5);
  std::size_t lines = 0;
  for (const char c : good) lines += c == '\n';
  const TemporaryFile file(good + "1 7:1 5:1\n" + good + "1 1:x\n" + good + "bad\n" + good);
  for (int repeat = 0; repeat < 20; ++repeat)
    for (const std::size_t size : {std::size_t{1}, std::size_t{97}, std::size_t{4096}, TextBlocks::usual_size}) try {
        read(file.path(), {}, size);
        ADD_FAILURE();
      } catch (const ParseError& error) {
        EXPECT_EQ(error.line, lines + 1);
        EXPECT_EQ(error.column, 7u);
      }
}

TEST(Libsvm, reports_a_parse_error_before_later_damage) {
  const std::string text = random_text(20000, 6);
  const std::string whole = packed(text, "gzip");
  const TemporaryFile only_damaged(whole.substr(0, whole.size() / 2));
  EXPECT_NE(message_of([&] { read(only_damaged.path()); }).find("truncated"), std::string::npos);
  const std::string wrong = packed("oops\n" + text, "gzip");
  const TemporaryFile both(wrong.substr(0, wrong.size() / 2));
  for (int repeat = 0; repeat < 10; ++repeat)
    EXPECT_NE(message_of([&] { read(both.path(), {}, 64); }).find(":1:1: the label 'oops'"), std::string::npos);
}

TEST(Libsvm, reads_more_blocks_than_it_has_slots) {
  std::string text;
  for (int i = 0; i < 200000; ++i)
    text += std::to_string(i % 3) + " " + std::to_string(i % 1000 + 1) + ":" + std::to_string(i) + "\n";
  const TemporaryFile file(text);
  const Dataset data = read(file.path(), {}, 10000);
  ASSERT_EQ(data.n(), 200000u);
  const auto& rows = std::get<SparseRows<float>>(data.rows);
  for (std::size_t i = 0; i < data.n(); ++i) {
    ASSERT_EQ(rows.row(i).size, 1u);
    ASSERT_EQ(rows.row(i).column[0], i % 1000);
    ASSERT_EQ(rows.row(i).value[0], static_cast<float>(i));
  }
}

}  // namespace libsvm_test
}  // namespace seesaw
