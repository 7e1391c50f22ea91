// NumPy files: a dense matrix (.npy) or a sparse one in CSR form as SciPy's save_npz writes it (.npz).
#pragma once

#include <string>

#include "data/dataset.h"
#include "data/readers/read.h"

namespace seesaw {

// By the first bytes: those of a .npy file, or of a zip archive.
bool is_numpy(const std::string& path);

// Elements are float32, float64, bool or integers up to 2^53 in size; dense matrices are in C order. Labels are those of
// options.labels, a .npy file with one number per row. Without it a dense matrix has them in options.label_column (a number
// from 1; empty: the first column, or none if the width is options.width), and a sparse one has none.
// Throws Error.
Dataset read_numpy(const std::string& path, const ReadOptions& options);

}  // namespace seesaw
