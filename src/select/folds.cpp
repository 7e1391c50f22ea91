#include "select/folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "base/rng.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::uint64_t stream_of_folds = 0xf01d5;

void check_count(std::size_t count, std::size_t rows) {
  if (count < 2 || count > rows)
    throw InvalidOption("folds", fmt::format("{}", count),
                        fmt::format("it must be a whole number from 2 to the number of rows, {}", rows));
}

// Deals out the rows of each group in turn, each group shuffled.
Folds dealt(const std::vector<std::vector<std::uint32_t>>& groups, std::size_t rows, std::size_t count,
            std::uint64_t seed) {
  check_count(count, rows);
  Folds folds{count, std::vector<std::uint32_t>(rows)};
  Rng rng(seed, stream_of_folds);
  std::size_t next = 0;
  for (std::vector<std::uint32_t> group : groups) {
    rng.shuffle(std::span<std::uint32_t>(group));
    for (const std::uint32_t row : group) folds.of_row[row] = static_cast<std::uint32_t>(next++ % count);
  }
  return folds;
}

std::optional<double> number_in(const std::string& word) {
  double value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string without_blanks(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : line.substr(first, last - first + 1);
}

}  // namespace

std::vector<std::uint32_t> Folds::training(std::size_t fold) const {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < of_row.size(); ++i) {
    const bool before = of_row[i] < fold || of_row[i] == never;
    if (before || (!forward && of_row[i] != fold)) rows.push_back(static_cast<std::uint32_t>(i));
  }
  return rows;
}

std::vector<std::uint32_t> Folds::validation(std::size_t fold) const {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < of_row.size(); ++i)
    if (of_row[i] == fold) rows.push_back(static_cast<std::uint32_t>(i));
  return rows;
}

Folds stratified_folds(const std::vector<double>& labels, std::size_t count, std::uint64_t seed) {
  std::map<double, std::vector<std::uint32_t>> rows_of;
  for (std::size_t i = 0; i < labels.size(); ++i) rows_of[labels[i]].push_back(static_cast<std::uint32_t>(i));
  std::vector<std::vector<std::uint32_t>> groups;
  for (auto& [label, rows] : rows_of) groups.push_back(std::move(rows));
  return dealt(groups, labels.size(), count, seed);
}

Folds shuffled_folds(std::size_t rows, std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> all(rows);
  std::iota(all.begin(), all.end(), 0U);
  return dealt({all}, rows, count, seed);
}

Folds read_folds(const std::string& path, std::size_t rows, bool forward) {
  std::ifstream file(path);
  if (!file) throw Error(fmt::format("cannot read {}: {}.", path, std::strerror(errno)));
  std::vector<std::string> words;
  for (std::string line; std::getline(file, line);) words.push_back(without_blanks(line));
  while (!words.empty() && words.back().empty()) words.pop_back();
  if (words.size() != rows)
    throw Error(fmt::format(
        "{} has {} lines, but there are {} rows: a fold file has one word per row (rows of weight 0 are not counted).",
        path, words.size(), rows));
  bool numbers = true;
  std::map<std::string, std::uint32_t> fold_of;
  for (std::size_t i = 0; i < rows; ++i) {
    if (words[i].empty() || words[i].find_first_of(" \t,") != std::string::npos)
      throw ParseError(path, i + 1, 1,
                       "a line of a fold file is one word: the fold of the row, or - to only train on it.");
    if (words[i] == "-") continue;
    fold_of.emplace(words[i], 0);
    numbers = numbers && number_in(words[i]);
  }
  std::vector<std::string> order;
  for (const auto& one : fold_of) order.push_back(one.first);
  if (numbers)
    std::stable_sort(order.begin(), order.end(),
                     [](const std::string& a, const std::string& b) { return *number_in(a) < *number_in(b); });
  if (order.size() < 2)
    throw Error(fmt::format("{} has {} fold{}: cross-validation needs two or more.", path, order.size(),
                            order.size() == 1 ? "" : "s"));
  for (std::size_t k = 0; k < order.size(); ++k) fold_of[order[k]] = static_cast<std::uint32_t>(k);
  Folds folds{order.size(), std::vector<std::uint32_t>(rows), forward};
  for (std::size_t i = 0; i < rows; ++i) folds.of_row[i] = words[i] == "-" ? Folds::never : fold_of[words[i]];
  return folds;
}

}  // namespace seesaw
