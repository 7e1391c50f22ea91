// The number of threads available. Results must not depend on it.
#pragma once

#include <cstddef>

namespace seesaw {

// What a user may request: each thread takes memory of its own, with or without work.
inline constexpr int most_threads = 1024;

// The number of tasks that can run in parallel here, at least 1.
std::size_t available_threads();

}  // namespace seesaw
