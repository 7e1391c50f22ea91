// --memory: how much memory a command may use, and what of it is left for the rows of data on disk.
#pragma once

#include <cstddef>
#include <string>

namespace seesaw::app {

// What the memory of a command depends on besides the rows themselves.
struct DataShape {
  std::size_t rows, width;
  std::size_t labels;   // different ones, at most 1000
  std::size_t entries;  // stored
  // Several processes: rows and entries are those of this one.
  std::size_t ranks = 1, all_rows = 0;
};

// Bytes of "2G", "512M", "64K" or "1000000": K, M and G are powers of 1024. Throws InvalidOption.
std::size_t memory_of(const std::string& text);
std::string in_words(std::size_t bytes);  // "1.5 GB", the same units; never below the bytes

std::size_t resident_memory();  // of this process, now

// The vectors of a command, in bytes. Upper bounds that were measured (docs/scale.md).
std::size_t memory_for_training(const DataShape& shape, const std::string& solver, const std::string& loss);
// Beside that: a second copy of labels and weights for factors per feature, and a second file of rows, which is in memory.
std::size_t memory_for_factors(const DataShape& shape);
std::size_t memory_for_rows_of(const std::string& path);  // caches; text: by its size, an estimate
std::size_t memory_for_verifying(const DataShape& shape, std::size_t outputs);
std::size_t memory_for_predicting(const DataShape& shape, std::size_t outputs, bool intervals);

}  // namespace seesaw::app
