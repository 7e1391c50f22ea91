// The memory for rows on disk as the options of a command determine it.
#pragma once

#include <cstddef>
#include <string>

#include "data/dataset.h"
#include "memory.h"

namespace seesaw::app {

// The vectors of `train` with so many threads, in bytes (memory_for_training: with those that are available).
std::size_t vectors_for_training(const DataShape& shape, const std::string& solver, const std::string& loss,
                                 std::size_t threads);

// For rows on disk: sets ExtentBudget::nominal by --memory, the sizes of the data and the method alone. The program
// itself is counted with 24 MB, and its vectors for 8 threads.
void set_nominal_memory(const Dataset& data, const std::string& memory, const std::string& solver,
                        const std::string& loss);

}  // namespace seesaw::app
