// Runs a loop compiled for the level in use: at_level([&]() __attribute__((always_inline)) { ... }). Functions that the
// body calls should be always_inline too: what is not inlined is compiled for the baseline. Results are bitwise
// identical at every level.
#pragma once

#include "kernels/table.h"

namespace seesaw {

#if defined(__x86_64__)
template <class Body>
[[gnu::target("avx2,fma"), gnu::noinline]] auto at_avx2(const Body& body) {
  return body();
}
template <class Body>
[[gnu::target("avx512f,avx512dq,avx512vl,avx2,fma"), gnu::noinline]] auto at_avx512(const Body& body) {
  return body();
}
#endif

template <class Body>
auto at_level(const Body& body) {
#if defined(__x86_64__)
  if (isa_in_use() == Isa::avx2) return at_avx2(body);
  if (isa_in_use() == Isa::avx512) return at_avx512(body);
#endif
  return body();
}

}  // namespace seesaw
