#include "base/parallel_elements.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "base/rng.h"

namespace seesaw {
namespace parallel_elements_test {

// Sizes of no, one and several chunks.
const std::vector<std::size_t> sizes = {0, 1, 7, 16384, 16385, 100'003};

TEST(SelectInOrder, GivesTheElementsOfASerialLoop) {
  for (const std::size_t threads : {1, 4}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    for (const std::size_t size : sizes)
      for (const unsigned out_of_8 : {0U, 1U, 7U, 8U}) {
        Rng rng(size + out_of_8);
        std::vector<char> kept(size);
        for (char& keep : kept) keep = rng.below(8) < out_of_8;
        std::vector<std::uint32_t> expected, selected(3, 99);
        for (std::size_t i = 0; i < size; ++i)
          if (kept[i]) expected.push_back(static_cast<std::uint32_t>(i));
        select_in_order(
            size, [&](std::size_t i) { return kept[i] != 0; }, [&](std::size_t count) { selected.resize(count); },
            [&](std::size_t place, std::size_t i) { selected[place] = static_cast<std::uint32_t>(i); });
        EXPECT_EQ(selected, expected) << size << " elements, " << out_of_8 << "/8 of them, " << threads << " threads";
      }
  }
}

TEST(ParallelElements, VisitsEachOnce) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 4);
  for (const std::size_t size : sizes) {
    std::vector<int> visits(size);
    parallel_elements(size, [&](std::size_t i) { ++visits[i]; });
    EXPECT_EQ(visits, std::vector<int>(size, 1));
  }
}

TEST(ParallelCopy, CopiesToVectorsOfAnySize) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 4);
  for (const std::size_t size : sizes)
    for (const std::size_t before : {std::size_t{0}, size, size + 1}) {
      std::vector<int> from(size), to(before, -1);
      std::iota(from.begin(), from.end(), 0);
      parallel_copy(from, to);
      EXPECT_EQ(to, from);
    }
}

}  // namespace parallel_elements_test
}  // namespace seesaw
