// Memory for large arrays, in pages of 2 MB where the system supports them. A page fault costs 1 us or more whatever
// the page size; for 4 KB pages that is as long as parsing the text that fills them. Random access to rows also has
// fewer TLB misses.
#pragma once

#include <cstddef>

namespace seesaw {

// As realloc, but the caller passes the old size in bytes (0 for nullptr). Added memory is not initialized and not
// resident before it is touched. Growing remaps pages, it does not copy them. Throws std::bad_alloc.
void* resize_memory(void* memory, std::size_t old_bytes, std::size_t new_bytes);
void free_memory(void* memory, std::size_t bytes);

}  // namespace seesaw
