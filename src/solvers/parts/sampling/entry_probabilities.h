// Probabilities of rows, columns and entries for steps on single entries, and the norms they are computed from. The free
// intercept is an additional last column with the entry t in every row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/problem.h"
#include "sampling/alias_table.h"

namespace seesaw {

struct EntryFacts {
  explicit EntryFacts(const Problem& problem);

  double bias_entry = 0;                      // t; 0 without a free intercept
  std::vector<std::uint32_t> rows, columns;   // those with a nonzero entry
  std::vector<double> row_size, column_size;  // entries stored
  std::vector<double> row_norm, column_norm;  // of the entries sqrt(n c_i) a_ij
  double entries = 0;                         // total number stored

  double n() const { return static_cast<double>(rows.size()); }
  double d() const { return static_cast<double>(columns.size()); }
};

enum class EntrySampling {
  nonzeros,  // (i, j) uniformly among the stored entries, i' among those of column j, j' among those of row i
  norms,     // i, i' ~ p and j, j' ~ q: a fraction delta by the norms of rows and columns, the rest uniform
  uniform,   // i, i', j, j' uniformly
  adaptive,  // as norms, with scores set by follow() instead of norms; uniform before that
};

class EntryProbabilities {
 public:
  EntryProbabilities(const EntryFacts& facts, EntrySampling sampling, double delta);

  double delta() const { return delta_; }
  void set_delta(double delta);  // of norms at once, of scores with the next follow()

  // Sets p and q: a fraction delta in proportion to the scores (one per row, one per column), the rest uniform.
  void follow(std::span<const double> row_scores, std::span<const double> column_scores);

  double row(std::size_t i) const { return p_[i]; }     // p_i; 0 for an empty row
  double column(std::size_t j) const { return q_[j]; }  // q_j
  double entry(std::size_t i, std::size_t j) const {    // P(i, j) = p_i P(j|i) = q_j P(i|j)
    return nonzeros_ ? 1 / facts_.entries : p_[i] * q_[j];
  }
  // 1/P(i|j) = row_weight(i) column_spread(j), and 1/P(j|i) = column_weight(j) row_spread(i).
  double row_weight(std::size_t i) const { return nonzeros_ ? 1 : 1 / p_[i]; }
  double row_spread(std::size_t i) const { return nonzeros_ ? facts_.row_size[i] : 1; }
  double column_weight(std::size_t j) const { return nonzeros_ ? 1 : 1 / q_[j]; }
  double column_spread(std::size_t j) const { return nonzeros_ ? facts_.column_size[j] : 1; }

  std::uint32_t draw_row(std::uint64_t word) const { return row_table_.draw(word); }
  std::uint32_t draw_column(std::uint64_t word) const { return column_table_.draw(word); }

 private:
  struct Mixture {
    std::span<const std::uint32_t> indices;
    std::span<const double> scores;
    double delta;
  };
  void build_static();  // without scores
  void build(const Mixture& mixture, std::vector<double>& probability, AliasTable& table);

  const EntryFacts& facts_;
  EntrySampling sampling_;
  bool nonzeros_;
  double delta_;
  std::vector<double> p_, q_;
  AliasTable row_table_, column_table_;
  std::vector<double> listed_;
};

// E and F of engines/single_entry.h: feedback of a step on itself for tau sigma = 1.
struct EntryFeedback {
  double once = 0;   // the largest c_i a_ij^2/P(i, j)^2 over n d^2
  double noise = 0;  // the largest sum of c_i a_ij^2/P(i, j) of a row or a column, over n d^2
};
EntryFeedback feedback_of(const Problem& problem, const EntryFacts& facts, const EntryProbabilities& probabilities);

}  // namespace seesaw
