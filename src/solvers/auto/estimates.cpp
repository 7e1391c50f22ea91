#include "solvers/auto/estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "solvers/parts/newton/newton_plan.h"

namespace seesaw {
namespace {

constexpr double widest_system = 2500;  // unknowns for which a Cholesky factor is worth having
constexpr double ns = 1e-9;

// The parts that the estimates are made of.
struct Parts {
  double n, d, entries;
  double s;              // how hard the problem is for first-order methods
  double log_s;          // log10(1 + s)
  double digits;         // asked for, in units of six
  SecondOrderCost cost;  // in nanoseconds

  Parts(const Workload& w, const Costs& costs, double gap)
      : n(w.shape.n),
        d(w.shape.d),
        entries(w.shape.nnz),
        s(std::min(w.stiffness, 1e9)),
        log_s(log10_of(1 + s)),
        digits(std::clamp(-log10_of(std::max(gap, 1e-16)) / 6, 0.2, 3.0)),
        cost(w.shape, costs) {}
};

Estimate sdca(const Workload& w, const Costs& costs, const Parts& p) {
  const bool logs = w.loss == LossShape::logistic || w.loss == LossShape::softmax;
  const double passes = (logs ? 5 + 3 * p.s : w.loss == LossShape::quadratic ? 7 + 6 * p.s : 10 + 45 * p.s) * p.digits;
  const double row = w.loss == LossShape::logistic ? 60 : w.loss == LossShape::softmax ? 60 * w.outputs : 10;
  const double pass = ns * (1.5 * costs.product * p.entries * w.outputs + row * p.n);
  return {"sdca", passes * pass, passes,
          "lambda n is large against the rows, so that passes over single rows arrive soon"};
}

Estimate newton(const Workload& w, const Costs& costs, const Parts& p) {
  const NewtonFacts facts{w.shape, w.lambda ? p.s : 1e12, w.loss == LossShape::logistic};
  const NewtonPlan plan = plan_newton(facts, costs);
  return {"newton", ns * plan.nanoseconds * (0.6 + 0.4 * p.digits), 4 * facts.steps(),
          p.d <= widest_system
              ? fmt::format("the loss is smooth and a system of {} unknowns is soon solved", p.d)
              : std::string("the loss is smooth and lambda small, where second-order steps by conjugate gradients are "
                            "worth their price")};
}

Estimate ssn(const Parts& p) {
  const double steps = (12 + 22 * p.log_s) * std::max(0.7, p.digits);
  return {"ssn",
          ns * (steps * (0.8 * p.cost.product + 0.08 * p.cost.assembly + p.cost.factorization) + 3 * p.cost.assembly),
          steps, fmt::format("the loss has a kink and a system of {} unknowns is soon solved", p.d)};
}

// Its time hardly grows with C any more once the rows that contradict each other are split.
Estimate cdcg(const Workload& w, const Parts& p) {
  const double an_entry = w.loss == LossShape::nonsmooth ? std::min(80 + 250 * p.log_s, 600.0) : 60 + 75 * p.log_s;
  return {"cdcg", ns * an_entry * p.entries * std::max(0.5, p.digits), an_entry / 2,
          "lambda n is small against the rows, and conjugate gradients on those that are not at a bound spare many "
          "passes"};
}

Estimate rot(const Workload& w, const Costs& costs, const Parts& p) {
  const double product = std::min(costs.multiply_add * p.n * p.n * p.d / 2, costs.product * p.n * p.entries / 2);
  const double steps = w.loss == LossShape::nonsmooth ? 12 + 10 * p.log_s : 6 + 1.5 * p.log_s;
  return {"rot", ns * (product + steps * costs.multiply_add * p.n * p.n * p.n), 4 * steps,
          fmt::format("{} rows are far fewer than {} features, so that their inner products are all that is needed",
                      p.n, p.d)};
}

Estimate catr(const Costs& costs, const Parts& p) {
  const double passes = 30 * std::sqrt(1 + p.s) * p.digits;
  return {"catr", passes * ns * (2.2 * costs.product * p.entries + 10 * p.n), passes,
          "lambda n is small against the rows, and no system of equations fits"};
}

Estimate softmax_newton(const Workload& w, const Parts& p) {
  const double steps = 6 + 1.5 * p.log_s;
  const double products = w.outputs * p.cost.product * (25 * power_of(1 + p.s, 0.4) + 2.5 * steps);
  return {"newton", ns * (products + steps * 10 * p.n * w.outputs), 4 * steps,
          fmt::format("the loss is smooth and its {} unknowns are few enough for second-order steps", p.d * w.outputs)};
}

}  // namespace

std::vector<Estimate> estimates(const Workload& w, const Costs& costs, double gap) {
  const Parts p(w, costs, gap);
  std::vector<Estimate> all;
  if (w.loss == LossShape::softmax || w.loss == LossShape::multiclass_hinge) {
    all.push_back(sdca(w, costs, p));
    if (w.loss == LossShape::softmax) all.push_back(softmax_newton(w, p));
  } else if (w.l1) {
    const bool nonsmooth = w.loss == LossShape::nonsmooth;
    if (!nonsmooth)
      all.push_back({"ws", ns * 100 * p.cost.product, 50, "l1 leaves few features, and the others are proved to be 0"});
    if (w.lambda) all.push_back(sdca(w, costs, p));
    if (w.lambda && !nonsmooth) all.push_back(catr(costs, p));
    if (!w.lambda) all.push_back({"saga", ns * 1e4 * p.cost.product, 5000, "nothing quicker takes this loss with l1"});
  } else if (!w.lambda) {
    all.push_back(newton(w, costs, p));
    all.push_back({"primal-ag", all[0].seconds + 1, 1, "there is no penalty and no system of equations fits"});
  } else {
    const bool nonsmooth = w.loss == LossShape::nonsmooth;
    if (p.n <= 3000 && p.n < p.d / 2) all.push_back(rot(w, costs, p));
    all.push_back(sdca(w, costs, p));
    if (!nonsmooth) all.push_back(newton(w, costs, p));
    if (!nonsmooth) all.push_back(catr(costs, p));
    if (nonsmooth && p.d <= widest_system) all.push_back(ssn(p));
    if (p.d > widest_system && w.loss != LossShape::logistic) all.push_back(cdcg(w, p));
  }
  std::stable_sort(all.begin(), all.end(), [](const Estimate& a, const Estimate& b) { return a.seconds < b.seconds; });
  return all;
}

}  // namespace seesaw
