// LIBSVM text: a row is `label index:value index:value ...`. docs/formats.md describes what is accepted and what is refused.
#pragma once

#include "data/dataset.h"
#include "data/readers/blocks.h"
#include "data/readers/read.h"

namespace seesaw {

// Reads to the end of `blocks`. Throws ParseError at the first position that cannot be parsed.
struct PartOfFile;  // readers/parsed_rows.h
Dataset read_libsvm(TextBlocks& blocks, const ReadOptions& options, PartOfFile* part = nullptr);

}  // namespace seesaw
