// Immutable rows with their labels and weights. Independent of losses: labels are the numbers given in the file.
//
// Several processes (base/ranks.h): rows, labels and weights are those of this rank; d, nnz, leaves and the text fields are
// those of the whole, the same on all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "data/rows.h"

namespace seesaw {

struct Dataset {
  Rows rows;
  std::vector<double> labels;
  std::vector<double> weights = {};             // s_i > 0; empty if all are 1
  std::size_t nnz = 0;                          // entries given by the file, explicit zeros included
  std::vector<std::string> feature_names = {};  // from a CSV header; otherwise empty
  bool labelled = true;                         // false: rows to predict, given without labels; all labels are 0 then
  // Every row gives all d values (CSV, arrays in memory): data with fewer features than a model is refused, not padded.
  bool fixed_width = false;
  std::string source = {};        // the file, for messages
  std::string label_column = {};  // CSV: the column of the labels, for messages: "column 2 'price'"; otherwise empty

  std::size_t n() const { return labels.size(); }
  std::size_t all_rows() const { return leaves().all_rows(); }  // of all processes
  std::size_t d() const {
    return std::visit([](const auto& r) { return r.width(); }, rows);
  }
  std::size_t bytes() const {
    return std::visit([](const auto& r) { return r.bytes(); }, rows);
  }
  const Leaves& leaves() const { return leaves_of(rows); }
  bool dense() const { return rows.index() >= 2; }
  bool single_precision() const { return rows.index() % 2 == 1; }
};

// The distinct label values of all processes in ascending order, each with its count. Counting stops after `most` distinct
// values: a result of more than `most` entries indicates a regression target.
struct LabelCount {
  double label;
  std::size_t count;
};
std::vector<LabelCount> count_labels(const Dataset& data, std::size_t most = 1000);

// A hash of the parsed data: every nonzero entry with its row and column, labels, weights. Equal for sparse and dense
// storage, with and without explicit zeros, and for float storage if that is exact.
// It is a tree of its own: one leaf per hash_leaf_rows rows, and the hash of the number of rows and all leaves, in order. Parts of
// the data that begin at a multiple of hash_leaf_rows can be hashed apart; their leaves, concatenated, are those of the
// whole. The same for any number of threads. Models store the value: leaves and tree must never change.
std::uint64_t content_hash(const Dataset& data);
inline constexpr std::size_t hash_leaf_rows = 256;
std::vector<std::uint64_t> leaf_hashes(const Dataset& data);
std::vector<std::uint64_t> leaf_hashes(const Dataset& data, std::size_t first,
                                       std::size_t last);  // of a range of leaves
std::uint64_t join_leaves(std::size_t rows, std::span<const std::uint64_t> leaves);

// Squared Euclidean norms |a_i|^2.
std::vector<double> squared_row_norms(const Dataset& data);

// z = A x and v = A^T y, in parallel, bitwise identical for any number of threads: v is summed along the tree of the
// leaves. x and v have `outputs` numbers per column of A, z and y `outputs` per row: x[j outputs + k].
// then(begin, end): called for each part of z, when it is computed.
void multiply(const Rows& rows, const double* x, double* z, std::size_t outputs = 1);
void multiply_then(const Rows& rows, const double* x, double* z, std::size_t outputs,
                   FunctionRef<void(std::size_t, std::size_t)> then);
void multiply_transposed(const Rows& rows, const double* y, double* v, std::size_t outputs = 1);

}  // namespace seesaw
