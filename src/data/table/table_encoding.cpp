#include "data/table/table_encoding.h"

#define XXH_INLINE_ALL
#ifdef __AVX2__
#define XXH_VECTOR 2  // XXH_AVX2, as in dataset.cpp
#endif
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "data/readers/numbers.h"

namespace seesaw {

std::size_t ColumnEncoding::features() const {
  switch (kind) {
    case ColumnKind::levels:
      return levels.size() + (rare ? 1 : 0) + (missing ? 1 : 0);
    case ColumnKind::hashed:
      return 0;
    default:
      return indicator ? 2 : 1;
  }
}

std::size_t TableEncoding::features() const {
  return std::accumulate(columns.begin(), columns.end(), static_cast<std::size_t>(hash_size),
                         [](std::size_t sum, const ColumnEncoding& column) { return sum + column.features(); });
}

std::vector<std::string> TableEncoding::feature_names() const {
  std::vector<std::string> names;
  names.reserve(features() - hash_size);
  for (const ColumnEncoding& column : columns) {
    if (column.kind == ColumnKind::hashed) continue;
    if (column.kind == ColumnKind::levels) {
      for (const std::string& level : column.levels) names.push_back(column.name + "=" + level);
      if (column.rare) names.push_back(column.name + " (rare)");
      if (column.missing) names.push_back(column.name + " (missing)");
      continue;
    }
    names.push_back(column.kind == ColumnKind::yes_no ? column.name + "=" + column.levels[1] : column.name);
    if (column.indicator) names.push_back(column.name + " (missing)");
  }
  return names;
}

std::uint64_t hashed_feature(std::string_view column, std::string_view text, std::uint64_t size) {
  std::string key(column);
  key += '\0';
  key += text;
  return XXH3_64bits(key.data(), key.size()) & (size - 1);
}

std::string_view name_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::number:
      return "number";
    case ColumnKind::yes_no:
      return "yes-no";
    case ColumnKind::date:
      return "date";
    case ColumnKind::levels:
      return "levels";
    case ColumnKind::hashed:
      return "hashed";
  }
  return {};
}

namespace {

bool ascending(const std::vector<std::string>& words) {
  return std::adjacent_find(words.begin(), words.end(), std::greater_equal<>()) == words.end();
}

std::string inconsistency_of(const ColumnEncoding& column, std::uint64_t hash_size) {
  if (!std::isfinite(column.fill)) return "the value of empty cells is not finite";
  if (column.kind == ColumnKind::yes_no && column.levels.size() != 2) return "a yes-no column has not two levels";
  if (column.kind == ColumnKind::levels && !ascending(column.levels)) return "the levels are not in ascending order";
  if (column.kind == ColumnKind::hashed && hash_size == 0) return "it is hashed to no features";
  return {};
}

}  // namespace

std::string inconsistency_of(const TableEncoding& encoding) {
  std::unordered_set<std::string_view> names{encoding.label.name};
  for (const ColumnEncoding& column : encoding.columns) {
    if (!names.insert(column.name).second) return fmt::format("column {} occurs twice", in_quotes(column.name));
    if (const std::string wrong = inconsistency_of(column, encoding.hash_size); !wrong.empty())
      return fmt::format("of column {}, {}", in_quotes(column.name), wrong);
  }
  if (!ascending(encoding.label.classes)) return "the classes are not in ascending order";
  if (encoding.label.log && !encoding.label.classes.empty()) return "the label is text and a logarithm";
  if (encoding.hash_size > 0 && (!std::has_single_bit(encoding.hash_size) || encoding.hash_size > largest_hash_size))
    return "the number of hashed features is not a power of two";
  return {};
}

}  // namespace seesaw
