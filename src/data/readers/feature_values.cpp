#include "data/readers/feature_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "seesaw/error.h"

namespace seesaw {
namespace {

struct Token {
  std::string_view text;
  std::size_t column;  // counted from 1
};

std::vector<Token> tokens_of(std::string_view line, std::string_view separators) {
  std::vector<Token> tokens;
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    tokens.push_back({line.substr(at, end - at), at + 1});
    at = line.find_first_not_of(separators, end);
  }
  return tokens;
}

std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || std::isnan(value)) return std::nullopt;
  return value;
}

class Reading {
 public:
  Reading(const FeatureValuesFile& file, std::size_t d, const std::vector<std::string>& names)
      : file_(file), d_(d), result_(file.standard.size(), std::vector<double>(d)), given_(d) {
    for (std::size_t k = 0; k < result_.size(); ++k) std::fill(result_[k].begin(), result_[k].end(), file.standard[k]);
    for (std::size_t j = 0; j < std::min(d, names.size()); ++j) place_.emplace(names[j], j);
  }

  void take(std::string_view line) {
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::vector<Token> tokens = tokens_of(line, " \t,");
    if (tokens.empty() || tokens[0].text.starts_with('#')) return;
    const std::size_t values = result_.size();
    if (tokens.size() == 1 && tokens[0].text.find(':') != std::string_view::npos) {
      std::vector<Token> parts = tokens_of(line, " \t,:");
      if (parts.size() != values + 1) refuse(tokens[0], expected());
      store(index_in(parts[0]), {parts.begin() + 1, parts.end()}, true);
    } else if (tokens.size() == values) {
      if (in_order_ == d_ && !named_)
        refuse(tokens[0], fmt::format("there are more than {} lines; the data has {} features.", d_, d_));
      store(in_order_++, tokens, false);
    } else if (tokens.size() > values) {
      const std::size_t begin = tokens[0].column - 1, last = tokens.size() - values - 1;
      const std::string name(line.substr(begin, tokens[last].column - 1 + tokens[last].text.size() - begin));
      const auto found = place_.find(name);
      if (found == place_.end()) refuse(tokens[0], fmt::format("the data has no feature named '{}'.", name));
      store(found->second, {tokens.end() - static_cast<std::ptrdiff_t>(values), tokens.end()}, true);
    } else {
      refuse(tokens[0], expected());
    }
  }

  std::vector<std::vector<double>> finish() {
    if (line_ == 0 || (!named_ && in_order_ != d_))
      throw Error(
          fmt::format("{} has {} lines with a {}, but the data has {} features; give one line per feature, or "
                      "INDEX:VALUE for some.",
                      file_.path, in_order_, file_.what, d_));
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse(const Token& token, const std::string& sentence) const {
    throw ParseError(file_.path, line_, token.column, sentence);
  }
  std::string expected() const {
    const char* values = result_.size() == 1 ? "VALUE" : "LOWER UPPER";
    return fmt::format("expected a {}: {} on each line, or INDEX:{} or NAME {} for some features.", file_.what, values,
                       result_.size() == 1 ? "VALUE" : "LOWER:UPPER", values);
  }
  std::size_t index_in(const Token& token) const {
    std::size_t index = 0;
    const auto [end, code] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), index);
    if (code != std::errc() || end != token.text.data() + token.text.size() || index < file_.first_index ||
        index - file_.first_index >= d_)
      refuse(token, fmt::format("'{}' is not the index of a feature; they go from {} to {}.", token.text,
                                file_.first_index, file_.first_index + d_ - 1));
    return index - file_.first_index;
  }
  void store(std::size_t j, const std::vector<Token>& numbers, bool named) {
    if (line_with_values_ > 0 && named != named_)
      refuse(numbers[0],
             fmt::format("line {} names its feature and this one does not, or the other way round; write all "
                         "lines in the same form.",
                         line_with_values_));
    named_ = named;
    line_with_values_ = line_;
    if (named && given_[j]) refuse(numbers[0], "this feature has been given before.");
    given_[j] = true;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const auto value = number_in(numbers[k].text);
      if (!value) refuse(numbers[k], fmt::format("'{}' is not a number; {}", numbers[k].text, expected()));
      result_[k][j] = *value;
    }
  }

  const FeatureValuesFile& file_;
  std::size_t d_;
  std::vector<std::vector<double>> result_;
  std::vector<bool> given_;
  std::unordered_map<std::string, std::size_t> place_;
  std::size_t line_ = 0, line_with_values_ = 0, in_order_ = 0;
  bool named_ = false;
};

}  // namespace

std::vector<std::vector<double>> read_feature_values(const FeatureValuesFile& file, std::size_t d,
                                                     const std::vector<std::string>& names) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file.path, ignored))
    throw Error(fmt::format("{} is a directory, not a file.", file.path));
  std::ifstream stream(file.path, std::ios::binary);
  if (!stream) throw Error(fmt::format("cannot open {}: {}.", file.path, std::strerror(errno)));
  Reading reading(file, d, names);
  for (std::string line; std::getline(stream, line);) reading.take(line);
  return reading.finish();
}

}  // namespace seesaw
