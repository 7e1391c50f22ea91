// The curves of runs over their seeds as a table of CSV: for each problem and method, at every pass where a run was
// checked, the mean, the median and quantiles of the gap and of what else a check has.
#pragma once

#include <string>
#include <vector>

#include "study/record.h"

namespace seesaw {

// Columns: problem, method, quantity (gap, relative_gap, primal, dual, entry_passes, seconds), passes, seeds, mean, median,
// q10, q25, q75, q90. Between two checks of a seed its value is interpolated (study/measures.h). After its last check a seed
// keeps its last value, as on the page: without the seeds that have converged, the rows of late passes would be those of the
// slowest ones. A seed counts from its first check on. One-versus-rest: the checks of each class are a problem of their own. Reference runs
// are left out.
std::string curves_csv(const std::vector<RunRecord>& records);

}  // namespace seesaw
