#include "data/readers/pairs.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include "data/readers/numbers.h"
#include "data/readers/parse_blocks.h"
#include "data/rows_builder.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::size_t most_pairs = 100'000'000;

struct PairsPart {
  Groups groups;
  std::size_t lines = 0;
};

bool ends_token(char c) { return is_blank(c) || c == '\n' || c == '#'; }

std::string_view token_at(const char* p) {
  const char* end = p;
  while (!ends_token(*end)) ++end;
  return {p, static_cast<std::size_t>(end - p)};
}

// Calls of_token(token) for the tokens of a line until it returns false, and end_of_line(line) for lines that have any. The
// text ends with a line end.
template <class OfToken, class EndOfLine>
void for_each_line(const Block& block, PairsPart& part, const OfToken& of_token, const EndOfLine& end_of_line) {
  part.groups.clear();
  std::size_t line = 1;
  const char* const end = block.text.data() + block.text.size();
  for (const char* p = block.text.data(); p < end; ++p, ++line) {
    const char* const begin = p;
    std::size_t tokens = 0;
    for (p = skip_blanks(p); *p != '\n' && *p != '#';) {
      const std::string_view token = token_at(p);
      if (!of_token(token, tokens++, Flaw{line, static_cast<std::size_t>(p - begin) + 1, ""})) break;
      p = skip_blanks(p + token.size());
    }
    if (tokens > 0) end_of_line(tokens, Flaw{line, 1, ""});
    p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
  }
  part.lines = line - 1;
}

std::int64_t whole_number(std::string_view token, Flaw at) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (token.empty() || code != std::errc() || end != token.data() + token.size()) {
    at.what =
        fmt::format("the group {} is not a whole number; give one such number per row.", in_quotes(std::string(token)));
    throw at;
  }
  return value;
}

void parse_groups(const Block& block, PairsPart& part) {
  for_each_line(
      block, part,
      [&](std::string_view token, std::size_t, const Flaw& at) {
        part.groups.push_back(whole_number(token, at));
        return true;
      },
      [](std::size_t, const Flaw&) {});
}

void parse_qids(const Block& block, PairsPart& part) {
  constexpr std::string_view key = "qid:";
  for_each_line(
      block, part,
      [&](std::string_view token, std::size_t number, Flaw at) {
        if (number == 0) return true;  // the label
        if (!token.starts_with(key)) {
          at.what = "this row has no qid after its label; write qid:NUMBER there, or give a file with a group per row.";
          throw at;
        }
        part.groups.push_back(whole_number(token.substr(key.size()), at));
        return false;
      },
      [](std::size_t tokens, Flaw at) {
        if (tokens >= 2) return;
        at.what = "this row has no qid after its label; write qid:NUMBER there, or give a file with a group per row.";
        throw at;
      });
}

template <class Parse>
Groups read(const std::string& path, const char* what, const Parse& parse) {
  TextBlocks blocks(path, what);
  Groups groups;
  parse_blocks<PairsPart>(blocks, parse, [&](const PairsPart& part) {
    groups.insert(groups.end(), part.groups.begin(), part.groups.end());
  });
  return groups;
}

// a - b
void subtract(const RowEntries& a, const RowEntries& b, RowEntries& result) {
  result.columns.clear();
  result.values.clear();
  const auto put = [&](std::uint32_t column, double value) {
    if (value == 0) return;
    result.columns.push_back(column);
    result.values.push_back(value);
  };
  std::size_t k = 0, l = 0;
  while (k < a.columns.size() || l < b.columns.size()) {
    if (l == b.columns.size() || (k < a.columns.size() && a.columns[k] < b.columns[l])) {
      put(a.columns[k], a.values[k]);
      ++k;
    } else if (k == a.columns.size() || b.columns[l] < a.columns[k]) {
      put(b.columns[l], -b.values[l]);
      ++l;
    } else {
      put(a.columns[k], a.values[k] - b.values[l]);
      ++k;
      ++l;
    }
  }
}

std::vector<std::vector<std::size_t>> rows_of_groups(const Groups& groups) {
  std::map<std::int64_t, std::size_t> place;
  std::vector<std::vector<std::size_t>> rows;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto [at, added] = place.try_emplace(groups[i], rows.size());
    if (added) rows.emplace_back();
    rows[at->second].push_back(i);
  }
  return rows;
}

}  // namespace

Groups read_groups(const std::string& path) { return read(path, "a file with one group per row", parse_groups); }
Groups read_qids(const std::string& path) { return read(path, "LIBSVM text with qid", parse_qids); }

Dataset pair_rows(const Dataset& data, const Groups& groups) {
  if (groups.size() != data.n())
    throw Error(fmt::format("there are {} for the {} of {}; give one per row.", counted(groups.size(), "group number"),
                            counted(data.n(), "row"), data.source));
  if (!data.weights.empty()) throw Error("pairs of rows have no weights; leave them out.");
  RowsBuilder builder;
  Dataset result = data;
  result.labels.clear();
  RowEntries first, second, difference;
  std::visit(
      [&](const auto& rows) {
        for (const std::vector<std::size_t>& group : rows_of_groups(groups))
          for (std::size_t k = 0; k < group.size(); ++k) {
            first.take(rows.row(group[k]));
            for (std::size_t l = k + 1; l < group.size(); ++l) {
              const double higher = data.labels[group[k]] - data.labels[group[l]];
              if (higher == 0) continue;
              if (result.labels.size() == most_pairs)
                throw Error(
                    fmt::format("{} has more than {} pairs of rows; use smaller groups.", data.source, most_pairs));
              second.take(rows.row(group[l]));
              const bool swapped = result.labels.size() % 2 == 1;
              subtract(swapped ? second : first, swapped ? first : second, difference);
              builder.add_row(difference);
              result.labels.push_back((higher > 0) != swapped ? 1 : -1);
            }
          }
      },
      data.rows);
  if (result.labels.empty())
    throw Error(fmt::format("{}: no two rows of a group have different labels, so there are no pairs.", data.source));
  result.nnz = builder.entries();
  result.rows = std::move(builder).finish(data.d(), Precision::exact);
  return result;
}

}  // namespace seesaw
