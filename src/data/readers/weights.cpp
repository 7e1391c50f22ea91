#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "data/own_rows.h"
#include "data/readers/numbers.h"
#include "data/readers/parse_blocks.h"
#include "data/readers/read.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

struct Part {
  Buffer<double> weights;
  std::size_t lines = 0;
};

void parse_weights(const Block& block, Part& part) {
  part.weights.clear();
  std::size_t line = 1;
  const char* line_begin = block.text.data();
  const char* const end = block.text.data() + block.text.size();
  for (const char* p = line_begin; p < end;) {
    p = skip_blanks(p);
    if (*p == '#') p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (*p == '\n') {
      line_begin = ++p;
      ++line;
      continue;
    }
    double weight = 0;
    const char* after = read_any_number(p, end, weight);
    if (after == nullptr || !(is_blank(*after) || *after == '\n' || *after == '#') || !std::isfinite(weight) ||
        weight < 0) {
      const char* token_end = p;
      while (!is_blank(*token_end) && *token_end != '\n') ++token_end;
      throw Flaw{line, static_cast<std::size_t>(p - line_begin) + 1,
                 fmt::format("the weight {} is not a number >= 0; give one such number per row.",
                             quoted({p, static_cast<std::size_t>(token_end - p)}))};
    }
    part.weights.push_back(weight);
    p = after;
  }
  part.lines = line - 1;
}

std::vector<double> read_weights(const std::string& path) {
  TextBlocks blocks(path, "a file with one weight per row");
  std::vector<double> weights;
  parse_blocks<Part>(blocks, parse_weights, [&](const Part& part) {
    weights.insert(weights.end(), part.weights.begin(), part.weights.end());
  });
  return weights;
}

// A copy of the rows of positive weight.
template <class Value>
SparseRows<Value> keep(const SparseRows<Value>& rows, const std::vector<double>& weights) {
  Buffer<std::uint64_t> offsets;
  Buffer<std::uint32_t> columns;
  Buffer<Value> values;
  offsets.push_back(0);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    if (weights[i] == 0) continue;
    const auto row = rows.row(i);
    columns.append({row.column, row.size});
    values.append({row.value, row.size});
    offsets.push_back(values.size());
  }
  return own_sparse_rows(rows.width(), std::move(offsets), std::move(columns), std::move(values));
}

template <class Value>
DenseRows<Value> keep(const DenseRows<Value>& rows, const std::vector<double>& weights) {
  Buffer<Value> values;
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    if (weights[i] == 0) continue;
    values.append({rows.row(i).value, rows.width()});
    ++count;
  }
  return own_dense_rows(count, rows.width(), std::move(values));
}

// Stored entries; of dense rows the nonzero ones, since explicit zeros of the file are not recorded there.
template <class Value>
std::size_t count_entries(const SparseRows<Value>& rows) {
  return rows.entries();
}
template <class Value>
std::size_t count_entries(const DenseRows<Value>& rows) {
  return static_cast<std::size_t>(
      std::count_if(rows.values().begin(), rows.values().end(), [](Value value) { return value != 0; }));
}

}  // namespace

Dataset with_weights(Dataset data, const std::string& path) {
  std::vector<double> weights = read_weights(path);
  if (weights.size() != data.n())
    throw Error(fmt::format("{}: has {} for the {} of {}; give one per row.", path, counted(weights.size(), "weight"),
                            counted(data.n(), "row"), data.source));
  const auto zeros = static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0.0));
  if (zeros == weights.size())
    throw Error(fmt::format("{}: all weights are 0; give at least one row a weight > 0.", path));
  if (zeros > 0) {
    data.rows = std::visit([&](const auto& rows) { return Rows(keep(rows, weights)); }, data.rows);
    data.nnz = std::visit([](const auto& rows) { return count_entries(rows); }, data.rows);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] > 0) data.labels[kept++] = data.labels[i];
    data.labels.resize(kept);
    std::erase(weights, 0.0);
  }
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 1; })) weights.clear();
  data.weights = std::move(weights);
  return data;
}

}  // namespace seesaw
