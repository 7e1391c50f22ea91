// The door for data: a path (or "-" for standard input), plain or compressed, LIBSVM text, CSV or a .ssw cache.
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
  // The number of features expected. Fewer are filled up with zeros (in CSV they are an error), more are an error.
  std::optional<std::size_t> width = {};
  std::string width_of = {};  // who expects it, for the message: "the model m.model"
  Precision precision = Precision::exact;
};

// Who expects options.width, for messages.
inline std::string expecting(const ReadOptions& options) {
  return options.width_of.empty() ? "what is expected" : options.width_of;
}

// Throws ParseError or Error with one sentence; nothing else escapes but std::bad_alloc.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// One weight a row, blank-separated numbers >= 0 (any compression). Rows of weight 0 are left out of the result:
// they are the same as no row.
Dataset with_weights(Dataset data, const std::string& path);

}  // namespace seesaw
