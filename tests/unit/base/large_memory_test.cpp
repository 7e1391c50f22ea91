#include "base/large_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <new>

#include "base/buffer.h"

namespace seesaw {
namespace large_memory_test {

// Grows and shrinks through small and large sizes; the contents are kept.
TEST(LargeMemory, keeps_its_contents_when_it_grows_and_shrinks) {
  constexpr std::size_t MB = std::size_t{1} << 20;
  unsigned char* memory = nullptr;
  std::size_t size = 0, known = 0;  // bytes, and the number of them that were written
  for (const std::size_t next : {std::size_t{100}, MB / 2, MB / 2 + 1, 2 * MB, 2 * MB + 1, 4 * MB, 4 * MB + 1, 9 * MB,
                                 33 * MB, 5 * MB, MB, std::size_t{77}, 3 * MB, std::size_t{8}}) {
    memory = static_cast<unsigned char*>(resize_memory(memory, size, next));
    for (std::size_t at = 0; at < std::min(known, next); at += 61) ASSERT_EQ(memory[at], at % 251) << next;
    for (std::size_t at = 0; at < next; ++at) memory[at] = static_cast<unsigned char>(at % 251);
    size = known = next;
  }
  free_memory(memory, size);
  free_memory(nullptr, 0);
}

TEST(LargeMemory, that_is_not_available_throws) {
  EXPECT_THROW(resize_memory(nullptr, 0, std::size_t{1} << 62), std::bad_alloc);
}

TEST(LargeMemory, is_used_by_large_buffers) {
  Buffer<double> buffer, other;
  for (int k = 0; k < 1000000; ++k) {
    buffer.push_back(k);
    if (k % 3 == 0) other.push_back(-k);
  }
  ASSERT_EQ(buffer.size(), 1000000u);
  for (int k = 0; k < 1000000; ++k) ASSERT_EQ(buffer[static_cast<std::size_t>(k)], k);
  auto* bytes = reinterpret_cast<std::byte*>(buffer.data());
  for (std::size_t k = 0; k < buffer.size(); ++k) {
    const auto narrow = static_cast<float>(buffer[k]);
    std::memcpy(bytes + k * sizeof narrow, &narrow, sizeof narrow);
  }
  const Buffer<float> floats = std::move(buffer).narrowed<float>();
  ASSERT_EQ(floats.size(), 1000000u);
  for (int k = 0; k < 1000000; ++k) ASSERT_EQ(floats[static_cast<std::size_t>(k)], static_cast<float>(k));
  other.release_front(100000);
  EXPECT_EQ(other[200000], -600000.0);
}

}  // namespace large_memory_test
}  // namespace seesaw
