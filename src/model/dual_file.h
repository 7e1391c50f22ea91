// The dual point of a model in a binary file beside it, MODEL.dual: for data with many rows, where a text of n numbers is
// large and slow. A header, K doubles per row at a position that depends on the row alone, then a checksum per block of
// rows (docs/formats.md). The checksum of a block is the sum of the hashes of its rows, each with its row number, so that
// processes that have any ranges of the rows can write their part and add up the checksums: the bytes are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic_file.h"

namespace seesaw {

struct DualFileShape {
  std::size_t rows = 0, outputs = 1;
  std::uint64_t data_hash = 0;
};

inline constexpr std::size_t rows_per_dual_block = std::size_t{1} << 16;
inline std::size_t dual_blocks(std::size_t rows) { return (rows + rows_per_dual_block - 1) / rows_per_dual_block; }
// The position of the numbers of a row in the file, in bytes; of the row after the last one: that of the checksums.
std::size_t dual_position(const DualFileShape& shape, std::size_t row);
// Adds the rows first, first + 1, ... to the checksums of their blocks. y: K numbers per row.
void add_to_dual_checksums(const DualFileShape& shape, std::size_t first, const double* y, std::size_t rows,
                           std::vector<std::uint64_t>& of_blocks);
// Of the whole file: of its shape and of the checksums of all blocks. The model has it.
std::uint64_t dual_checksum(const DualFileShape& shape, const std::vector<std::uint64_t>& of_blocks);
std::string dual_header(const DualFileShape& shape, const std::vector<std::uint64_t>& of_blocks);

// Returns dual_checksum(). The file is to be committed.
std::uint64_t write_dual(AtomicFile& file, const DualFileShape& shape, const std::vector<double>& y);
// The rows of a dual point, any range at a time. Throws Error if the file cannot be read, is damaged, or is not that with
// this checksum.
class DualFileReader {
 public:
  DualFileReader(const std::string& path, const DualFileShape& shape, std::uint64_t checksum);
  std::vector<double> rows(std::size_t first, std::size_t count) const;
  void compare(const std::vector<std::uint64_t>& found) const;  // the checksums of all blocks of rows

 private:
  void read(std::size_t position, void* to, std::size_t bytes) const;
  [[noreturn]] void refuse(const std::string& why) const;
  std::string path_;
  DualFileShape shape_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::vector<std::uint64_t> of_blocks_;
};
// All of them.
std::vector<double> read_dual_file(const std::string& path, const DualFileShape& shape, std::uint64_t checksum);

}  // namespace seesaw
