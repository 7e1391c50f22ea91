#include "base/large_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace seesaw {
namespace {

constexpr std::size_t page = std::size_t{1} << 21;
constexpr std::size_t large = 2 * page;  // smaller arrays come and go, and malloc reuses them without page faults

bool mapped(std::size_t bytes) { return bytes > large; }
std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

// `size` bytes of address space, aligned to a 2 MB page.
void* reserve(std::size_t size) {
  void* const begin =
      mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t aligned = (first + page - 1) / page * page;
  if (aligned > first) munmap(begin, aligned - first);
  if (const std::size_t after = first + page - aligned; after > 0)
    munmap(reinterpret_cast<void*>(aligned + size), after);
  auto* const memory = reinterpret_cast<void*>(aligned);
  madvise(memory, size, MADV_HUGEPAGE);  // advisory: failure is harmless
  return memory;
}

void* resize_mapped(void* memory, std::size_t old_size, std::size_t new_size) {
  if (new_size == old_size) return memory;
  if (new_size < old_size) {
    munmap(static_cast<char*>(memory) + new_size, old_size - new_size);
    return memory;
  }
  if (mremap(memory, old_size, new_size, 0) != MAP_FAILED) return memory;  // grown in place
  void* const place = reserve(new_size);
  if (mremap(memory, old_size, new_size, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED) {
    munmap(place, new_size);
    throw std::bad_alloc();
  }
  return place;
}

}  // namespace

void* resize_memory(void* memory, std::size_t old_bytes, std::size_t new_bytes) {
  if (mapped(old_bytes) && mapped(new_bytes))
    return resize_mapped(memory, whole_pages(old_bytes), whole_pages(new_bytes));
  void* moved = nullptr;
  if (mapped(new_bytes)) moved = reserve(whole_pages(new_bytes));
  else if (mapped(old_bytes)) moved = std::malloc(new_bytes);
  else moved = std::realloc(memory, new_bytes);
  if (moved == nullptr) throw std::bad_alloc();
  if (mapped(old_bytes) || mapped(new_bytes)) {
    if (memory != nullptr) std::memcpy(moved, memory, std::min(old_bytes, new_bytes));
    free_memory(memory, old_bytes);
  }
  return moved;
}

void free_memory(void* memory, std::size_t bytes) {
  if (mapped(bytes)) munmap(memory, whole_pages(bytes));
  else std::free(memory);
}

}  // namespace seesaw
