// LIBSVM text: a row is `label index:value index:value ...`. docs/formats.md describes what is accepted and what is refused.
#pragma once

#include "data/dataset.h"
#include "data/readers/blocks.h"
#include "data/readers/read.h"
#include "data/rows_sink.h"

namespace seesaw {

struct PartOfFile;  // readers/parsed_rows.h

// Reads to the end of `blocks`. Throws ParseError at the first position that cannot be parsed.
Dataset read_libsvm(TextBlocks& blocks, const ReadOptions& options, RowsSink* sink = nullptr,
                    PartOfFile* part = nullptr);

}  // namespace seesaw
