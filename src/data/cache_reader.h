// Reads a cache (data/cache.h) from a mapped file: all of it, or the rows of one process.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/mapped_files.h"
#include "data/cache_format.h"
#include "data/dataset.h"

namespace seesaw::cache {

class Mapping {
 public:
  Mapping(const char* begin, std::size_t size) : bytes_(begin, size), registration_(begin, size, cache_shrank) {}
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::string_view bytes() const { return bytes_; }
  std::string_view bytes(const Section& section) const { return bytes_.substr(section.begin, section.size); }
  template <class T>
  std::span<const T> array(const Section& section) const {
    return {reinterpret_cast<const T*>(bytes_.data() + section.begin), section.size / sizeof(T)};
  }

 private:
  std::string_view bytes_;
  MappedFile registration_;
};

// The file is untrusted: every field is checked before it is used. Throws Error if it is damaged.
class CacheReader {
 public:
  explicit CacheReader(const std::string& path);  // checks the header

  const Header& header() const { return header_; }
  std::size_t entries_before(std::size_t row) const;  // of all rows, if row is their number

  Dataset read() const;  // all of it

  // In parts: check_seal() once, which reads everything but the entries; part() for each range of rows, which reads
  // these alone; check_entries() with the entries of all parts.
  void check_seal() const;
  std::uint64_t hash() const;  // content_hash; format 2
  Dataset part(std::size_t begin, std::size_t end, std::shared_ptr<const Leaves> leaves) const;
  // A lower bound of the number of entries given: all stored ones; of dense rows those that are not 0.
  static std::uint64_t entries_at_least(const Rows& stored);
  void check_entries(std::uint64_t at_least) const;

 private:
  void check_whole_file() const;
  void check_extents(const Section& section, const Section& checksums, std::uint64_t bytes, std::uint64_t first,
                     std::uint64_t last) const;
  void check_padding() const;
  Rows rows(std::size_t begin, std::size_t end, std::shared_ptr<const Leaves> leaves) const;
  template <class Value>
  SparseRows<Value> sparse(std::size_t begin, std::size_t end, std::shared_ptr<const Leaves> leaves) const;
  template <class Value>
  DenseRows<Value> dense(std::size_t begin, std::size_t end, std::shared_ptr<const Leaves> leaves) const;
  template <class Value>
  void check_numbers(std::span<const Value> numbers, const char* reason) const;
  [[noreturn]] void damaged(const std::string& reason) const { refuse_as_damaged(path_, reason); }

  std::string path_;
  std::shared_ptr<const Mapping> mapping_;
  Header header_{};
  Layout layout_{};
};

}  // namespace seesaw::cache
