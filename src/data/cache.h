// The binary cache (.ssw): the arrays in their memory layout, so that a mapped file is used without parsing, or read in
// extents if it is larger than memory. docs/formats.md has the layout.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "data/dataset.h"
#include "data/extents.h"

namespace seesaw {

class Ranks;

bool is_cache(const std::string& path);       // by its first bytes
Dataset read_cache(const std::string& path);  // maps the file; throws Error if it is damaged or of another version
void write_cache(const Dataset& data, const std::string& path);  // format 2

// What the header says; nothing else is read.
struct CacheSize {
  std::size_t rows, width;
  EntryBytes entries;
  bool weighted, sparse;
  std::uint32_t format;

  // Of labels, weights and offsets, which are always in memory.
  std::size_t bytes_per_row() const { return sizeof(double) * (1 + (weighted ? 1 : 0) + (sparse ? 1 : 0)); }
  std::size_t bytes() const { return entries.total() + rows * bytes_per_row(); }
};
CacheSize cache_size(const std::string& path);

// Rows on disk: everything but the entries is read. Each extent is checked when it is read first.
struct DiskCache {
  Dataset data;
  std::size_t longest_row;
  std::uint64_t hash;  // content_hash of the data
};
// budget: bytes for resident extents, at least Extents::least_bytes(), decided once everything else is read.
struct OpenedCache {
  CacheSize size;
  std::size_t longest_row;
  std::span<const double> labels;
};
using ExtentMemory = std::function<std::size_t(const OpenedCache&)>;
DiskCache open_cache(const std::string& path, const ExtentMemory& memory,
                     double copies = 0);  // the part of the budget for copies of rows or features
// The rows of this rank (data/share_rows.h), within its own budget; the hash is that of all rows. The first rank checks
// everything but the entries. All ranks call it, and it calls `memory` on all; an error of one is thrown on all.
DiskCache open_cache_share(const std::string& path, Ranks& ranks, const ExtentMemory& memory, double copies = 0);

}  // namespace seesaw
