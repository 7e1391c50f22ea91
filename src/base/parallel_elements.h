// Loops of a few operations per element, by any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "kernels/at_level.h"

namespace seesaw {

inline Chunks element_chunks(std::size_t size, std::size_t grain = 16384) { return chunks_of(size, grain); }

// body(i) for all i < size.
template <class Body>
void parallel_elements(std::size_t size, const Body& body) {
  parallel_chunks(element_chunks(size), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

template <class T>
void parallel_copy(const std::vector<T>& from, std::vector<T>& to) {
  if (to.size() != from.size()) {
    to = from;
    return;
  }
  parallel_chunks(element_chunks(from.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
    std::copy(from.data() + begin, from.data() + end, to.data() + begin);
  });
}

// write(place, i) for all i < size with keep(i), which have the places 0, 1, ... in this order; resize(count) comes before.
// Kept elements are counted by blocks in a loop that is vectorized; then only blocks that have any are read. Within a block
// there is no branch, since which elements are kept cannot be predicted: write() may be called for others before a place is
// final.
template <class Keep, class Resize, class Write>
void select_in_order(std::size_t size, const Keep& keep, const Resize& resize, const Write& write) {
  constexpr std::size_t block = 16;
  const Chunks chunks = element_chunks((size + block - 1) / block, 1024);
  std::vector<std::size_t> first(chunks.count + 1);  // place of each chunk
  std::vector<std::uint8_t> kept(chunks.size);       // of each block
  parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    first[chunk + 1] = at_level([&]() __attribute__((always_inline)) {
      std::size_t all = 0;
      for (std::size_t b = begin; b < end; ++b) {
        const std::size_t last = std::min((b + 1) * block, size);
        std::size_t count = 0;
        for (std::size_t i = b * block; i < last; ++i) count += keep(i);
        kept[b] = static_cast<std::uint8_t>(count);
        all += count;
      }
      return all;
    });
  });
  for (std::size_t chunk = 0; chunk < chunks.count; ++chunk) first[chunk + 1] += first[chunk];
  resize(first.back());
  parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    std::size_t place = first[chunk];
    for (std::size_t b = begin; b < end; ++b) {
      const std::size_t next = place + kept[b];
      for (std::size_t i = b * block; place < next; ++i) {
        write(place, i);
        place += keep(i);
      }
    }
  });
}

}  // namespace seesaw
