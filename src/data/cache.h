// The binary cache (.ssw): a header with version and checksum, then the arrays in their memory layout, each on a
// 64-byte boundary, so that a mapped file is used without parsing. docs/formats.md has the layout.
#pragma once

#include <string>

#include "data/dataset.h"

namespace seesaw {

bool is_cache(const std::string& path);       // by its first bytes
Dataset read_cache(const std::string& path);  // maps the file; throws Error if it is damaged or of another version
void write_cache(const Dataset& data, const std::string& path);

}  // namespace seesaw
