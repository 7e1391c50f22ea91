// Memory for large arrays, in pages of 2 MB where the system has them. The first touch of a page costs the system a
// microsecond or more whatever its size, which for pages of 4 KB is as long as parsing the text that fills them; and
// rows that are visited at random are found faster.
#pragma once

#include <cstddef>

namespace seesaw {

// As realloc, but the caller knows the old size: both in bytes, nullptr has 0. What is added is not initialized, and
// not in memory before it is touched. Growing moves pages, it does not copy them. Throws std::bad_alloc.
void* resize_memory(void* memory, std::size_t old_bytes, std::size_t new_bytes);
void free_memory(void* memory, std::size_t bytes);

}  // namespace seesaw
