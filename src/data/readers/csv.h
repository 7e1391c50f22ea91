// CSV: one row per line, numbers separated by comma, semicolon or tab, with or without a header. One column is the label.
#pragma once

#include "data/dataset.h"
#include "data/readers/blocks.h"
#include "data/readers/read.h"
#include "data/rows_sink.h"

namespace seesaw {

// Reads to the end of `blocks`. Throws ParseError at the first position that cannot be parsed. Zeros are not
// counted as entries.
Dataset read_csv(TextBlocks& blocks, const ReadOptions& options, RowsSink* sink = nullptr);

}  // namespace seesaw
