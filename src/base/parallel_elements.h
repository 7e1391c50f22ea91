// Loops of a few operations per element, by any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/parallel.h"

namespace seesaw {

inline Chunks element_chunks(std::size_t size) { return chunks_of(size, 16384); }

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
// Without a branch, since which elements are kept cannot be predicted: write() may be called for others before a place is
// final.
template <class Keep, class Resize, class Write>
void select_in_order(std::size_t size, const Keep& keep, const Resize& resize, const Write& write) {
  const Chunks chunks = element_chunks(size);
  std::vector<std::size_t> first(chunks.count + 1);  // place of each chunk
  parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) count += keep(i);
    first[chunk + 1] = count;
  });
  for (std::size_t chunk = 0; chunk < chunks.count; ++chunk) first[chunk + 1] += first[chunk];
  resize(first.back());
  parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    std::size_t place = first[chunk];
    const std::size_t last = first[chunk + 1];
    for (std::size_t i = begin; i < end && place < last; ++i) {
      write(place, i);
      place += keep(i);
    }
  });
}

}  // namespace seesaw
