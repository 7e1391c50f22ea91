// The processes of a run on several machines: rank 0 .. size - 1. Each has a contiguous range of the rows; all execute the
// same program, and exchange what base/tree_sum.h joins, and a few small values that they must agree on.
//
// One primitive is implemented by a transport (src/mpi; threads in tests): the exchange of blocks of bytes. The collective
// operations below are made of it, so that messages and bytes are counted in one place, and no order of summation is left
// to the transport. Every rank makes the same calls in the same order, from one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace seesaw {

class Ranks {
 public:
  struct Outgoing {
    int to;
    const void* data;
    std::size_t bytes;
  };
  struct Incoming {
    int from;
    void* data;
    std::size_t bytes;
  };
  // Of this rank: collective operations, and what it sent.
  struct Counts {
    std::size_t operations = 0, messages = 0, bytes = 0;
  };

  Ranks() = default;
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool first() const { return rank() == 0; }

  // Returns when all blocks are sent and received. Blocks between two ranks arrive in their order; both sides give the
  // same sizes.
  void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming);
  void send(int to, const void* data, std::size_t bytes);
  void receive(int from, void* data, std::size_t bytes);

  // ceil(log2(size)) rounds.
  void broadcast(int root, void* data, std::size_t bytes);
  // all[r]: what rank r gave, `bytes` each. ceil(log2(size)) rounds.
  void gather(const void* own, std::size_t bytes, void* all);
  // The same with different sizes, known to all: bounds[r] .. bounds[r + 1] of `all` comes from rank r, which has written
  // it there. size - 1 rounds; every byte is sent size - 1 times in total.
  void complete(std::span<const std::size_t> bounds, void* all);

  template <class T>
  std::vector<T> gather(const T& own) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all(static_cast<std::size_t>(size()));
    gather(&own, sizeof own, all.data());
    return all;
  }
  // What all ranks gave, in the order of the ranks.
  template <class T>
  std::vector<T> concatenate(std::span<const T> own);
  template <class T>
  void broadcast(int root, std::vector<T>& numbers);
  // The sum over the ranks of each of some whole numbers, in any order.
  void add_up(std::vector<std::uint32_t>& numbers);

  const Counts& counts() const { return counts_; }

  // The end of this process: the exit codes of all, or nothing if the others have not ended within `seconds`. No other
  // call may follow, except abort(), which ends all processes.
  virtual std::optional<std::vector<int>> ends(int code, [[maybe_unused]] double seconds) {
    return std::vector<int>(static_cast<std::size_t>(size()), code);
  }
  virtual void abort([[maybe_unused]] int code) {}

 protected:
  virtual void transfer(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) = 0;

 private:
  Counts counts_;
};

template <class T>
std::vector<T> Ranks::concatenate(std::span<const T> own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::size_t> bounds{0};
  for (const std::size_t count : gather(own.size())) bounds.push_back(bounds.back() + count * sizeof(T));
  std::vector<T> all(bounds.back() / sizeof(T));
  for (std::size_t k = 0; k < own.size(); ++k) all[bounds[static_cast<std::size_t>(rank())] / sizeof(T) + k] = own[k];
  complete(bounds, all.data());
  return all;
}

template <class T>
void Ranks::broadcast(int root, std::vector<T>& numbers) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::size_t count = numbers.size();
  broadcast(root, &count, sizeof count);
  numbers.resize(count);
  broadcast(root, numbers.data(), count * sizeof(T));
}

class Leaves;
// The elements of a list that the ranks before this one have, and those that all have. `here`: those of this process.
struct PlaceAmongRanks {
  std::size_t before, all;
};
PlaceAmongRanks place_among_ranks(const Leaves& leaves, std::size_t here);

}  // namespace seesaw
