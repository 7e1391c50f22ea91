// Writes a cache of format 2 from its first byte to its last (data/cache_format.h). Columns and values are given in
// pieces of any size, so that neither has to be in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "data/cache_format.h"

namespace seesaw::cache {

class CacheOutput {
 public:
  // header: storage, rows, width, entries, nnz, weighted and names_bytes; the rest is set here.
  CacheOutput(const std::string& path, Header header);

  void columns(std::string_view piece);  // all columns, then all values
  void values(std::string_view piece);
  struct Tail {
    std::span<const double> labels, weights;
    std::span<const std::uint64_t> offsets;
    std::string_view names;
    std::span<const std::uint64_t> hash_leaves;
  };
  void finish(const Tail& tail);  // the file exists only after this

 private:
  // The checksums of the extents of one array.
  struct ExtentChecksums {
    std::size_t extent_bytes, filled = 0;
    Checksum current = {};
    std::vector<std::uint64_t> finished = {};
    void add(std::string_view piece);
    void finish();
  };
  void put(const Section& section, std::string_view bytes);

  Header header_;
  Layout layout_;
  AtomicFile file_;
  std::uint64_t at_ = 0;
  ExtentChecksums column_checksums_, value_checksums_;
};

}  // namespace seesaw::cache
