#include "verify/at_zero.h"

#include <algorithm>

#include "verify/passes.h"

namespace seesaw {

AtZero recompute_at_zero(const Dataset& data, LinearModel model) {
  std::fill(model.x.begin(), model.x.end(), 0.0);
  std::fill(model.intercept.begin(), model.intercept.end(), 0.0);
  const verifier::StatedProblem problem(data, model);
  const verifier::RowResults rows = verifier::pass_over_rows(problem);
  return {problem.total.high, (rows.of[0].primal.value(problem.n) / problem.total).upper()};
}

}  // namespace seesaw
