#include "base/freed_memory.h"

#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace seesaw {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;
constexpr std::size_t largest = 31 * megabyte;  // glibc adapts its thresholds to freed blocks of up to 32 MB

// The C library takes blocks below its threshold from the heap, whose end it keeps when they are freed.
void request_huge_pages() {
  constexpr std::size_t huge_page = 2 * megabyte;
  std::array<void*, 2> blocks{};  // together below what is returned to the system
  for (void*& block : blocks) {
    constexpr std::size_t size = 28 * megabyte;
    block = std::malloc(size);
    if (block == nullptr) continue;
    const auto address = reinterpret_cast<std::uintptr_t>(block);
    const std::uintptr_t begin = (address + huge_page - 1) / huge_page * huge_page;
    madvise(reinterpret_cast<void*>(begin), (address + size - begin) / huge_page * huge_page, MADV_HUGEPAGE);
  }
  for (void* const block : blocks) std::free(block);
}

}  // namespace

void keep_freed_memory() {
  static const bool done = [] {
    void* volatile memory = std::malloc(largest);  // mapped, and not touched
    std::free(memory);
    request_huge_pages();
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace seesaw
