// Reads data from a path (or "-" for standard input), plain or compressed: LIBSVM text, CSV or a .ssw cache.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "data/dataset.h"
#include "data/rows_builder.h"

namespace seesaw {

enum class Format { guess, libsvm, csv, cache };

struct ReadOptions {
  Format format = Format::guess;  // the cache by its content, CSV by its name (.csv, .tsv, also .csv.gz), else LIBSVM
  std::size_t index_base = 1;     // LIBSVM: the first feature is 1 (or 0)
  std::string label_column = {};  // CSV: a name, a number from 1, or "none"; empty: the first column
  // The number of features expected. Fewer are padded with zeros (an error in CSV), more are an error.
  std::optional<std::size_t> width = {};
  std::string width_of = {};  // what requires this width, for messages: "the model m.model"
  Precision precision = Precision::exact;
};

// What requires options.width, for messages.
inline std::string expecting(const ReadOptions& options) {
  return options.width_of.empty() ? "what is expected" : options.width_of;
}

// Throws ParseError, Error or std::bad_alloc, nothing else.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// The file has one weight per row: blank-separated numbers >= 0 (any compression). Rows of weight 0 are dropped: they do
// not change the objective.
Dataset with_weights(Dataset data, const std::string& path);

}  // namespace seesaw
