// What becomes of the memory that vectors have freed.
#pragma once

namespace seesaw {

// From now on the C library keeps up to 62 MB of freed memory for the next allocations, as it does after a program has
// freed an array of 31 MB. By default it returns vectors to the system and obtains them again, and the page faults are 10
// to 28 % of a short fit. For the first 56 MB of it pages of 2 MB are requested: the first use of vectors, by one thread,
// then takes a fifth less. Limits that the environment sets (mallopt, GLIBC_TUNABLES) stay in force.
void keep_freed_memory();

}  // namespace seesaw
