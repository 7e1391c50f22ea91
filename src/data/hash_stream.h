// The content hash of rows (data/dataset.h), as a stream.
#pragma once

#define XXH_INLINE_ALL
#ifdef __AVX2__
#define XXH_VECTOR \
  2  // XXH_AVX2; the hash is the same for all variants. With AVX-512, GCC 12 warns about its own intrinsics.
#endif
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "data/rows.h"

namespace seesaw {

// A buffered stream into a hash. The digest depends on the bytes alone, not on when the buffer is flushed.
class HashStream {
 public:
  HashStream() { XXH3_64bits_reset(&state_); }

  template <class Number>
  void put(Number number) {
    ensure_space(sizeof number);
    std::memcpy(buffer_.data() + used_, &number, sizeof number);
    used_ += sizeof number;
  }

  // The nonzero entries of a row, each as column and value, then their number: read from the end, the encoding is
  // unambiguous. Every entry is written, and the position advances only if it is nonzero: no unpredictable branch.
  template <class Row>
  void put_row(Row a) {
    std::uint64_t bytes = 0;
    for (std::size_t begin = 0; begin < a.size; begin += batch_entries) {
      const std::size_t end = std::min(a.size, begin + batch_entries);
      ensure_space((end - begin) * entry_bytes);
      unsigned char* const first = buffer_.data() + used_;
      unsigned char* to = first;
      for (std::size_t k = begin; k < end; ++k) {
        const std::uint32_t column = column_of(a, k);
        const auto value = static_cast<double>(a.value[k]);
        std::memcpy(to, &column, sizeof column);
        std::memcpy(to + sizeof column, &value, sizeof value);
        to += value != 0 ? entry_bytes : 0;
      }
      bytes += static_cast<std::uint64_t>(to - first);
      used_ += static_cast<std::size_t>(to - first);
    }
    put(bytes / entry_bytes);
  }

  // Per row: its entries, its label (-0 as 0) and its weight.
  template <class Row>
  void put_row(Row a, double label, double weight) {
    put_row(a);
    put(label + 0.0);
    put(weight);
  }

  std::uint64_t digest() {
    flush();
    return XXH3_64bits_digest(&state_);
  }

 private:
  static constexpr std::size_t entry_bytes = sizeof(std::uint32_t) + sizeof(double);
  static constexpr std::size_t batch_entries = 300;  // they fit into the buffer

  template <class Value>
  static std::uint32_t column_of(SparseRow<Value> a, std::size_t k) {
    return a.column[k];
  }
  template <class Value>
  static std::uint32_t column_of(DenseRow<Value>, std::size_t k) {
    return static_cast<std::uint32_t>(k);
  }

  void ensure_space(std::size_t bytes) {
    if (used_ + bytes > buffer_.size()) flush();
  }
  void flush() {
    XXH3_64bits_update(&state_, buffer_.data(), used_);
    used_ = 0;
  }

  XXH3_state_t state_;
  std::array<unsigned char, 4096> buffer_;
  std::size_t used_ = 0;
};

}  // namespace seesaw
