#include "base/freed_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <vector>

namespace seesaw {
namespace freed_memory_test {

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(FreedMemory, is_used_again_without_page_faults) {
  keep_freed_memory();
  const auto touch = [] {  // the same allocations twice: 12 MB
    std::vector<std::vector<double>> vectors;
    for (int k = 0; k < 6; ++k) vectors.emplace_back(250000, 1.0);
    return vectors[5][7];
  };
  double sum = touch();
  const long before = page_faults();
  sum += touch();
  EXPECT_LT(page_faults() - before, 600);  // 3000 pages of 4 KB
  EXPECT_EQ(sum, 2);
}
#endif

}  // namespace freed_memory_test
}  // namespace seesaw
