// How a file of data is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "seesaw/table_options.h"
#include "seesaw/types.h"

namespace seesaw {

enum class Format { guess, libsvm, csv, cache, numpy };

struct ReadOptions {
  // guess: cache and NumPy (.npy; .npz of SciPy) by content, CSV by name (.csv, .tsv, also .csv.gz), otherwise LIBSVM.
  Format format = Format::guess;
  std::size_t index_base = 1;     // LIBSVM: the index of the first feature, 1 or 0
  std::string label_column = {};  // CSV: a name, a number from 1, or "none"; .npy: a number; empty: the first column
  bool label_optional = false;    // CSV: rows without the label column have no labels
  std::string labels = {};        // NumPy: a .npy file with one label per row
  // The number of features expected. Missing ones are 0 (in CSV they are an error), additional ones are an error.
  std::optional<std::size_t> width = {};
  std::string width_of = {};  // what expects it, for the message: "the model m.model"
  Precision precision = Precision::exact;
  TableOptions table = {};  // CSV
  // Of a cache (.ssw): its rows stay on disk, and at most so many bytes of them are in memory at a time; use such data in
  // one call at a time. 0: no limit.
  std::size_t memory = 0;
};

}  // namespace seesaw
