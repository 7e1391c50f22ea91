#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "data/readers/numbers.h"
#include "data/readers/parse_blocks.h"
#include "data/readers/read.h"
#include "data/select_rows.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

struct WeightsPart {
  Buffer<double> weights;
  std::size_t lines = 0;
};

void parse_weights(const Block& block, WeightsPart& part) {
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
                             in_quotes({p, static_cast<std::size_t>(token_end - p)}))};
    }
    part.weights.push_back(weight);
    p = after;
  }
  part.lines = line - 1;
}

}  // namespace

std::vector<double> read_weights(const std::string& path) {
  TextBlocks blocks(path, "a file with one weight per row");
  std::vector<double> weights;
  parse_blocks<WeightsPart>(blocks, parse_weights, [&](const WeightsPart& part) {
    weights.insert(weights.end(), part.weights.begin(), part.weights.end());
  });
  return weights;
}

Dataset with_weights(Dataset data, const std::string& path) {
  std::vector<double> weights = read_weights(path);
  if (weights.size() != data.n())
    throw Error(fmt::format("{}: has {} for the {} of {}; give one per row.", path, counted(weights.size(), "weight"),
                            counted(data.n(), "row"), data.source));
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0; }))
    throw Error(fmt::format("{}: all weights are 0; give at least one row a weight > 0.", path));
  return with_row_weights(std::move(data), std::move(weights));
}

}  // namespace seesaw
