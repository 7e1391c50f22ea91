// A gzip member ends with a checksum and the uncompressed size; libarchive (3.6) ignores both: of 300 files with one
// flipped bit it rejected 9. This class compares them, for files with a single member. In files of several members only
// the last checksum is at the end of the file, so those are not checked.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace seesaw {

class GzipCheck {
 public:
  // The compressed bytes and the uncompressed bytes, each in pieces and in order.
  void packed(std::string_view bytes) {
    // A header across the boundary of two pieces, or within one; not the one that begins the file.
    const std::string seam = tail_ + std::string(bytes.substr(0, header_size - 1));
    several_ = several_ || has_header(seam, seen_ == tail_.size() ? 1 : 0) || has_header(bytes, seen_ == 0 ? 1 : 0);
    seen_ += bytes.size();
    tail_.append(bytes.substr(bytes.size() - std::min(bytes.size(), header_size - 1)));
    tail_.erase(0, tail_.size() - std::min(tail_.size(), header_size - 1));
  }
  void unpacked(std::string_view bytes) {
    crc_ = crc32_z(crc_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    size_ += static_cast<std::uint32_t>(bytes.size());
  }

  // Call after all pieces.
  bool fails() const { return !several_ && (number_at_end(8) != crc_ || number_at_end(4) != size_); }

 private:
  static constexpr std::size_t header_size = 10;

  // Magic number, deflate, no reserved flags, four bytes of time, a valid level and a valid system: by chance at one in
  // 10^11 positions.
  static bool has_header(std::string_view bytes, std::size_t from) {
    for (std::size_t at = bytes.find("\x1f\x8b\x08", from); at != bytes.npos && at + header_size <= bytes.size();
         at = bytes.find("\x1f\x8b\x08", at + 1)) {
      const auto flags = static_cast<unsigned char>(bytes[at + 3]);
      const auto level = static_cast<unsigned char>(bytes[at + 8]);
      const auto system = static_cast<unsigned char>(bytes[at + 9]);
      if (flags < 0x20 && (level == 0 || level == 2 || level == 4) && (system <= 13 || system == 255)) return true;
    }
    return false;
  }

  std::uint32_t number_at_end(std::size_t from_end) const {  // low byte first
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < 4 && tail_.size() >= from_end; ++k)
      number |= std::uint32_t{static_cast<unsigned char>(tail_[tail_.size() - from_end + k])} << 8 * k;
    return number;
  }

  uLong crc_ = 0;
  std::uint32_t size_ = 0;  // modulo 2^32, as in the file
  std::string tail_;        // the last bytes of the file so far
  std::uint64_t seen_ = 0;  // bytes of the file
  bool several_ = false;
};

}  // namespace seesaw
