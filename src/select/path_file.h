// The files of a path (docs/formats.md): PATH, one JSON object with the weights of each point as pairs of index and
// value, the certificates and the covered intervals; and PATH.dual, the dual points as doubles, which only verify reads.
#pragma once

#include <string>

#include "select/path.h"

namespace seesaw {

inline std::string dual_path_of(const std::string& path) { return path + ".dual"; }

// Each is written to a temporary name, then renamed; PATH last.
void write_path(const Path& path, const std::string& name);

bool is_path_file(const std::string& name);  // a regular file that begins like a path

// Throws Error with a sentence where the file is no path, damaged, or newer. with_dual: reads PATH.dual as well, which
// must belong to PATH; otherwise the dual points are empty.
Path read_path(const std::string& name, bool with_dual);

}  // namespace seesaw
