// What the generators share. The same seed gives the same bits on every machine, so values come only from operations
// that IEEE 754 rounds in one way (+ - * / sqrt); log and exp of the system do not. The files that include this one are
// compiled with -ffp-contract=off (see CMakeLists.txt), for a fused a * b + c rounds otherwise than the two operations.
// For the same reason they share no arithmetic with the rest (rows.h): the linker keeps one copy of an inline function.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/rng.h"
#include "data/rows_builder.h"
#include "data/synthetic.h"

namespace seesaw::synthetic {

// The streams of one seed: true weights and rows do not disturb each other, so more rows begin with the same rows.
inline Rng truth_rng(const SynthOptions& options) { return Rng(options.seed, 1); }
inline Rng row_rng(const SynthOptions& options) { return Rng(options.seed, 0); }

// The options with the generator's defaults where nothing was given; throws InvalidOption for what makes no sense.
SynthOptions settled(SynthOptions options, std::size_t n, std::size_t d, double noise);
void require(bool holds, const std::string& option, double value, const std::string& allowed);

// Standard normal, by ratio of uniforms (Knuth 3.4.1 R): the value is a quotient, log only decides on acceptance.
double normal(Rng& rng);
std::vector<double> normals(Rng& rng, std::size_t count);

double exponential(double exponent);

// How many scores a row has: one, or one for each of more than two classes. options: settled.
inline std::size_t scores_of(const SynthOptions& options) { return options.classes > 2 ? options.classes : 1; }

// Collects rows and turns scores into labels: the score itself, its sign, or the class with the largest one.
class LabelledRows {
 public:
  explicit LabelledRows(const SynthOptions& options);  // settled
  void add(std::span<const std::uint32_t> columns, std::span<const double> values, std::span<const double> scores);
  void add(std::span<const double> values, std::span<const double> scores);  // one value a column
  Dataset finish(const std::string& generator) &&;

 private:
  SynthOptions options_;
  RowsBuilder rows_;
  std::vector<double> labels_;
  std::vector<std::uint32_t> all_columns_;
};

}  // namespace seesaw::synthetic
