#include "data/cache_output.h"

#include <algorithm>

namespace seesaw::cache {

void CacheOutput::ExtentChecksums::add(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t size = std::min(piece.size(), extent_bytes - filled);
    current.add(piece.substr(0, size));
    piece.remove_prefix(size);
    filled += size;
    if (filled == extent_bytes) finish();
  }
}

void CacheOutput::ExtentChecksums::finish() {
  if (filled == 0) return;
  finished.push_back(current.value());
  current = Checksum();
  filled = 0;
}

CacheOutput::CacheOutput(const std::string& path, Header header)
    : header_(header),
      file_(path),
      column_checksums_{extent_entries * sizeof(std::uint32_t)},
      value_checksums_{extent_entries * header.value_bytes()} {
  header_.magic = magic_bytes;
  header_.version = version;
  header_.byte_order = byte_order;
  layout_ = layout_of(header_);
  header_.file_size = layout_.end;
  file_.write(bytes_of(std::span<const Header>(&header_, 1)));
  at_ = sizeof header_;
}

// Appends to a section; zeros before its beginning.
void CacheOutput::put(const Section& section, std::string_view bytes) {
  constexpr char zeros[4096] = {};
  while (at_ < section.begin) {
    const std::size_t size = std::min<std::size_t>(section.begin - at_, sizeof zeros);
    file_.write(std::string_view(zeros, size));
    at_ += size;
  }
  file_.write(bytes);
  at_ += bytes.size();
}

void CacheOutput::columns(std::string_view piece) {
  if (piece.empty()) return;
  put(layout_.columns, piece);
  column_checksums_.add(piece);
}

void CacheOutput::values(std::string_view piece) {
  if (piece.empty()) return;
  put(layout_.values, piece);
  value_checksums_.add(piece);
}

void CacheOutput::finish(const Tail& tail) {
  column_checksums_.finish();
  value_checksums_.finish();
  Checksum seal;
  seal.add(bytes_of(std::span<const Header>(&header_, 1)));
  const auto add = [&](const Section& section, std::string_view bytes) {
    if (bytes.empty()) return;
    seal.add(bytes);
    put(section, bytes);
  };
  add(layout_.labels, bytes_of(tail.labels));
  add(layout_.weights, bytes_of(tail.weights));
  add(layout_.offsets, bytes_of(tail.offsets));
  add(layout_.names, tail.names);
  add(layout_.hashes, bytes_of(tail.hash_leaves));
  add(layout_.column_checksums, bytes_of(std::span<const std::uint64_t>(column_checksums_.finished)));
  add(layout_.value_checksums, bytes_of(std::span<const std::uint64_t>(value_checksums_.finished)));
  const std::uint64_t sum = seal.value();
  put(layout_.seal, bytes_of(std::span<const std::uint64_t>(&sum, 1)));
  file_.commit();
}

}  // namespace seesaw::cache
