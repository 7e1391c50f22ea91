#include "data/narrow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "seesaw/error.h"

namespace seesaw {

bool round_all(const double* from, std::size_t count, float* to) {
  std::size_t changed = 0;
  for (std::size_t k = 0; k < count; ++k) {
    to[k] = static_cast<float>(from[k]);
    changed += static_cast<double>(to[k]) != from[k];
  }
  return changed == 0;
}

void check_range(std::span<const double> from, const float* to) {
  for (std::size_t k = 0; k < from.size(); ++k)
    if (std::isinf(to[k]))
      throw Error(fmt::format("the value {} is too large for single precision; leave out `float32`.", from[k]));
}

// The floats occupy the first half of the doubles, so a float never overwrites a double that is still to be read, provided
// that a block is read before it is written.
Buffer<float> narrowed(Buffer<double> values) {
  constexpr std::size_t block = 4096;
  float rounded[block];
  auto* const bytes = reinterpret_cast<std::byte*>(values.data());
  for (std::size_t begin = 0; begin < values.size(); begin += block) {
    const std::size_t count = std::min(block, values.size() - begin);
    round_all(values.data() + begin, count, rounded);
    check_range({values.data() + begin, count}, rounded);
    std::memcpy(bytes + begin * sizeof(float), rounded, count * sizeof(float));
  }
  return std::move(values).narrowed<float>();
}

}  // namespace seesaw
