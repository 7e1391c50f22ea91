// The processes of this command: several if mpirun started them.
#pragma once

#include <string>

#include "base/ranks.h"

namespace seesaw::app {

// Null: one process. Set by start_ranks().
Ranks* ranks();

// Loads seesaw_mpi.so where mpirun started several processes (OMPI_COMM_WORLD_SIZE, PMI_SIZE); throws Error if that is
// missing. All ranks but the first print nothing from here on.
void start_ranks();

bool is_first();  // the rank that prints and writes files; with one process true

// The end of a command on all ranks: its exit code.
int end_ranks(int code);
// The end after an error: one sentence is printed once, by the first of the ranks that failed. A rank that fails alone ends
// all others.
int fail_on_ranks(const std::string& sentence, int code);

}  // namespace seesaw::app
