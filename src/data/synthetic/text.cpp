#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/elementary.h"
#include "data/synthetic/generators.h"
#include "data/synthetic/parts.h"

namespace seesaw::synthetic {
namespace {

// Words by rank, the r-th (from 0) with probability proportional to 1 / (r + 10): Zipf's law with Mandelbrot's shift,
// as if the words that occur in every document had been removed.
class Vocabulary {
 public:
  explicit Vocabulary(std::size_t size) : cumulative_(size), first_(size) {
    double sum = 0;
    for (std::size_t rank = 0; rank < size; ++rank) cumulative_[rank] = sum += 1 / (static_cast<double>(rank) + 10);
    total_ = sum;
    for (double& bound : cumulative_) bound /= sum;
    cumulative_.back() = 1;
    std::uint32_t rank = 0;
    for (std::size_t part = 0; part < size; ++part) {
      while (cumulative_[rank] <= static_cast<double>(part) / static_cast<double>(size)) ++rank;
      first_[part] = rank;
    }
  }

  // Inverse transform sampling: the first rank whose cumulative probability exceeds u; the search begins at first_.
  std::uint32_t draw(Rng& rng) const {
    const double u = rng.uniform();
    std::uint32_t rank = first_[static_cast<std::size_t>(u * static_cast<double>(first_.size()))];
    while (cumulative_[rank] <= u) ++rank;
    return rank;
  }

  double probability(std::size_t rank) const { return 1 / (static_cast<double>(rank) + 10) / total_; }

 private:
  std::vector<double> cumulative_;
  std::vector<std::uint32_t> first_;  // per interval of length 1/size of [0, 1): the first rank to test
  double total_ = 0;
};

// To five significant digits; 0 < value <= 1. The power of ten is exact, so the result is the double that is nearest to
// the decimal number and is written with these digits. Hides differences in the last bit of log between machines.
double rounded(double value) {
  double power = 1e5;
  while (value * power < 1e4 && power < 1e20) power *= 10;
  return std::round(value * power) / power;
}

}  // namespace

// Documents: row sizes are log-normal about row_size, words are drawn until there are that many different ones, values
// are (1 + log count) * inverse document frequency, rows have norm 1. One word in ten has a true weight N(0,10), so
// that a.x_true has variance about 1. Frequent words have random columns, as in an alphabetical vocabulary.
Dataset text(const SynthOptions& given) {
  const SynthOptions options = with_defaults(given, 20000, 5000, 0.3);
  require(options.row_size >= 1 && std::isfinite(options.row_size), "row_size", options.row_size,
          "it is a number of at least 1");
  const std::size_t d = options.d;
  const double most =
      std::max(1.0, std::floor(static_cast<double>(d) / 4));  // drawing all rare words would take too long
  const double row_size = std::min(options.row_size, most);

  Rng truth = truth_rng(options);
  std::vector<std::uint32_t> column_of(d);  // by rank
  std::iota(column_of.begin(), column_of.end(), 0U);
  truth.shuffle(std::span(column_of));
  std::vector<double> x_true(d * scores_of(options));
  for (double& weight : x_true)
    if (truth.uniform() < 0.1) weight = std::sqrt(10.0) * normal(truth);
  const Vocabulary words(d);
  std::vector<double> rarity(d);  // by column: the logarithm of the inverse frequency that the law predicts
  for (std::size_t rank = 0; rank < d; ++rank)
    rarity[column_of[rank]] = log_of(1 + 1 / (row_size * words.probability(rank)));

  Rng rng = row_rng(options);
  LabelledRows rows(options);
  std::vector<std::uint32_t> count(d);  // of each word in the current document; zero between documents
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < options.n; ++i) {
    const double length = row_size * exponential(0.5 * normal(rng) - 0.125);  // mean row_size
    const auto size = static_cast<std::size_t>(std::clamp(std::round(length), 1.0, most));
    columns.clear();
    while (columns.size() < size) {
      const std::uint32_t column = column_of[words.draw(rng)];
      if (count[column]++ == 0) columns.push_back(column);
    }
    std::sort(columns.begin(), columns.end());

    values.clear();
    double squared_norm = 0;
    for (const std::uint32_t column : columns) {
      const double value = (1 + log_of(static_cast<double>(count[column]))) * rarity[column];
      values.push_back(value);
      squared_norm += value * value;
      count[column] = 0;
    }
    for (double& value : values) value = rounded(value / std::sqrt(squared_norm));
    rows.add_linear(columns, values, x_true, rng);
  }
  return std::move(rows).finish("text");
}

}  // namespace seesaw::synthetic
