#include "base/freed_memory.h"

#include <cstddef>
#include <cstdlib>

namespace seesaw {

void keep_freed_memory() {
  constexpr std::size_t largest = std::size_t{31} << 20;  // glibc adapts its thresholds to freed blocks of up to 32 MB
  static const bool done = [] {
    void* volatile memory = std::malloc(largest);  // mapped, and not touched
    std::free(memory);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace seesaw
