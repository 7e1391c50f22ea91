// The layout of files of archives (base/archive.h, base/shared_archive.h); docs/formats.md describes it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/archive.h"

namespace seesaw::archive_format {

inline constexpr std::array<char, 8> magic = {'S', 'E', 'E', 'S',
                                              'A', 'W', 'C', '\1'};  // the last byte: version of the layout

struct EntryHeader {  // followed by the name and the elements
  std::uint8_t kind, type;
  std::uint16_t name_size;
  std::uint32_t width;
  std::uint64_t count;
};
static_assert(sizeof(EntryHeader) == 16);

inline std::size_t size_of(ArchiveEntry::Type type) {
  constexpr std::array<std::size_t, 5> sizes = {1, 4, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

// The bytes of an entry before its elements.
inline std::string header_of(const ArchiveEntry& entry) {
  const EntryHeader header{static_cast<std::uint8_t>(entry.kind), static_cast<std::uint8_t>(entry.type),
                           static_cast<std::uint16_t>(entry.name.size()), entry.width, entry.count};
  return std::string(reinterpret_cast<const char*>(&header), sizeof header).append(entry.name);
}
inline const ArchiveEntry last_entry{.kind = ArchiveEntry::Kind::end, .name = ""};

}  // namespace seesaw::archive_format
