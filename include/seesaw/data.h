// Rows, labels and weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "seesaw/read_options.h"

namespace seesaw {

// Arrays in memory; a span or a vector of one of these element types converts to them.
using IndexArray = std::variant<std::span<const std::uint64_t>, std::span<const std::int64_t>,
                                std::span<const std::uint32_t>, std::span<const std::int32_t>>;
using ValueArray = std::variant<std::span<const double>, std::span<const float>>;

// Compressed sparse rows: offsets has n + 1 entries, from 0 to the number of values; columns count from 0 and increase
// strictly within each row.
struct SparseArrays {
  std::size_t features = 0;
  IndexArray offsets = {};
  IndexArray columns = {};
  ValueArray values = {};
};

// Row-major, contiguous: rows x features values.
struct DenseArrays {
  std::size_t rows = 0, features = 0;
  ValueArray values = {};
};

// Labels and weights are always copied. Without labels the data can be predicted, not trained on. Without weights every
// row has weight 1; rows of weight 0 are removed, as if they were not there.
struct RowLabels {
  std::span<const double> labels = {};
  std::span<const double> weights = {};
};

struct DataState;

// Immutable; copies share the rows. All members may be called from several threads at once.
class Data {
 public:
  // LIBSVM text, CSV, NumPy files or a .ssw cache, plain or compressed; "-" is standard input. `weights`: a file with one
  // weight >= 0 per row. CSV with text, dates or empty cells is a table: its columns are encoded as options.table says, and
  // models trained on it store the encoding. Throws ParseError, or Error where the file cannot be opened.
  static Data read(const std::string& path, const ReadOptions& options = {}, const std::string& weights = {});

  // The arrays as they are, without a copy of the values. `owner` keeps them alive: it is held as long as any copy of
  // the result; nullptr: the caller guarantees that. Offsets of 32 bits and columns of 64 bits are converted to a copy;
  // where a weight is 0, the other rows are copied. The arrays must not change.
  // Throws ShapeError or InvalidArray; checking costs one pass over the arrays.
  static Data view(const SparseArrays& rows, const RowLabels& labels, std::shared_ptr<const void> owner);
  static Data view(const DenseArrays& rows, const RowLabels& labels, std::shared_ptr<const void> owner);

  // A copy in the storage that is smallest: float where that is exact, sparse or dense.
  static Data copy(const SparseArrays& rows, const RowLabels& labels);
  static Data copy(const DenseArrays& rows, const RowLabels& labels);

  // Writes a cache (.ssw): to a temporary name, then renamed. It has the encoded rows of a table, not its encoding.
  void save(const std::string& path) const;

  // The same rows, shared, with other labels and weights: rows() numbers of each that is given. A table keeps its encoding;
  // the names of its labels stay where the labels do.
  Data with_labels(const RowLabels& labels) const;
  // The same data with names, one per feature, which models store. They do not change the hash. No table any more.
  Data with_feature_names(std::vector<std::string> names) const;

  std::size_t rows() const;
  std::size_t features() const;
  std::size_t entries() const;  // values given, explicit zeros included; of dense arrays: the nonzero values
  std::size_t bytes() const;    // of the stored rows
  const std::vector<double>& labels() const;
  const std::vector<double>& weights() const;             // empty: all 1
  const std::vector<std::string>& feature_names() const;  // of a CSV header, or given; otherwise empty
  bool on_disk() const;                                   // ReadOptions::memory was below what the rows need
  bool is_table() const;
  std::vector<std::string> label_names() const;   // of a table with text labels: label k is the k-th; otherwise empty
  const std::vector<std::string>& notes() const;  // of a table: how its columns are encoded, whole sentences
  // Of values, labels and weights, the same for every storage. Computed once, when first needed.
  std::uint64_t hash() const;

 private:
  friend struct Access;
  explicit Data(std::shared_ptr<const DataState> state) : state_(std::move(state)) {}
  std::shared_ptr<const DataState> state_;
};

}  // namespace seesaw
