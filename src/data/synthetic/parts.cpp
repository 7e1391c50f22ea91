#include "data/synthetic/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/elementary.h"
#include "seesaw/error.h"

namespace seesaw::synthetic {

void require(bool holds, const std::string& option, double value, const std::string& allowed) {
  if (!holds) throw InvalidOption(option, fmt::format("{}", value), allowed);
}

SynthOptions with_defaults(SynthOptions options, std::size_t n, std::size_t d, double noise) {
  if (options.n == 0) options.n = n;
  if (options.d == 0) options.d = d;
  if (options.noise < 0) options.noise = noise;
  require(options.d < std::numeric_limits<std::uint32_t>::max(), "The number of features",
          static_cast<double>(options.d), "it is below 2^32 - 1");
  require(options.classes >= 2 && options.classes <= 1000, "classes", static_cast<double>(options.classes),
          "it is between 2 and 1000");
  require(options.classes == 2 || options.task == Task::classification, "classes", static_cast<double>(options.classes),
          "`task` regression has no classes; leave one of them out");
  require(std::isfinite(options.noise), "noise", options.noise, "it is a finite number");
  return options;
}

double normal(Rng& rng) {
  for (;;) {
    const double u = 1 - rng.uniform();                               // never 0
    const double x = 1.7155277699214135 * (rng.uniform() - 0.5) / u;  // sqrt(8/e)
    const double square = x * x;
    if (square <= 5 - 5.136101666750966 * u) return x;  // quick acceptance; 4 exp(1/4)
    if (square < 1.4 + 1.036961042583566 / u            // quick rejection; 4 exp(-1.35)
        && square <= -4 * log_of(u))
      return x;
  }
}

std::vector<double> normals(Rng& rng, std::size_t count) {
  std::vector<double> result(count);
  for (double& value : result) value = normal(rng);
  return result;
}

// exp(x) = 2^k exp(r) with |r| <= ln(2)/2, and the series of exp(r) by Horner.
double exponential(double exponent) {
  const double k = std::nearbyint(exponent / std::numbers::ln2);
  const double r = exponent - k * std::numbers::ln2;
  double series = 1;
  for (int term = 16; term > 0; --term) series = 1 + r * series / term;
  return std::ldexp(series, static_cast<int>(k));
}

LabelledRows::LabelledRows(const SynthOptions& options) : options_(options) { labels_.reserve(options.n); }

void LabelledRows::add_label() {
  double label = scores_[0];
  if (scores_.size() > 1)
    label = static_cast<double>(std::max_element(scores_.begin(), scores_.end()) - scores_.begin() + 1);
  else if (options_.task == Task::classification) label = label < 0 ? -1 : 1;
  labels_.push_back(label);
}

void LabelledRows::add_linear(std::span<const std::uint32_t> columns, std::span<const double> values,
                              std::span<const double> x, Rng& rng) {
  scores_.resize(scores_of(options_));
  for (std::size_t k = 0; k < scores_.size(); ++k) {
    scores_[k] = 0;
    for (std::size_t e = 0; e < values.size(); ++e) scores_[k] += values[e] * x[k * options_.d + columns[e]];
    scores_[k] += options_.noise * normal(rng);
  }
  rows_.add_row(columns, values);
  add_label();
}

void LabelledRows::add_linear(std::span<const double> values, std::span<const double> x, Rng& rng) {
  if (all_columns_.empty()) {
    all_columns_.resize(options_.d);
    std::iota(all_columns_.begin(), all_columns_.end(), 0U);
  }
  add_linear(all_columns_, values, x, rng);
}

Dataset LabelledRows::finish(const std::string& generator) && {
  const std::size_t nnz = rows_.entries();
  Dataset data{.rows = std::move(rows_).finish(options_.d, Precision::exact), .labels = std::move(labels_)};
  data.nnz = nnz;
  data.source = "generator " + generator;
  return data;
}

}  // namespace seesaw::synthetic
