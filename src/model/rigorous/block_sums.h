// Sums of rounded products for K numbers per row and column, four at a time: the operations of each sum are those of
// Accumulator (products.cpp), in the same order.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace seesaw::rigorous {

inline constexpr std::size_t block_lanes = 4;
inline std::size_t vectors_of(std::size_t K) { return (K + block_lanes - 1) / block_lanes; }

using Four [[gnu::vector_size(32)]] = double;
[[gnu::always_inline]] inline void load(const double* from, Four& to) { std::memcpy(&to, from, sizeof to); }
[[gnu::always_inline]] inline void store(const Four& from, double* to) { std::memcpy(to, &from, sizeof from); }

// What n products of four columns, each added with compensation, have come to.
struct FourSums {
  double sum[block_lanes], carry[block_lanes], size[block_lanes];

  FourSums& operator+=(const FourSums& other) {
    for (std::size_t l = 0; l < block_lanes; ++l) {
      const double after = sum[l] + other.sum[l], moved = after - sum[l];
      carry[l] += ((sum[l] - (after - moved)) + (other.sum[l] - moved)) + other.carry[l];
      sum[l] = after;
      size[l] += other.size[l];
    }
    return *this;
  }
};

// The same in registers.
struct FourRegisters {
  Four sum, carry, size;

  [[gnu::always_inline]] void clear() { sum = carry = size = Four{}; }
  [[gnu::always_inline]] void read(const FourSums& from) {
    load(from.sum, sum);
    load(from.carry, carry);
    load(from.size, size);
  }
  [[gnu::always_inline]] void write(FourSums& to) const {
    store(sum, to.sum);
    store(carry, to.carry);
    store(size, to.size);
  }
  [[gnu::always_inline]] void add(const Four& product) {
    using Bits [[gnu::vector_size(32)]] = std::int64_t;
    const Four after = sum + product, moved = after - sum;
    carry += (sum - (after - moved)) + (product - moved);
    sum = after;
    size += (Four)((Bits)product & 0x7fffffffffffffff);
  }
};

// body(integral constant: vectors, first vector) for blocks of at most three vectors, whose sums stay in registers.
template <class Body>
[[gnu::always_inline]] inline void in_blocks(std::size_t vectors, const Body& body) {
  std::size_t first = 0;
  for (; first + 3 <= vectors; first += 3) body(std::integral_constant<std::size_t, 3>(), first);
  if (vectors - first == 2) body(std::integral_constant<std::size_t, 2>(), first);
  else if (vectors - first == 1) body(std::integral_constant<std::size_t, 1>(), first);
}

}  // namespace seesaw::rigorous
