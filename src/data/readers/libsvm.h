// LIBSVM text: a row is `label index:value index:value ...`. docs/formats.md says what is read and what is refused.
#pragma once

#include "data/dataset.h"
#include "data/readers/blocks.h"
#include "data/readers/read.h"

namespace seesaw {

// Reads to the end of `blocks`. Throws ParseError with the first place in the file that cannot be read.
Dataset read_libsvm(TextBlocks& blocks, const ReadOptions& options);

}  // namespace seesaw
