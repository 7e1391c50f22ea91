#include "data/readers/targets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "data/hash_stream.h"
#include "data/readers/numbers.h"
#include "data/readers/parse_blocks.h"
#include "data/select_columns.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

struct TargetsPart {
  std::vector<double> numbers;
  std::vector<std::pair<std::size_t, std::size_t>>
      rows;  // the line of each row in the block, and how many numbers it has
  std::size_t lines = 0;
};

bool separates(char c) { return is_blank(c) || c == ','; }

void parse_targets(const Block& block, TargetsPart& part) {
  part.numbers.clear();
  part.rows.clear();
  std::size_t line = 1, in_line = 0;
  const char* line_begin = block.text.data();
  const char* const end = block.text.data() + block.text.size();
  for (const char* p = line_begin; p < end;) {
    while (separates(*p)) ++p;
    if (*p == '#') p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (*p == '\n') {
      if (in_line > 0) part.rows.emplace_back(line, in_line);
      in_line = 0;
      line_begin = ++p;
      ++line;
      continue;
    }
    double value = 0;
    const char* after = read_any_number(p, end, value);
    if (after == nullptr || !(separates(*after) || *after == '\n' || *after == '#') || !std::isfinite(value)) {
      const char* token_end = p;
      while (!separates(*token_end) && *token_end != '\n') ++token_end;
      throw Flaw{
          line, static_cast<std::size_t>(p - line_begin) + 1,
          fmt::format("the target {} is not a finite number; give one line per row, with as many numbers as there "
                      "are targets.",
                      in_quotes({p, static_cast<std::size_t>(token_end - p)}))};
    }
    part.numbers.push_back(value);
    ++in_line;
    p = after;
  }
  part.lines = line - 1;
}

std::size_t column_named(const Dataset& data, const std::string& name) {
  const auto& names = data.feature_names;
  if (const auto at = std::find(names.begin(), names.end(), name); at != names.end())
    return static_cast<std::size_t>(at - names.begin());
  std::size_t number = 0;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (name.empty() || code != std::errc() || end != name.data() + name.size() || number < 1 || number > data.d())
    throw Error(fmt::format("{} has no column {}; `label_column` has names, or numbers from 1 to {}.", data.source,
                            in_quotes(name), data.d()));
  return number - 1;
}

}  // namespace

std::vector<double> Targets::column(std::size_t k) const {
  std::vector<double> one(rows());
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = numbers[i * count + k];
  return one;
}

Targets read_targets(const std::string& path) {
  TextBlocks blocks(path, "a file with the targets of a row in each line");
  Targets targets;
  std::size_t lines = 0;
  parse_blocks<TargetsPart>(blocks, parse_targets, [&](const TargetsPart& part) {
    for (const auto& [line, in_line] : part.rows) {
      if (targets.count == 0) targets.count = in_line;
      if (in_line != targets.count)
        throw ParseError(path, lines + line, 1,
                         fmt::format("this line has {}, and the first one {}; give the same number in each.",
                                     counted(in_line, "target"), targets.count));
    }
    lines += part.lines;
    targets.numbers.insert(targets.numbers.end(), part.numbers.begin(), part.numbers.end());
  });
  return targets;
}

void require_rows(const Targets& targets, const Dataset& data, const std::string& path) {
  if (targets.rows() != data.n())
    throw Error(fmt::format("{}: has {} with targets for the {} of {}; give one line per row.", path,
                            counted(targets.rows(), "line"), counted(data.n(), "row"), data.source));
}

Targets with_positive_weights(const Targets& targets, const std::vector<double>& weights) {
  Targets kept{targets.count, {}};
  for (std::size_t at = 0; at < targets.numbers.size(); ++at)
    if (weights[at / targets.count] > 0) kept.numbers.push_back(targets.numbers[at]);
  return kept;
}

Dataset with_labels(Dataset data, std::vector<double> labels) {
  data.labels = std::move(labels);
  data.labelled = true;
  return data;
}

std::uint64_t content_hash(const Dataset& data, const Targets& targets) {
  HashStream stream;
  stream.put(content_hash(with_labels(data, std::vector<double>(data.n()))));
  stream.put(std::uint64_t{targets.count});
  for (const double number : targets.numbers) stream.put(number + 0.0);  // -0 is 0
  return stream.digest();
}

std::pair<Dataset, Targets> split_targets(Dataset data, const std::vector<std::string>& names) {
  std::vector<std::size_t> place(data.d(), names.size());  // of each column among the targets
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::size_t j = column_named(data, names[k]);
    if (place[j] < names.size())
      throw Error(
          fmt::format("{}: column {} is named twice among the label columns.", data.source, in_quotes(names[k])));
    place[j] = k;
    shown.push_back(data.feature_names.empty() ? fmt::format("{}", j + 1)
                                               : fmt::format("{} {}", j + 1, in_quotes(data.feature_names[j])));
  }
  if (names.size() == data.d())
    throw Error(fmt::format("{}: all columns are label columns; there are no features.", data.source));
  Targets targets{names.size(), std::vector<double>(data.n() * names.size())};
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i)
          for_each(rows.row(i), [&](std::size_t j, double value) {
            if (place[j] < names.size()) targets.numbers[i * names.size() + place[j]] = value;
          });
      },
      data.rows);
  std::vector<std::uint32_t> features;
  std::vector<std::string> feature_names;
  for (std::size_t j = 0; j < place.size(); ++j) {
    if (place[j] < names.size()) continue;
    features.push_back(static_cast<std::uint32_t>(j));
    if (!data.feature_names.empty()) feature_names.push_back(data.feature_names[j]);
  }
  data.rows = select_columns(data.rows, features);
  data.nnz = entries_of(data.rows);
  data.feature_names = std::move(feature_names);
  data.label_column = fmt::format("columns {}", fmt::join(shown, ", "));
  return {std::move(data), std::move(targets)};
}

}  // namespace seesaw
