// A temporary file without a name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/buffer.h"

namespace seesaw {

// A growing file, written and then read from its beginning.
class Spool {
 public:
  explicit Spool(const std::string& beside);  // in the folder of this path
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  void swap(Spool& other) noexcept;

  void append(const void* bytes, std::size_t size);
  std::uint64_t size() const { return size_; }
  // read(piece) for all bytes, in pieces of whole multiples of 8 bytes, except for the last one.
  template <class Read>
  void for_each_piece(const Read& read) {
    flush();
    Buffer<char> piece(buffer_size);
    for (std::uint64_t at = 0; at < size_;) {
      const std::size_t got = load(at, piece.data(), buffer_size);
      read(std::string_view(piece.data(), got));
      at += got;
    }
  }
  std::size_t load(std::uint64_t at, void* to, std::size_t size) const;  // returns the bytes read; flush() before

  void flush();

 private:
  static constexpr std::size_t buffer_size = std::size_t{1} << 20;
  std::string path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  Buffer<char> waiting_;
};

}  // namespace seesaw
