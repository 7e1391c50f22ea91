#include "solvers/parts/newton/newton_plan.h"

#include <cmath>

#include "base/elementary.h"
#include "base/tree_sum.h"

namespace seesaw {
namespace {

constexpr double max_matrix_features = 2500;  // features for which H is factored

double losses_of(const NewtonFacts& facts) { return facts.shape.n * (facts.logistic ? 10 : 2); }

NewtonPlan wide(const NewtonFacts& facts, const SecondOrderCost& cost) {
  const double products = 25 * power_of(1 + facts.s, 0.4) + 2.5 * (6 + 4 * log10_of(1 + facts.s));
  return {facts.s > 1000 ? SystemKind::block : SystemKind::diagonal, false,
          products * cost.product + 8 * losses_of(facts)};
}

}  // namespace

double NewtonFacts::steps() const { return quadratic ? 1 : 6 + 1.5 * log10_of(1 + s); }

NewtonFacts newton_facts(const Problem& problem) {
  const Loss& loss = problem.scalar().loss;
  NewtonFacts facts{shape_of(problem.data->rows), 0, std::holds_alternative<Logistic>(loss), delta_of(loss) > 0};
  const std::vector<double>& squares = problem.squared_row_norms();
  const double mean = product_over(problem.leaves(), problem.normalized_weight, squares);
  facts.s = problem.penalty.l2() > 0 ? std::min(1e12, mean / (problem.penalty.l2() * facts.shape.n)) : 1e12;
  return facts;
}

NewtonPlan plan_newton(const NewtonFacts& facts, const Costs& costs) {
  const Shape& shape = facts.shape;
  const SecondOrderCost cost(shape, costs);
  if (shape.d > max_matrix_features) return wide(facts, cost);

  const double steps = facts.steps(), losses = losses_of(facts);
  NewtonPlan best{SystemKind::cholesky, false,
                  steps * (cost.assembly + 1.5 * cost.product + losses + cost.factorization)};
  // A small sample with a small lambda overfits: its optimum would be far from that of all rows.
  const bool many = shape.n >= 1000 * shape.d;
  best.sampled_start = !facts.quadratic && (many || (shape.n >= 150 * shape.d && facts.s <= 1000));
  if (best.sampled_start) best.nanoseconds *= many ? 0.4 : 0.8;

  const auto consider = [&](SystemKind system, double nanoseconds) {
    if (nanoseconds < best.nanoseconds) best = {system, false, nanoseconds};
  };
  // A sample misses rare features: needs sufficiently dense rows.
  const double r = shape.entries_per_row();
  if (cost.assembly >= 8 * cost.product && shape.density() >= 0.15 && (r >= 100 || facts.s <= 10))
    consider(SystemKind::sampled,
             (facts.s > 1000 ? 3 : 1) * (cost.assembly * std::min(1.0, 8 * shape.d / shape.n) + cost.factorization) +
                 cost.product * (10 * power_of(1 + facts.s, 0.3) + 2.5 * steps) + steps * losses);
  if (cost.assembly >= 60 * cost.product)
    consider(SystemKind::diagonal, cost.product * (25 * power_of(1 + facts.s, 0.4) + 2.5 * steps) + steps * losses);
  return best;
}

}  // namespace seesaw
