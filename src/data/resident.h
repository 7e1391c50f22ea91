// Loops over rows that may be on disk (data/extents.h): the rows are readable inside of the body. For rows in memory each
// function is one call of the body, or the loop that is given. Every loop over columns or values of the rows of a data
// set goes through one of these, unless its data is known to be in memory.
//
// A thread is in one body at a time: bodies do not begin another loop of this kind.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/parallel.h"
#include "base/tree_sum.h"
#include "data/extents.h"

namespace seesaw {

class Hold {
 public:
  Hold(Extents& extents, Extents::Range range, Extents::Range next) : extents_(extents), range_(range) {
    if (range_.begin < range_.end) extents_.hold(range_, next);
  }
  ~Hold() {
    if (range_.begin < range_.end) extents_.release(range_);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Extents& extents_;
  Extents::Range range_;
};

// The number of entries of the rows before i, 0 <= i <= count.
template <class RowsOf>
std::size_t entries_before(const RowsOf& rows, std::size_t i) {
  if constexpr (requires { rows.offsets(); }) return rows.offsets()[i];
  else return i * rows.width();
}

// The extents of the rows begin .. end - 1. skew: Extents::skew().
template <class RowsOf>
Extents::Range extents_of_rows(const RowsOf& rows, std::size_t begin, std::size_t end, std::size_t skew) {
  const std::size_t first = skew + entries_before(rows, begin), last = skew + entries_before(rows, end);
  if (first == last) return {0, 0};
  return {first / extent_entries, (last - 1) / extent_entries + 1};
}

// The first row in begin + 1 .. end that begins in a later extent than row `begin`.
template <class RowsOf>
std::size_t end_of_piece(const RowsOf& rows, std::size_t begin, std::size_t end, std::size_t skew) {
  const std::size_t border = ((skew + entries_before(rows, begin)) / extent_entries + 1) * extent_entries - skew;
  std::size_t low = begin + 1, high = end;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (entries_before(rows, middle) < border) low = middle + 1;
    else high = middle;
  }
  return low;
}

// body(first, last) for contiguous ranges that make up begin .. end - 1, in their order.
template <class RowsOf, class Body>
void resident(const RowsOf& rows, std::size_t begin, std::size_t end, const Body& body) {
  Extents* const extents = extents_of(rows);
  if (extents == nullptr) return body(begin, end);
  while (begin < end) {
    const std::size_t last = end_of_piece(rows, begin, end, extents->skew());
    const Extents::Range range = extents_of_rows(rows, begin, last, extents->skew());
    const Hold hold(*extents, range, {range.end, extents->bytes().extents()});
    body(begin, last);
    begin = last;
  }
}

// The same for the rows which[begin] .. which[end - 1], ascending: body(first, last) has positions in the list. Extents
// without a listed row are not read.
template <class RowsOf, class Body>
void resident(const RowsOf& rows, std::span<const std::uint32_t> which, std::size_t begin, std::size_t end,
              const Body& body) {
  Extents* const extents = extents_of(rows);
  if (extents == nullptr) return body(begin, end);
  const auto end_from = [&](std::size_t first) {
    if (first == end) return end;
    const std::size_t row = end_of_piece(rows, which[first], rows.count(), extents->skew());
    return static_cast<std::size_t>(std::lower_bound(which.begin() + static_cast<std::ptrdiff_t>(first),
                                                     which.begin() + static_cast<std::ptrdiff_t>(end), row) -
                                    which.begin());
  };
  const auto extents_from = [&](std::size_t first, std::size_t last) -> Extents::Range {
    return first == last ? Extents::Range{0, 0}
                         : extents_of_rows(rows, which[first], which[last - 1] + 1, extents->skew());
  };
  std::size_t last = begin < end ? end_from(begin) : end;
  while (begin < end) {
    const std::size_t after = end_from(last);
    const Hold hold(*extents, extents_from(begin, last), extents_from(last, after));
    body(begin, last);
    begin = last;
    last = after;
  }
}

// body(begin, end) for all rows, in parallel and in no certain order: for rows in memory these chunks of them, for rows
// on disk ranges that threads take in the order of the rows.
template <class RowsOf, class Body>
void resident_chunks(const RowsOf& rows, const Chunks& chunks, const Body& body) {
  if (extents_of(rows) == nullptr)
    return parallel_chunks(chunks, [&](std::size_t, std::size_t begin, std::size_t end) { body(begin, end); });
  const std::size_t pieces = std::max<std::size_t>(rows.entries() / (extent_entries / 4), 1), n = rows.count();
  const auto row_at = [&](std::size_t piece) { return n * piece / pieces; };
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t) {
    for (std::size_t piece = next++; piece < pieces; piece = next++)
      resident(rows, row_at(piece), row_at(piece + 1), body);
  };
  parallel_workers(std::min(pieces, available_threads()), work);
}

}  // namespace seesaw
