// Reads data from a path (or "-" for standard input), plain or compressed: LIBSVM text, CSV, tables, NumPy arrays or a
// .ssw cache.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/readers/targets.h"
#include "data/rows_builder.h"
#include "data/rows_sink.h"
#include "data/table/table_encoding.h"
#include "seesaw/read_options.h"
#include "seesaw/table_options.h"

namespace seesaw {

// What requires options.width, for messages.
inline std::string expecting(const ReadOptions& options) {
  return options.width_of.empty() ? "what is expected" : options.width_of;
}

// The format given, or the one that the name and the first bytes of the file suggest.
Format format_of(const std::string& path, const ReadOptions& options);

// Throws ParseError, Error or std::bad_alloc, nothing else.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// Data that may be a table: CSV with text, dates or empty cells.
struct LoadedData {
  Dataset data;
  std::optional<TableEncoding> table = {};  // how a table was encoded; CSV of numbers only is no table
  std::vector<std::string> notes = {};      // about the table, a sentence each, for the summary
  std::optional<Targets> targets = {};      // several numbers to predict per row
  bool one_target = false;                  // the labels are numbers of a file of targets
  std::string unknown_label = {};           // of a table: the first label that is not a class of the encoding
};

// As read_dataset, but CSV with text or empty cells, or with table options, is encoded as a table. CSV of numbers without
// options is read as by read_dataset, and the others a second time, which is why text from a pipe is kept in memory.
LoadedData load_data(const std::string& path, const ReadOptions& options, const TableOptions& table);

// Data for a model of a table: encoded as the table that the model was trained on. labels_required: see encode_table.h.
LoadedData load_data(const std::string& path, const ReadOptions& options, const TableEncoding& encoding, char separator,
                     bool labels_required);
// Text alone: the rows go to the sink, and the result has none.
Dataset stream_dataset(const std::string& path, const ReadOptions& options, RowsSink& sink);

// Rows of a cache with the width that is expected; throws Error if they are wider. Of rows on disk only sparse ones can
// become wider.
Dataset with_width(Dataset data, const ReadOptions& options);

// The file has one weight per row: blank-separated numbers >= 0 (any compression). Rows of weight 0 are dropped: they do
// not change the objective.
Dataset with_weights(Dataset data, const std::string& path);
std::vector<double> read_weights(const std::string& path);

}  // namespace seesaw
