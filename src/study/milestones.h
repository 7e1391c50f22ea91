// When a run first came within a gap, and what several seeds say together.
#pragma once

#include <optional>
#include <vector>

#include "study/record.h"

namespace seesaw {

struct Milestone {
  double passes = 0, seconds = 0, entries = 0;  // seconds of solving: checks are not charged to the method
};

// At the first check with gap <= level * P; nothing where there was none.
std::optional<Milestone> first_within(const RunRecord& run, double relative_gap);

// The middle of each number over the seeds, a seed that did not arrive counting as infinity: nothing where half of them
// or more did not.
std::optional<Milestone> median(const std::vector<std::optional<Milestone>>& seeds);
double median(std::vector<double> values);  // the mean of the two in the middle; infinity where there are none

}  // namespace seesaw
