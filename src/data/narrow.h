// Values as float.
#pragma once

#include <cstddef>
#include <span>

#include "base/buffer.h"

namespace seesaw {

inline bool is_float(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

// Rounds to float; returns whether all values are unchanged. Values beyond the range of float become infinity.
bool round_all(const double* from, std::size_t count, float* to);

// Throws Error if a value became infinity.
void check_range(std::span<const double> from, const float* to);

// The values rounded to float, in place. Throws Error if one is too large for that.
Buffer<float> narrowed(Buffer<double> values);

}  // namespace seesaw
