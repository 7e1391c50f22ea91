// Parsing of numbers. Eight characters are processed as one 64-bit word, so that neither the length of an index nor
// that of a value costs a mispredicted branch; unusual numbers are parsed by fast_float.
//
// Precondition of every function here: up to `lookahead` bytes after the end of the number are readable.
#pragma once

#include <fast_float/fast_float.h>
#include <bit>
#include <cfloat>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace seesaw {

inline constexpr std::size_t lookahead = 16;

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}

struct Digits {
  std::uint64_t value;
  unsigned count;  // 0 to 8
};

// The decimal digits at p, at most eight of them.
inline Digits leading_digits(const char* p) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    word ^= 0x3030303030303030;  // '0' ... '9' become 0 ... 9
    // Bit 7 of the bytes above 9. A carry can only change bytes after the first of them, and only the first is used.
    const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
    // The first digit is in the lowest byte: shifting left drops the other characters and prepends zeros. In two
    // halves, since count = 0 would be a shift by 64.
    const unsigned half = 4 * (8 - count);
    word = word << half << half;
    word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ff;      // four pairs
    word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffff;    // two groups of four
    word = (word * 10000 + (word >> 32)) & 0x00000000ffffffff;  // all eight
    return {word, count};
  } else {
    Digits digits{0, 0};
    while (digits.count < 8 && is_digit(p[digits.count]))
      digits.value = digits.value * 10 + static_cast<unsigned>(p[digits.count++] - '0');
    return digits;
  }
}

// A number m 10^e of at most 19 digits where m and 10^|e| are exact doubles: then m * 10^e or m / 10^-e is rounded once
// and thus correctly. Returns its end; nullptr for everything else, number or not. The result is finite.
inline const char* read_simple_number(const char* p, double& value) {
  static_assert(FLT_EVAL_METHOD == 0, "a product rounded twice is not the nearest double");
  static constexpr std::uint64_t whole_powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const std::uint64_t minus = *p == '-';
  p += minus;
  std::uint64_t mantissa;
  unsigned digits;
  if (is_digit(p[0]) && p[1] == '.') {  // the most common form
    mantissa = static_cast<unsigned>(p[0] - '0');
    digits = 1;
  } else {
    const Digits whole = leading_digits(p);
    mantissa = whole.value;
    digits = whole.count;
  }
  p += digits;
  int exponent = 0;
  if (*p == '.') {
    ++p;
    Digits more = leading_digits(p);
    for (;;) {
      p += more.count;
      digits += more.count;
      exponent -= static_cast<int>(more.count);
      mantissa = mantissa * whole_powers[more.count] + more.value;  // overflow: digits > 19, refused below
      if (more.count < 8 || digits > 19) break;
      more = leading_digits(p);
    }
  }
  if (digits == 0 || digits > 19 || is_digit(*p)) return nullptr;
  if ((*p | 0x20) == 'e') {
    const bool down = p[1] == '-';
    p += 1 + (down || p[1] == '+');
    const auto [power, length] = leading_digits(p);
    if (length == 0 || length > 3) return nullptr;
    p += length;
    exponent += down ? -static_cast<int>(power) : static_cast<int>(power);
  }
  if (mantissa > (std::uint64_t{1} << 53) || exponent < -22 || exponent > 22) return nullptr;
  const auto whole = static_cast<double>(mantissa);
  const double magnitude = exponent <= 0 ? whole / powers[-exponent] : whole * powers[exponent];
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) |
                                minus << 63);  // no branch: signs are unpredictable
  return p;
}

// Any decimal number, also with a leading '+'; also nan and inf, which the caller must reject.
// Returns its end, or nullptr if there is none. `end` is the end of the text.
[[gnu::noinline]] inline const char* read_any_number(const char* p, const char* end, double& value) {
  if (*p == '+') {
    ++p;
    if (*p == '-') return nullptr;
  }
  const auto [after, error] = fast_float::from_chars(p, end, value);
  return error == std::errc() ? after : nullptr;
}

// Text for a message: in quotes, shortened, with unprintable bytes escaped.
inline std::string in_quotes(std::string_view text, std::size_t most = 40) {
  static constexpr char hex[] = "0123456789ABCDEF";
  std::string result = "'";
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) result += c;
    else result.append({'\\', 'x', hex[byte / 16], hex[byte % 16]});
  }
  return result + (text.size() > most ? "...'" : "'");
}

// "1 feature", "2 features".
inline std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count).append(" ").append(thing).append(count == 1 ? "" : "s");
}

}  // namespace seesaw
