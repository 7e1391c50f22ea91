// Reads data from a path (or "-" for standard input), plain or compressed: LIBSVM text, CSV or a .ssw cache.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/rows_builder.h"
#include "data/rows_sink.h"
#include "seesaw/read_options.h"

namespace seesaw {

// What requires options.width, for messages.
inline std::string expecting(const ReadOptions& options) {
  return options.width_of.empty() ? "what is expected" : options.width_of;
}

// Throws ParseError, Error or std::bad_alloc, nothing else.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

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
