// Rows that move between ranks (base/ranks.h), and the numbers that belong to them. The order of the rows is kept: those of
// a rank go to ranks in ascending order, and arrive in the order of their senders.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "base/ranks.h"
#include "data/own_rows.h"

namespace seesaw {

// What moves from one rank to another.
struct Moved {
  std::size_t rows = 0, entries = 0;
};

// Where each rank's rows go: moved[from * ranks + to].
class Moves {
 public:
  Moves(Ranks& ranks, const std::vector<Moved>& own) : ranks_(static_cast<std::size_t>(ranks.size())) {
    all_.resize(ranks_ * ranks_);
    ranks.gather(own.data(), own.size() * sizeof(Moved), all_.data());
  }
  const Moved& between(std::size_t from, std::size_t to) const { return all_[from * ranks_ + to]; }
  Moved to(std::size_t rank) const {
    Moved sum;
    for (std::size_t from = 0; from < ranks_; ++from) {
      sum.rows += between(from, rank).rows;
      sum.entries += between(from, rank).entries;
    }
    return sum;
  }

  // `per_row`, `per_entry`: elements of `from`, in the order of the rows.
  template <class T>
  void move(Ranks& ranks, std::span<const T> from, T* to, std::size_t per_row, std::size_t per_entry) const {
    const auto here = static_cast<std::size_t>(ranks.rank());
    const auto elements = [&](const Moved& moved) { return moved.rows * per_row + moved.entries * per_entry; };
    std::vector<Ranks::Outgoing> outgoing;
    std::vector<Ranks::Incoming> incoming;
    std::size_t sent = 0, received = 0, own_from = 0, own_to = 0;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      const std::size_t out = elements(between(here, rank)), in = elements(between(rank, here));
      if (rank == here) {
        own_from = sent;
        own_to = received;
      } else {
        if (out > 0) outgoing.push_back({static_cast<int>(rank), from.data() + sent, out * sizeof(T)});
        if (in > 0) incoming.push_back({static_cast<int>(rank), to + received, in * sizeof(T)});
      }
      sent += out;
      received += in;
    }
    std::copy_n(from.data() + own_from, elements(between(here, here)), to + own_to);
    ranks.exchange(outgoing, incoming);
  }

 private:
  std::size_t ranks_;
  std::vector<Moved> all_;
};

// The rows that this rank has after the moves.
template <class Value>
SparseRows<Value> moved_rows(const SparseRows<Value>& rows, const Moves& moves, Ranks& ranks) {
  const Moved own = moves.to(static_cast<std::size_t>(ranks.rank()));
  std::vector<std::uint64_t> sizes(rows.count());
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = rows.entries(i);
  Buffer<std::uint64_t> offsets(own.rows + 1);
  Buffer<std::uint32_t> columns(own.entries);
  Buffer<Value> values(own.entries);
  moves.move<std::uint64_t>(ranks, sizes, offsets.data() + 1, 1, 0);
  moves.move<std::uint32_t>(ranks, rows.columns(), columns.data(), 0, 1);
  moves.move<Value>(ranks, rows.values(), values.data(), 0, 1);
  offsets[0] = 0;
  for (std::size_t i = 0; i < own.rows; ++i) offsets[i + 1] += offsets[i];
  return own_sparse_rows(rows.width(), std::move(offsets), std::move(columns), std::move(values));
}

template <class Value>
DenseRows<Value> moved_rows(const DenseRows<Value>& rows, const Moves& moves, Ranks& ranks) {
  const Moved own = moves.to(static_cast<std::size_t>(ranks.rank()));
  Buffer<Value> values(own.rows * rows.width());
  moves.move<Value>(ranks, rows.values(), values.data(), rows.width(), 0);
  return own_dense_rows(own.rows, rows.width(), std::move(values));
}

}  // namespace seesaw
