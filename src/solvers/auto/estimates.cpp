#include "solvers/auto/estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace seesaw {
namespace {

constexpr double widest_system = 2500;  // unknowns for which a Cholesky factor is worth having
constexpr double ns = 1e-9;

// The parts that all estimates are made of, in seconds.
struct Parts {
  double hv;        // a product with the Hessian: A x and A^T y
  double gram;      // the Hessian
  double cholesky;  // its factor
  double rows;      // phi, phi' and phi'' of all rows
  double steps;     // of Newton
  double digits;    // how many are asked for, in units of six
  double log_s;     // log10(1 + s)
};

Parts parts_of(const Workload& w, const Costs& costs, double gap) {
  Parts p{};
  p.log_s = std::log10(1 + std::min(w.stiffness, 1e12));
  p.digits = std::clamp(-std::log10(std::max(gap, 1e-16)) / 6, 0.2, 3.0);
  const double pair = costs.pair * (w.row_entries() < 40 ? 1.15 : 0.75);  // long rows scatter in order
  p.hv = ns * costs.product * (w.d <= 4000 ? 1 : 2) * w.entries;
  p.gram = ns * std::min(pair * w.pairs, costs.multiply_add * w.n * w.d * w.d / 2);
  p.cholesky = ns * costs.multiply_add * w.d * w.d * w.d / 3;
  p.rows = ns * w.n * (w.loss == LossShape::logistic || w.loss == LossShape::softmax ? 10 * w.outputs : 2);
  p.steps = 4 + 2 * std::min(p.digits, 1.5) + 1.5 * p.log_s;
  return p;
}

Estimate sdca(const Workload& w, const Costs& costs, const Parts& p) {
  const double passes = (13 + 10 * std::min(w.stiffness, 1e9)) * p.digits;
  const double row = w.loss == LossShape::logistic ? 60 : w.loss == LossShape::softmax ? 60 * w.outputs : 10;
  const double pass = ns * (2 * costs.product * w.entries * w.outputs + row * w.n);
  return {"sdca", passes * pass, passes,
          "lambda n is large against the rows, so that passes over single rows arrive soon"};
}

Estimate newton(const Workload& w, const Parts& p) {
  const double s = std::min(w.stiffness, 1e9), hv_steps = 2.5 * p.steps;
  double best = p.hv * (25 * std::pow(1 + s, 0.4) * p.digits + hv_steps) + p.steps * p.rows;  // diagonal CG
  if (w.d <= widest_system) {
    double factored = p.steps * (p.gram + 1.5 * p.hv + p.rows + p.cholesky);
    if (w.n >= 1000 * w.d) factored *= 0.4;  // a start on some of the rows
    else if (w.n >= 150 * w.d && s < 1000) factored *= 0.8;
    best = std::min(best, factored);
    if (p.gram >= 8 * p.hv && w.density() >= 0.15)  // CG with the factor of a sample
      best = std::min(best, (s > 1000 ? 3 : 1) * (p.gram * std::min(1.0, 8 * w.d / w.n) + p.cholesky) +
                                p.hv * (10 * std::pow(1 + s, 0.3) + hv_steps) + p.steps * p.rows);
  }
  return {
      "newton", best, 4 * p.steps,
      w.d <= widest_system
          ? fmt::format("the loss is smooth and a system of {} unknowns is soon solved", w.d)
          : std::string("the loss is smooth and lambda small, where second-order steps by CG are worth their price")};
}

Estimate ssn(const Workload& w, const Parts& p) {
  const double steps = (12 + 22 * p.log_s) * std::max(0.7, p.digits);
  return {"ssn", steps * (0.8 * p.hv + 0.08 * p.gram + p.cholesky) + 3 * p.gram, steps,
          fmt::format("the loss has a kink and a system of {} unknowns is soon solved", w.d)};
}

Estimate cdcg(const Workload& w, const Parts& p) {
  return {"cdcg", 15 * ns * w.entries * std::pow(1 + std::min(w.stiffness, 1e9), 0.55) * std::max(0.5, p.digits),
          10 * std::pow(1 + std::min(w.stiffness, 1e9), 0.55),
          "lambda n is small against the rows, and CG on the rows that are not at a bound spares many passes"};
}

Estimate rot(const Workload& w, const Costs& costs, const Parts& p) {
  const double product = std::min(costs.multiply_add * w.n * w.n * w.d / 2, costs.product * w.n * w.entries / 2);
  const double inner = p.steps * costs.multiply_add * w.n * w.n * w.n;
  return {"rot", ns * (product + inner), 4 * p.steps,
          fmt::format("{} rows are far fewer than {} features, so that their inner products are all that is needed",
                      w.n, w.d)};
}

Estimate catr(const Workload& w, const Costs& costs, const Parts& p) {
  const double passes = 30 * std::sqrt(1 + std::min(w.stiffness, 1e9)) * p.digits;
  return {"catr", passes * ns * (2.2 * costs.product * w.entries + 10 * w.n), passes,
          "lambda n is small against the rows, and no system of equations fits"};
}

std::vector<Estimate> of_blocks(const Workload& w, const Costs& costs, const Parts& p) {
  std::vector<Estimate> all = {sdca(w, costs, p)};
  if (w.loss != LossShape::softmax) return all;
  const double unknowns = w.d * w.outputs, s = std::min(w.stiffness, 1e9);
  double seconds = w.outputs * p.hv * (25 * std::pow(1 + s, 0.4) + 2.5 * p.steps) + p.steps * p.rows;
  if (unknowns <= widest_system)
    seconds = std::min(seconds, p.steps * (w.outputs * w.outputs / 2 * p.gram + p.rows +
                                           ns * costs.multiply_add * unknowns * unknowns * unknowns / 3));
  all.push_back(
      {"newton", seconds, 4 * p.steps,
       fmt::format("the loss is smooth and its {} unknowns are few enough for second-order steps", unknowns)});
  return all;
}

}  // namespace

std::vector<Estimate> estimates(const Workload& w, const Costs& costs, double gap) {
  const Parts p = parts_of(w, costs, gap);
  std::vector<Estimate> all;
  if (w.loss == LossShape::softmax || w.loss == LossShape::multiclass_hinge) {
    all = of_blocks(w, costs, p);
  } else if (w.l1) {
    all.push_back({"ws", 0, 20, "l1 leaves few features, and the others are proved to be 0"});
    all.push_back({"catr", 1, 1, "l1 and lambda are both there"});
    all.push_back({"saga", 2, 1, "nothing quicker takes this loss with l1"});
  } else if (!w.lambda) {
    all.push_back(newton(w, p));
    all.push_back({"primal-ag", all[0].seconds + 1, 1, "there is no penalty and no system of equations fits"});
  } else {
    const bool kinked = w.loss == LossShape::kinked;
    if (w.n <= 3000 && w.n < w.d / 2) all.push_back(rot(w, costs, p));
    all.push_back(sdca(w, costs, p));
    all.push_back(catr(w, costs, p));
    if (!kinked) all.push_back(newton(w, p));
    if (kinked && w.d <= widest_system) all.push_back(ssn(w, p));
    if (w.d > widest_system && w.loss != LossShape::logistic && w.stiffness > 3) all.push_back(cdcg(w, p));
  }
  std::stable_sort(all.begin(), all.end(), [](const Estimate& a, const Estimate& b) { return a.seconds < b.seconds; });
  return all;
}

}  // namespace seesaw
