// Immutable rows with their labels and weights. Knows nothing of losses: labels are numbers as they stood in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/rows.h"

namespace seesaw {

struct Dataset {
  Rows rows;
  std::vector<double> labels;
  std::vector<double> weights = {};             // s_i > 0; empty where all are 1
  std::size_t nnz = 0;                          // entries given by the file, explicit zeros included
  std::vector<std::string> feature_names = {};  // from a CSV header; otherwise empty
  bool labelled = true;  // false: rows to predict that came without labels; all labels are 0 then
  // Every row gives all d values (CSV, arrays in memory): data narrower than a model is refused, not filled up.
  bool fixed_width = false;
  std::string source = {};        // the file, for messages
  std::string label_column = {};  // CSV: where the labels come from, for messages: "column 2 'price'"; otherwise empty

  std::size_t n() const { return labels.size(); }
  std::size_t d() const {
    return std::visit([](const auto& r) { return r.width(); }, rows);
  }
  std::size_t bytes() const {
    return std::visit([](const auto& r) { return r.bytes(); }, rows);
  }
  bool dense() const { return rows.index() >= 2; }
  bool single_precision() const { return rows.index() % 2 == 1; }
};

// The label values in ascending order with how often each occurs; stops looking after `most` different ones, so a
// result of more than `most` entries means "many": a regression target.
struct LabelCount {
  double label;
  std::size_t count;
};
std::vector<LabelCount> count_labels(const Dataset& data, std::size_t most = 1000);

// A hash of what was parsed: every non-zero entry with its place, labels, weights. The same for sparse and dense
// storage, with and without explicit zeros, and for float storage where that is exact.
std::uint64_t content_hash(const Dataset& data);

// Squared Euclidean norms |a_i|^2.
std::vector<double> squared_row_norms(const Dataset& data);

// z = A x and v = A^T y, in parallel, the same bits for any number of threads. With several outputs x holds that many
// numbers a column of A and z, y a row: x[j outputs + k].
void multiply(const Rows& rows, const double* x, double* z, std::size_t outputs = 1);
void multiply_transposed(const Rows& rows, const double* y, double* v, std::size_t outputs = 1);

}  // namespace seesaw
