// Reads data from a path (or "-" for standard input), plain or compressed: LIBSVM text, CSV or a .ssw cache.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "data/dataset.h"
#include "data/rows_builder.h"
#include "seesaw/read_options.h"

namespace seesaw {

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
