// Writes rows of any number to a cache (.ssw) while they are read, with 24 bytes of memory per row. The file is the one
// that write_cache() would write: the storage is chosen by the rules of RowsBuilder, once all rows are known. Until then
// the entries are in temporary files without a name, in the folder of the cache.
#pragma once

#include <string>
#include <vector>

#include "base/buffer.h"
#include "data/cache.h"
#include "data/cache_output.h"
#include "data/hash_stream.h"
#include "data/rows_sink.h"
#include "data/spool.h"
#include "seesaw/types.h"

namespace seesaw {

class CacheStream final : public RowsSink {
 public:
  // weights: one per row that will be added, empty: all 1; rows of weight 0 are dropped. most_rows: by the memory.
  CacheStream(std::string path, Precision precision, std::vector<double> weights, std::size_t most_rows);

  void add(std::span<const double> labels, std::span<const std::uint32_t> sizes, std::span<const std::uint32_t> columns,
           std::span<const double> values) override;
  std::size_t rows() const override { return given_; }

  // width = 0: the largest column determines it.
  CacheSize finish(std::size_t width, const std::vector<std::string>& names);

 private:
  void add_kept(std::span<const double> labels, std::span<const double> weights, std::span<const std::uint32_t> sizes,
                std::span<const std::uint32_t> columns, std::span<const double> values);
  void add_values(std::span<const double> values);
  void write_full_columns();
  void hash(std::span<const double> labels, std::span<const double> weights, std::span<const std::uint32_t> sizes,
            std::span<const std::uint32_t> columns, std::span<const double> values);
  template <class Value>
  void write_filled(cache::CacheOutput& out, std::size_t width);

  std::string path_;
  Precision precision_;
  std::vector<double> weights_;
  std::size_t most_rows_, given_ = 0;
  bool full_ = true, wide_ = false, dropped_ = false;
  std::size_t width_ = 0, nonzero_ = 0;
  Buffer<double> labels_;
  Buffer<std::uint64_t> offsets_;
  Spool columns_, values_;
  HashStream hash_;
  std::size_t hashed_ = 0;  // rows in the current leaf
  std::vector<std::uint64_t> hash_leaves_;
  std::vector<float> rounded_;
};

}  // namespace seesaw
