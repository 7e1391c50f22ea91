// The layout of the binary cache (.ssw), formats 1 and 2; docs/formats.md describes both. Format 2 has the entries first,
// each array at a multiple of 4096 bytes, with a checksum per extent (data/extents.h), then everything else, sealed by a
// checksum of its own: it is written from the first byte to the last, and opened without reading the entries.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "data/extents.h"

namespace seesaw::cache {

inline constexpr std::array<char, 8> magic_bytes = {'S', 'E', 'E', 'S', 'A', 'W', '\0', '\1'};
inline constexpr std::uint32_t version = 2;  // written; 1 is read as well
inline constexpr std::uint32_t byte_order = 0x01020304;

struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;  // reads differently on a machine of the other byte order
  std::uint64_t checksum;    // format 1: XXH3 of the whole file, with 0 in this field; format 2: 0
  std::uint64_t file_size;
  std::uint64_t storage;  // 0 sparse double, 1 sparse float, 2 dense double, 3 dense float: the index in Rows
  std::uint64_t rows;
  std::uint64_t width;
  std::uint64_t entries;      // stored values
  std::uint64_t nnz;          // Dataset::nnz
  std::uint64_t weighted;     // 1 if there are weights
  std::uint64_t names_bytes;  // 0 if there are no names
  std::uint64_t unused[5];

  bool sparse() const { return storage < 2; }
  std::uint64_t value_bytes() const { return storage % 2 == 0 ? sizeof(double) : sizeof(float); }
  EntryBytes entry_bytes() const { return {entries, sparse() ? sizeof(std::uint32_t) : 0, value_bytes()}; }
  std::uint64_t hash_leaves() const { return (rows + hash_leaf_rows - 1) / hash_leaf_rows; }
};
static_assert(sizeof(Header) == 128);

struct Section {
  std::uint64_t begin, size;
  std::uint64_t end() const { return begin + size; }
};

// Where the arrays are; an absent array has size 0. Format 1: labels, weights, offsets, columns, values, names, each at a
// multiple of 64. Format 2 has the order of the members.
struct Layout {
  Section columns, values, labels, weights, offsets, names, hashes, column_checksums, value_checksums, seal;
  std::uint64_t end;

  // Between which sections there can be padding, in the order of the file.
  std::vector<Section> in_order(std::uint32_t format) const;
};
Layout layout_of(const Header& header);

// Throws Error "PATH: is damaged (REASON); recreate it from the text."
[[noreturn]] void refuse_as_damaged(const std::string& path, const std::string& reason);

// Everything that can be checked without the arrays. `bytes`: of the file.
void check_header(const Header& header, const std::string& path, std::uint64_t bytes);

std::vector<std::string> unpack_names(std::string_view left, const Header& header, const std::string& path);
std::string pack_names(const std::vector<std::string>& names);

std::uint64_t checksum_of(std::string_view bytes);
class Checksum {  // of parts, in their order
 public:
  Checksum();
  ~Checksum();
  Checksum(Checksum&&) noexcept;
  Checksum& operator=(Checksum&&) noexcept;
  void add(std::string_view bytes);
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

template <class T>
std::string_view bytes_of(std::span<const T> items) {
  return {reinterpret_cast<const char*>(items.data()), items.size_bytes()};
}

// The checks of numbers that a file could have wrong: `columns` of an extent from entry `first` on, whose rows begin at
// `offsets`.
bool columns_in_order(std::span<const std::uint32_t> columns, std::uint64_t first,
                      std::span<const std::uint64_t> offsets, std::uint64_t width);
template <class Value>
bool all_finite(std::span<const Value> values) {
  std::size_t wrong = 0;
  for (const Value value : values) wrong += !(value - value == 0);  // NOLINT(misc-redundant-expression): vectorized
  return wrong == 0;
}

}  // namespace seesaw::cache
