#include "model/dual_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/parallel.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

struct DualHeader {
  std::array<char, 8> magic = {'S', 'E', 'E', 'S', 'A', 'W', 'D', '\1'};  // the last byte: version
  std::uint64_t rows = 0, outputs = 0, data_hash = 0;
  std::uint64_t rows_per_block = rows_per_dual_block;
  std::uint64_t checksum = 0;  // dual_checksum()
  std::uint64_t unused[2] = {};
};
static_assert(sizeof(DualHeader) == 64);

std::size_t size_of_file(const DualFileShape& shape) {
  return dual_position(shape, shape.rows) + dual_blocks(shape.rows) * sizeof(std::uint64_t);
}

std::vector<std::uint64_t> checksums_of(const DualFileShape& shape, const std::vector<double>& y) {
  std::vector<std::uint64_t> of_blocks(dual_blocks(shape.rows));
  parallel_chunks(chunks_of(of_blocks.size(), 1, 1024), [&](std::size_t, std::size_t begin, std::size_t end) {
    const std::size_t first = begin * rows_per_dual_block, last = std::min(end * rows_per_dual_block, shape.rows);
    add_to_dual_checksums(shape, first, y.data() + first * shape.outputs, last - first, of_blocks);
  });
  return of_blocks;
}

}  // namespace

std::size_t dual_position(const DualFileShape& shape, std::size_t row) {
  return sizeof(DualHeader) + row * shape.outputs * sizeof(double);
}

void add_to_dual_checksums(const DualFileShape& shape, std::size_t first, const double* y, std::size_t rows,
                           std::vector<std::uint64_t>& of_blocks) {
  for (std::size_t k = 0; k < rows; ++k)
    of_blocks[(first + k) / rows_per_dual_block] +=
        XXH3_64bits_withSeed(y + k * shape.outputs, shape.outputs * sizeof(double), first + k);
}

std::uint64_t dual_checksum(const DualFileShape& shape, const std::vector<std::uint64_t>& of_blocks) {
  const std::array<std::uint64_t, 3> about = {shape.rows, shape.outputs, shape.data_hash};
  return XXH3_64bits_withSeed(of_blocks.data(), of_blocks.size() * sizeof(std::uint64_t),
                              XXH3_64bits(about.data(), sizeof about));
}

std::string dual_header(const DualFileShape& shape, const std::vector<std::uint64_t>& of_blocks) {
  DualHeader header;
  header.rows = shape.rows;
  header.outputs = shape.outputs;
  header.data_hash = shape.data_hash;
  header.checksum = dual_checksum(shape, of_blocks);
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

std::uint64_t write_dual(AtomicFile& file, const DualFileShape& shape, const std::vector<double>& y) {
  const std::vector<std::uint64_t> of_blocks = checksums_of(shape, y);
  file.write(dual_header(shape, of_blocks));
  file.write(std::as_bytes(std::span(y)));
  file.write(std::as_bytes(std::span(of_blocks)));
  return dual_checksum(shape, of_blocks);
}

DualFileReader::DualFileReader(const std::string& path, const DualFileShape& shape, std::uint64_t checksum)
    : path_(path), shape_(shape), file_(std::fopen(path.c_str(), "rb"), std::fclose) {
  if (file_ == nullptr) refuse(fmt::format("cannot be opened: {}. It belongs beside its model.", std::strerror(errno)));
  std::string header(sizeof(DualHeader), '\0');
  if (std::fread(header.data(), 1, header.size(), file_.get()) != header.size() ||
      std::memcmp(header.data(), DualHeader{}.magic.data(), 8) != 0)
    refuse("is not a dual point of Seesaw.");
  const long size = std::fseek(file_.get(), 0, SEEK_END) == 0 ? std::ftell(file_.get()) : -1;
  // Nothing of the size that the model states is computed or allocated before the file is known to have it.
  const std::size_t most_rows = size < 0 ? 0 : static_cast<std::size_t>(size) / sizeof(double) / shape.outputs;
  if (shape.rows > most_rows || static_cast<std::size_t>(size) != size_of_file(shape))
    refuse(fmt::format("does not have the size of {} x {} numbers: it is truncated, or belongs to another model.",
                       shape.rows, shape.outputs));
  of_blocks_.resize(dual_blocks(shape.rows));
  read(dual_position(shape, shape.rows), of_blocks_.data(), of_blocks_.size() * sizeof(std::uint64_t));
  if (dual_checksum(shape, of_blocks_) != checksum || header != dual_header(shape, of_blocks_))
    refuse("belongs to another model, or is damaged: its checksum is not that of the model.");
}

void DualFileReader::read(std::size_t position, void* to, std::size_t bytes) const {
  if (std::fseek(file_.get(), static_cast<long>(position), SEEK_SET) != 0 ||
      std::fread(to, 1, bytes, file_.get()) != bytes)
    refuse(fmt::format("cannot be read: {}.", std::strerror(errno)));
}

std::vector<double> DualFileReader::rows(std::size_t first, std::size_t count) const {
  std::vector<double> y(count * shape_.outputs);
  read(dual_position(shape_, first), y.data(), y.size() * sizeof(double));
  return y;
}

void DualFileReader::compare(const std::vector<std::uint64_t>& found) const {
  for (std::size_t block = 0; block < found.size(); ++block)
    if (found[block] != of_blocks_[block])
      refuse(fmt::format("is damaged: the checksum of the rows from {} on is wrong.", block * rows_per_dual_block));
}

void DualFileReader::refuse(const std::string& why) const {
  throw Error(fmt::format("the dual point {} {}", path_, why));
}

std::vector<double> read_dual_file(const std::string& path, const DualFileShape& shape, std::uint64_t checksum) {
  const DualFileReader file(path, shape, checksum);
  std::vector<double> y = file.rows(0, shape.rows);
  file.compare(checksums_of(shape, y));
  return y;
}

}  // namespace seesaw
