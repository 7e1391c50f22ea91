#include "data/cache_format.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#ifdef __AVX512F__
#define XXH_VECTOR XXH_AVX2  // limited by memory bandwidth; g++ 12 warns about its own AVX-512 intrinsics
#endif
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "seesaw/error.h"

namespace seesaw::cache {

struct Checksum::State {
  XXH3_state_t xxh;
};
Checksum::Checksum() : state_(new State) { XXH3_64bits_reset(&state_->xxh); }
Checksum::~Checksum() = default;
Checksum::Checksum(Checksum&&) noexcept = default;
Checksum& Checksum::operator=(Checksum&&) noexcept = default;
void Checksum::add(std::string_view bytes) { XXH3_64bits_update(&state_->xxh, bytes.data(), bytes.size()); }
std::uint64_t Checksum::value() const { return XXH3_64bits_digest(&state_->xxh); }
std::uint64_t checksum_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

Layout layout_of(const Header& header) {
  std::uint64_t at = sizeof(Header);
  const auto place = [&](std::uint64_t size, std::uint64_t alignment = 64) {
    if (size > 0) at = (at + alignment - 1) / alignment * alignment;
    const Section section{at, size};
    at += size;
    return section;
  };
  const auto padded = [&](std::uint64_t size) {  // format 1: the end of an array is padded
    const Section section = place(size);
    at = (at + 63) / 64 * 64;
    return section;
  };
  const std::uint64_t labels = header.rows * sizeof(double), weights = header.weighted * labels,
                      offsets = header.sparse() ? (header.rows + 1) * sizeof(std::uint64_t) : 0,
                      columns = header.sparse() ? header.entries * sizeof(std::uint32_t) : 0,
                      values = header.entries * header.value_bytes();
  Layout layout{};
  if (header.version == 1) {
    layout.labels = padded(labels);
    layout.weights = padded(weights);
    layout.offsets = padded(offsets);
    layout.columns = padded(columns);
    layout.values = padded(values);
    layout.names = padded(header.names_bytes);
    layout.end = at;
    return layout;
  }
  constexpr std::uint64_t page = 4096;
  const std::uint64_t checksums = header.entry_bytes().extents() * sizeof(std::uint64_t);
  layout.columns = place(columns, page);
  layout.values = place(values, page);
  layout.labels = place(labels);
  layout.weights = place(weights);
  layout.offsets = place(offsets);
  layout.names = place(header.names_bytes);
  layout.hashes = place(header.hash_leaves() * sizeof(std::uint64_t));
  layout.column_checksums = place(header.sparse() ? checksums : 0);
  layout.value_checksums = place(checksums);
  layout.seal = place(sizeof(std::uint64_t));
  layout.end = at;
  return layout;
}

std::vector<Section> Layout::in_order(std::uint32_t format) const {
  if (format == 1) return {labels, weights, offsets, columns, values, names, {end, 0}};
  return {columns, values, labels, weights, offsets, names, hashes, column_checksums, value_checksums, seal, {end, 0}};
}

void refuse_as_damaged(const std::string& path, const std::string& reason) {
  throw Error(fmt::format("{}: is damaged ({}); recreate it from the text.", path, reason));
}

void check_header(const Header& header, const std::string& path, std::uint64_t bytes) {
  if (header.magic != magic_bytes) throw Error(fmt::format("{}: is not a .ssw cache; give one, or text.", path));
  if (header.byte_order != byte_order)
    throw Error(fmt::format("{}: was written on a machine of another byte order; recreate it from the text.", path));
  if (header.version == 0 || header.version > version)
    throw Error(
        fmt::format("{}: is a cache of version {}, this program reads versions 1 to {}; recreate it from the text.",
                    path, header.version, version));
  if (header.file_size != bytes)
    refuse_as_damaged(path, fmt::format("it has {} bytes instead of {}", bytes, header.file_size));
  // With these bounds, no sum of sizes overflows.
  const std::uint64_t most = header.file_size;
  if (header.rows == 0 || header.rows > most || header.entries > most || header.names_bytes > most ||
      header.storage > 3 || header.width > 0xffffffff || header.weighted > 1 || header.nnz > header.entries)
    refuse_as_damaged(path, "its header is wrong");
  if (!header.sparse() &&
      (header.width == 0 || header.entries / header.width != header.rows || header.entries % header.width != 0))
    refuse_as_damaged(path, "its header is wrong");
  for (const std::uint64_t word : header.unused)
    if (word != 0) refuse_as_damaged(path, "its reserved bytes are not 0");
  if (layout_of(header).end != header.file_size) refuse_as_damaged(path, "its sizes are inconsistent");
}

// For each name its length, then its bytes.
std::string pack_names(const std::vector<std::string>& names) {
  std::string packed;
  for (const auto& name : names) {
    const auto size = static_cast<std::uint32_t>(name.size());
    packed.append(reinterpret_cast<const char*>(&size), sizeof size).append(name);
  }
  return packed;
}

std::vector<std::string> unpack_names(std::string_view left, const Header& header, const std::string& path) {
  std::vector<std::string> names;
  while (!left.empty()) {
    std::uint32_t size;
    if (left.size() < sizeof size) refuse_as_damaged(path, "its names are truncated");
    std::memcpy(&size, left.data(), sizeof size);
    left.remove_prefix(sizeof size);
    if (left.size() < size) refuse_as_damaged(path, "its names are truncated");
    names.emplace_back(left.substr(0, size));
    left.remove_prefix(size);
  }
  if (header.version == 1 && !names.empty() && names.size() != header.width)
    refuse_as_damaged(path, "it does not have one name per feature");
  if (names.size() > header.width) refuse_as_damaged(path, "it has more names than features");  // hashed ones have none
  return names;
}

bool columns_in_order(std::span<const std::uint32_t> columns, std::uint64_t first,
                      std::span<const std::uint64_t> offsets, std::uint64_t width) {
  if (columns.empty()) return true;
  // Where a row begins, the column may be smaller than the one before.
  auto next = std::upper_bound(offsets.begin(), offsets.end(), first);
  std::size_t wrong = columns[0] >= width;
  for (std::size_t k = 1; k < columns.size(); ++k) {
    while (next != offsets.end() && *next < first + k) ++next;
    const bool begins = next != offsets.end() && *next == first + k;
    wrong += columns[k] >= width || (!begins && columns[k] <= columns[k - 1]);
  }
  return wrong == 0;
}

}  // namespace seesaw::cache
