#include "solvers/auto/workload.h"

#include "base/tree_sum.h"
#include "data/extents.h"

namespace seesaw {
namespace {

LossShape loss_of(const Problem& problem) {
  if (problem.is_block())
    return std::holds_alternative<Softmax>(problem.block().loss) ? LossShape::softmax : LossShape::multiclass_hinge;
  if (std::holds_alternative<Logistic>(problem.scalar().loss)) return LossShape::logistic;
  return problem.gamma() > 0 ? LossShape::quadratic : LossShape::nonsmooth;
}

}  // namespace

Workload workload_of(const Problem& problem) {
  Workload w{};
  w.loss = loss_of(problem);
  w.shape = shape_of(problem.data->rows);
  w.outputs = static_cast<double>(problem.outputs());
  w.lambda = problem.penalty.l2() > 0;
  w.l1 = problem.penalty.l1() > 0;
  const double gamma = w.loss == LossShape::quadratic ? problem.gamma() : 1;
  w.squared = w.loss == LossShape::quadratic && delta_of(problem.scalar().loss) > 0;
  w.condition = infinity;
  if (w.lambda)
    w.condition = product_over(problem.leaves(), problem.normalized_weight, problem.squared_row_norms()) /
                  (problem.penalty.l2() * w.shape.n * gamma);
  if (const Extents* const extents = extents_of(problem.data->rows))
    w.disk_bytes = static_cast<double>(extents->file_bytes());
  return w;
}

}  // namespace seesaw
