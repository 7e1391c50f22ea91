#include "run/trace_row.h"

#include <algorithm>

#include "data/extents.h"

namespace seesaw {

TraceRow trace_row(const Problem& problem, const Incumbent& incumbent, const Point& candidate, const Work& work) {
  TraceRow row{incumbent.bounds};
  row.latest_primal = incumbent.latest.primal;
  row.latest_dual = incumbent.latest.dual;
  row.dual_point = incumbent.latest.dual_point;
  row.passes = work.passes;
  row.entry_passes = work.entries / static_cast<double>(std::max<std::size_t>(problem.data->nnz, 1));
  row.nonzeros =
      static_cast<std::size_t>(std::count_if(candidate.x.begin(), candidate.x.end(), [](double x) { return x != 0; }));
  if (const Extents* const extents = extents_of(problem.data->rows)) {
    const auto bytes = static_cast<double>(extents->budget()->bytes_read);
    row.diagnostics.push_back({"file_reads", bytes / static_cast<double>(extents->file_bytes())});
    row.diagnostics.push_back({"file_bytes", bytes});
  }
  return row;
}

}  // namespace seesaw
