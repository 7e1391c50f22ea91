// The numbers per column of a primal point: one, known to the compiler, or several.
#pragma once

#include <cstddef>

namespace seesaw {

struct OneOutput {
  static constexpr std::size_t size() { return 1; }
};
struct SeveralOutputs {
  std::size_t count;
  std::size_t size() const { return count; }
};

}  // namespace seesaw
