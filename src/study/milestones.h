// The cost at which a run first reached a gap, and its median over seeds.
#pragma once

#include <optional>
#include <vector>

#include "study/record.h"

namespace seesaw {

struct Milestone {
  double passes = 0, seconds = 0, entries = 0;  // seconds of solving, without checks
};

// At the first check with gap <= relative_gap * P; nothing if there is none.
std::optional<Milestone> first_within(const RunRecord& run, double relative_gap);

// The median of each number over the seeds; a seed that did not converge counts as infinity. Nothing if the median is
// infinite.
std::optional<Milestone> median(const std::vector<std::optional<Milestone>>& seeds);
double median(std::vector<double> values);  // of an even number: the mean of the middle two; of none: infinity

}  // namespace seesaw
