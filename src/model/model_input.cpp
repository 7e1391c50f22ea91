#include "model/model_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "seesaw/error.h"

namespace seesaw {
namespace {

// The end of the digits at p.
const char* after_digits(const char* p, const char* end) {
  while (p < end && *p >= '0' && *p <= '9') ++p;
  return p;
}

// The end of a number by the grammar of JSON; null if there is none.
const char* after_number(const char* p, const char* end) {
  if (p < end && *p == '-') ++p;
  const char* const whole = p;
  p = after_digits(p, end);
  if (p == whole || (*whole == '0' && p > whole + 1)) return nullptr;
  if (p < end && *p == '.') {
    const char* const fraction = p + 1;
    p = after_digits(fraction, end);
    if (p == fraction) return nullptr;
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p < end && (*p == '+' || *p == '-')) ++p;
    const char* const exponent = p;
    p = after_digits(p, end);
    if (p == exponent) return nullptr;
  }
  return p;
}

}  // namespace

std::string contents_of_model(const std::string& path) {
  std::error_code ignored;  // what cannot be examined cannot be opened
  if (std::filesystem::is_directory(path, ignored)) throw Error(fmt::format("{} is a directory, not a model.", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("cannot open the model {}: {}.", path, std::strerror(errno)));
  std::string text;
  constexpr std::size_t block = 1 << 20;  // by blocks: a pipe has no size to ask for
  std::error_code unknown;
  if (std::filesystem::is_regular_file(path, unknown)) {
    const auto size = std::filesystem::file_size(path, unknown);
    if (!unknown && size < (std::uintmax_t{1} << 40)) text.reserve(static_cast<std::size_t>(size) + block);
  }
  do {
    const std::size_t before = text.size();
    text.resize(before + block);
    file.read(text.data() + before, block);
    text.resize(before + static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (file.bad()) throw Error(fmt::format("cannot read the model {}: {}.", path, std::strerror(errno)));
  return text;
}

std::optional<std::vector<double>> take_dual(std::string& text) {
  constexpr std::string_view key = "\n\"dual\": [", ending = "]\n}\n", separator = ", ";
  const std::size_t line = text.rfind(key);
  if (line == std::string::npos || !text.ends_with(ending)) return std::nullopt;
  const std::size_t begin = line + key.size();
  if (begin + ending.size() >= text.size()) return std::nullopt;  // an empty list
  const char *p = text.data() + begin, *const end = text.data() + text.size() - ending.size();
  std::vector<double> numbers;
  numbers.reserve(1 + static_cast<std::size_t>(std::count(p, end, ',')));
  for (;;) {
    const char* const after = after_number(p, end);
    double number = 0;
    if (after == nullptr || std::from_chars(p, after, number).ec != std::errc()) return std::nullopt;
    numbers.push_back(number);
    if (after == end) break;
    if (static_cast<std::size_t>(end - after) < separator.size() ||
        !std::string_view(after, end).starts_with(separator))
      return std::nullopt;
    p = after + separator.size();
  }
  text.erase(begin, static_cast<std::size_t>(end - (text.data() + begin)));
  return numbers;
}

}  // namespace seesaw
