// The only source of randomness: PCG64, seeded by the user, never global. The distributions here give the same numbers
// on every machine, which those of the standard library do not guarantee.
#pragma once

#include <cmath>
#include <cstdint>
#include <pcg_random.hpp>
#include <span>
#include <utility>

#include "base/elementary.h"

namespace seesaw {

class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) : engine_(seed, stream) {}

  std::uint64_t bits() { return engine_(); }

  // Uniform on [0, 1) with 53 bits.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

  // Uniform on {0, ..., bound - 1}, without modulo bias (Lemire).
  std::uint32_t below(std::uint32_t bound) {
    auto product = static_cast<std::uint64_t>(half()) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t threshold = -bound % bound;
      while (static_cast<std::uint32_t>(product) < threshold) product = static_cast<std::uint64_t>(half()) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // Standard normal (Box-Muller, one of the pair).
  double normal() {
    const double radius = std::sqrt(-2 * log_of(1 - uniform()));
    return radius * cos_of_turn(uniform());
  }

  // Fisher-Yates.
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t left = items.size(); left > 1; --left)
      std::swap(items[left - 1], items[below(static_cast<std::uint32_t>(left))]);
  }

 private:
  std::uint32_t half() {  // 32 bits per call; both halves of a 64-bit word are used
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const std::uint64_t word = bits();
    spare_ = static_cast<std::uint32_t>(word);
    has_spare_ = true;
    return static_cast<std::uint32_t>(word >> 32);
  }

  pcg64 engine_;
  std::uint32_t spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace seesaw
