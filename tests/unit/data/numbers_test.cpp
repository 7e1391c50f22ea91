#include "data/readers/numbers.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/rng.h"

namespace seesaw {
namespace numbers_test {

struct Read {
  double value = 0;
  std::size_t length = 0;  // 0: refused
};

std::string padded(const std::string& text) { return text + std::string(lookahead, '\n'); }

Read simple(const std::string& text) {
  const std::string buffer = padded(text);
  Read read;
  if (const char* end = read_simple_number(buffer.data(), read.value))
    read.length = static_cast<std::size_t>(end - buffer.data());
  return read;
}

Read any(const std::string& text) {
  const std::string buffer = padded(text);
  Read read;
  if (const char* end = read_any_number(buffer.data(), buffer.data() + text.size(), read.value))
    read.length = static_cast<std::size_t>(end - buffer.data());
  return read;
}

std::string random_digits(Rng& rng, std::uint32_t most) {
  std::string digits;
  for (std::uint32_t left = rng.below(most + 1); left > 0; --left) digits += static_cast<char>('0' + rng.below(10));
  return digits;
}

TEST(Numbers, leading_digits_stop_at_the_first_other_character) {
  for (const std::string text : {"", "7", "42", "123", "0042", "98765", "123456", "1234567"})
    for (const char after : {':', ' ', '\n', '/', '.', '\0', '\x7f', '\x80', '\xff', 'a'}) {
      const std::string buffer = padded(text + after + "99999999");
      const Digits digits = leading_digits(buffer.data());
      EXPECT_EQ(digits.count, text.size()) << text << after;
      EXPECT_EQ(digits.value, text.empty() ? 0 : std::stoull(text)) << text << after;
    }
}

TEST(Numbers, leading_digits_are_at_most_eight) {
  const std::string buffer = padded("1234567890");
  EXPECT_EQ(leading_digits(buffer.data()).count, 8u);
  EXPECT_EQ(leading_digits(buffer.data()).value, 12345678u);
}

TEST(Numbers, are_the_nearest_doubles) {
  Rng rng(1);
  std::size_t read = 0;
  for (int round = 0; round < 300000; ++round) {
    std::string text = rng.below(2) == 0 ? "" : "-";
    text += random_digits(rng, 9);
    if (rng.below(4) > 0) text.append(".").append(random_digits(rng, 18));
    if (rng.below(3) == 0)
      text.append(rng.below(2) == 0 ? "e" : "E-").append(std::to_string(rng.below(rng.below(10) == 0 ? 400 : 30)));
    char* end = nullptr;
    const double expected = std::strtod(text.c_str(), &end);
    const auto length = static_cast<std::size_t>(end - text.data());
    const Read fast = simple(text);
    if (fast.length > 0) {
      ++read;
      ASSERT_EQ(fast.length, length) << text;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(fast.value), std::bit_cast<std::uint64_t>(expected)) << text;
    }
    const Read general = any(text);
    if (length > 0) {
      ASSERT_EQ(general.length, length) << text;
      ASSERT_EQ(general.value, expected) << text;
    } else {
      ASSERT_EQ(general.length, 0u) << text;
    }
  }
  EXPECT_GT(read, 150000u);  // most use the fast path
}

TEST(Numbers, of_common_files_use_the_fast_path) {
  for (const std::string text : {"0", "1", "-1", "255", "0.0831", "-0.333333", "2.000000", "9.86899159742946E-02",
                                 "1e3", ".5", "5.", "1000000", "12345678", "0.123456789012345"}) {
    const Read read = simple(text);
    EXPECT_EQ(read.length, text.size()) << text;
    EXPECT_EQ(read.value, std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(Numbers, keep_the_sign_of_zero) {
  EXPECT_TRUE(std::signbit(simple("-0").value));
  EXPECT_FALSE(std::signbit(simple("0").value));
}

TEST(Numbers, may_have_one_plus) {
  EXPECT_EQ(any("+1.5").value, 1.5);
  EXPECT_EQ(any("+1.5").length, 4u);
  EXPECT_EQ(any("+-1").length, 0u);
  EXPECT_EQ(any("++1").length, 0u);
  EXPECT_EQ(any("+").length, 0u);
}

TEST(Numbers, need_a_digit) {
  for (const std::string text : {"", "-", ".", "-.", "e5", ".e5", "x"}) {
    EXPECT_EQ(simple(text).length, 0u) << text;
    EXPECT_EQ(any(text).length, 0u) << text;
  }
}

TEST(Numbers, end_before_an_exponent_without_digits) {
  EXPECT_EQ(simple("1e").length, 0u);
  EXPECT_EQ(any("1e").length, 1u);
  EXPECT_EQ(any("1e+").length, 1u);
}

TEST(Numbers, quote_unprintable_text_safely_and_shortened) {
  EXPECT_EQ(in_quotes("abc"), "'abc'");
  EXPECT_EQ(in_quotes(std::string_view("a\0\xff", 3)), "'a\\x00\\xFF'");
  EXPECT_EQ(in_quotes(std::string(100, 'x'), 5), "'xxxxx...'");
}

TEST(Numbers, are_counted_in_english) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "row"), "2 rows");
}

}  // namespace numbers_test
}  // namespace seesaw
