// Where a fit was busy: the threads of this process, and the disk.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.h"
#include "run/lines.h"

namespace seesaw::app {

struct ThreadTime {
  std::string role;  // "main", "worker", or "disk": threads that read rows on disk
  double cpu;        // seconds
};

// Those that exist now, the main thread first; threads without a hundredth of a second are left out. Empty where the
// system does not report it.
std::vector<ThreadTime> thread_times();

// Of rows on disk: reads, bytes, seconds in which one was reading, seconds that others waited; otherwise null.
Json disk_of(const Dataset& data);

}  // namespace seesaw::app
