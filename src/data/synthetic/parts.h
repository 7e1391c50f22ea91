// Common parts of the generators. The same seed gives the same bits on every machine, so values are computed only by
// operations that IEEE 754 rounds correctly (+ - * / sqrt), not by the system's log and exp. The files that include
// this one are compiled with -ffp-contract=off (see CMakeLists.txt), because a fused a * b + c rounds differently.
// For the same reason they share no inline arithmetic with other files (rows.h): the linker keeps one copy of an inline
// function.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/rng.h"
#include "data/rows_builder.h"
#include "data/synthetic.h"

namespace seesaw::synthetic {

// Two streams of one seed, for true weights and rows: the first n rows do not depend on the number of rows.
inline Rng truth_rng(const SynthOptions& options) { return Rng(options.seed, 1); }
inline Rng row_rng(const SynthOptions& options) { return Rng(options.seed, 0); }

// The options with the generator's defaults for values not given; throws InvalidOption for invalid values.
SynthOptions with_defaults(SynthOptions options, std::size_t n, std::size_t d, double noise);
void require(bool holds, const std::string& option, double value, const std::string& allowed);

// Standard normal, by ratio of uniforms (Knuth 3.4.1 R): the value is a quotient, log only decides on acceptance.
double normal(Rng& rng);
std::vector<double> normals(Rng& rng, std::size_t count);

double exponential(double exponent);

// Scores per row: one, or one per class if there are more than two. Precondition: options from with_defaults.
inline std::size_t scores_of(const SynthOptions& options) { return options.classes > 2 ? options.classes : 1; }

// Collects rows and converts scores to labels: the score itself, its sign, or the class of the largest score.
class LabelledRows {
 public:
  explicit LabelledRows(const SynthOptions& options);  // from with_defaults
  // With the scores a.x + noise N(0, 1), x having the weights of one score after another.
  void add_linear(std::span<const std::uint32_t> columns, std::span<const double> values, std::span<const double> x,
                  Rng& rng);
  void add_linear(std::span<const double> values, std::span<const double> x, Rng& rng);  // one value per column
  Dataset finish(const std::string& generator) &&;

 private:
  void add_label();  // of scores_

  SynthOptions options_;
  RowsBuilder rows_;
  std::vector<double> labels_, scores_;
  std::vector<std::uint32_t> all_columns_;
};

}  // namespace seesaw::synthetic
