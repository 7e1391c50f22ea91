// Eight numbers: one vector register where there are such, with the same bits everywhere. Passed by reference: as values
// they would be passed differently at each level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace seesaw::rigorous {

using Eight [[gnu::vector_size(64)]] = double;

[[gnu::always_inline]] inline void load(const double* from, Eight& to) { std::memcpy(&to, from, sizeof to); }
[[gnu::always_inline]] inline void load(const float* from, Eight& to) {
  for (std::size_t l = 0; l < 8; ++l) to[l] = static_cast<double>(from[l]);
}

// to += |numbers|
[[gnu::always_inline]] inline void add_sizes(const Eight& numbers, Eight& to) {
  using Bits [[gnu::vector_size(64)]] = std::int64_t;
  to += (Eight)((Bits)numbers & 0x7fffffffffffffff);
}

// sum += term, what rounding took goes to carry (two_sum).
[[gnu::always_inline]] inline void add_term(const Eight& term, Eight& sum, Eight& carry) {
  const Eight after = sum + term, moved = after - sum;
  carry += (sum - (after - moved)) + (term - moved);
  sum = after;
}

}  // namespace seesaw::rigorous
