#include "solvers/auto/estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "solvers/parts/newton/newton_plan.h"

namespace seesaw {
namespace {

constexpr double max_factored = 2500;  // unknowns for which a Cholesky factorization is considered
constexpr double ns = 1e-9;
constexpr double sparse = 0.05;  // density up to which the passes of lbfgs were measured: text

// Common factors of the estimates.
struct Parts {
  double n, d, entries;
  double s;              // condition estimate
  double log_s;          // log10(1 + s)
  double digits;         // requested, in units of six
  SecondOrderCost cost;  // in nanoseconds

  Parts(const Workload& w, const Costs& costs, double gap)
      : n(w.shape.n),
        d(w.shape.d),
        entries(w.shape.nnz),
        s(std::min(w.condition, 1e9)),
        log_s(log10_of(1 + s)),
        digits(std::clamp(-log10_of(std::max(gap, 1e-16)) / 6, 0.2, 3.0)),
        cost(w.shape, costs) {}
};

// "0.012", "14", "1e5".
std::string short_number(double value) {
  if (value == 0 || (value >= 0.01 && value < 10)) return fmt::format("{:.2g}", value);
  if (value >= 10 && value < 1e4) return fmt::format("{:.0f}", value);
  std::string text = fmt::format("{:.0e}", value);  // 1e+05, 1e-07, inf
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  return fmt::format("{}e{}", text.substr(0, exponent), std::stoi(text.substr(exponent + 1)));
}

// The facts that decide, in terms that a user can check: "nonsmooth loss, 123 features, condition estimate 1e5".
std::string facts_of(const Workload& w) {
  const bool multiclass = w.loss == LossShape::softmax || w.loss == LossShape::multiclass_hinge;
  const bool nonsmooth = w.loss == LossShape::nonsmooth || w.loss == LossShape::multiclass_hinge;
  std::string text = nonsmooth ? "nonsmooth loss" : "smooth loss";
  if (multiclass) text += fmt::format(", {} classes", w.outputs);
  text += fmt::format(", {} features", w.shape.d);
  if (w.l1) text += w.lambda ? ", elastic-net penalty" : ", l1 penalty";
  if (!w.lambda) return w.l1 ? text : text + ", no penalty";
  return text + fmt::format(", condition estimate {}", short_number(w.condition));
}

// Passes to six digits; scans of dual variables at a bound (parts/dual/active_rows.h) count as a part of one.
double sdca_passes(const Workload& w, double s) {
  switch (w.loss) {
    case LossShape::logistic:
      return 5 + (w.l1 || w.shape.density() > sparse ? 3 : 1.1) * s;
    case LossShape::softmax:
      return 5 + 3 * s;
    case LossShape::quadratic:
      return 7 + 6 * s;
    case LossShape::nonsmooth:
      return w.l1 ? 10 + 45 * s : 6 + 20 * s;
    case LossShape::multiclass_hinge:
      break;
  }
  return 10 + 45 * s;
}

Estimate sdca(const Workload& w, const Costs& costs, const Parts& p) {
  const double passes = sdca_passes(w, p.s) * p.digits;
  const double row = w.loss == LossShape::logistic ? 90 : w.loss == LossShape::softmax ? 250 * w.outputs : 10;
  const bool contiguous = w.loss == LossShape::nonsmooth && w.shape.density() > 0.5;
  const double entry = (contiguous ? 0.75 : 1.5) * costs.product;
  return {"sdca", passes * ns * (entry * p.entries * w.outputs + row * p.n), passes, facts_of(w)};
}

Estimate newton(const Workload& w, const Costs& costs, const Parts& p) {
  const NewtonFacts facts{w.shape, w.lambda ? p.s : 1e12, w.loss == LossShape::logistic, w.squared};
  const NewtonPlan plan = plan_newton(facts, costs);
  // The one step of the squared loss takes as many passes as it has products, unless its matrix is factored.
  const double passes = w.squared && p.d > max_factored ? plan.nanoseconds / p.cost.product : 4 * facts.steps();
  return {"newton", ns * plan.nanoseconds * (0.6 + 0.4 * p.digits), passes, facts_of(w)};
}

// An iteration is two products, a line search, and two reads of the pairs. Well conditioned problems take few.
Estimate lbfgs(const Workload& w, const Parts& p) {
  const double few = std::min(1.0, 0.33 + 0.67 * std::sqrt(p.s));
  const double passes = 12 * few * power_of(1 + p.s, 0.27) * (0.4 + 0.6 * p.digits);
  const double pairs = std::min(0.6 * passes, 50.0);
  const double pass = w.outputs * (1.2 * p.cost.product + 2.2 * pairs * p.d + 20 * p.n);
  return {"lbfgs", ns * passes * pass, passes, facts_of(w)};
}

Estimate ssn(const Workload& w, const Parts& p) {
  const double steps = (12 + 22 * p.log_s) * std::max(0.7, p.digits);
  return {"ssn",
          ns * (steps * (0.8 * p.cost.product + 0.08 * p.cost.assembly + p.cost.factorization) + 3 * p.cost.assembly),
          steps, facts_of(w)};
}

// Nonsmooth losses: a dozen smooth problems in a row, each harder on wide data.
Estimate ws(const Workload& w, const Parts& p) {
  if (w.loss != LossShape::nonsmooth) return {"ws", ns * 100 * p.cost.product, 50, facts_of(w)};
  const bool wide = p.d > max_factored && w.lambda;
  const double passes = (wide ? 200 * std::sqrt(1 + p.s) : 60 + 30 * p.log_s) * std::max(0.7, p.digits);
  return {"ws", ns * 5 * passes * p.cost.product, passes, facts_of(w)};
}

// Splitting equal rows with different labels bounds the growth of its time with C.
Estimate cdcg(const Workload& w, const Parts& p) {
  const double per_entry =
      w.loss == LossShape::nonsmooth ? std::min(80 + 250 * p.log_s, 600.0) : 60 + (w.squared ? 220 : 75) * p.log_s;
  return {"cdcg", ns * per_entry * p.entries * std::max(0.5, p.digits), per_entry / 2, facts_of(w)};
}

Estimate rot(const Workload& w, const Costs& costs, const Parts& p) {
  const double product = std::min(costs.multiply_add * p.n * p.n * p.d / 2, costs.product * p.n * p.entries / 2);
  const double steps = w.loss == LossShape::nonsmooth ? 12 + 10 * p.log_s : 6 + 1.5 * p.log_s;
  return {"rot", ns * (product + steps * costs.multiply_add * p.n * p.n * p.n), 4 * steps,
          fmt::format("{} rows, {}", p.n, facts_of(w))};
}

Estimate catr(const Workload& w, const Costs& costs, const Parts& p) {
  const double passes = 30 * std::sqrt(1 + p.s) * p.digits;
  return {"catr", passes * ns * (2.2 * costs.product * p.entries + 10 * p.n), passes, facts_of(w)};
}

// A pass is a product A p and one by A^T, of a Newton step or of a step of conjugate gradients. The blocks by which these
// are preconditioned approximate the Hessian of dense rows well, and that of sparse ones less.
constexpr double few_entries = 0.2;  // density
Estimate softmax_newton(const Workload& w, const Parts& p) {
  const bool dense = w.shape.density() > few_entries;
  const double passes =
      (dense ? 9 + 23 * log10_of(1 + 30 * p.s) : 36 * power_of(1 + p.s, 0.55)) * (0.6 + 0.4 * p.digits);
  return {"newton", ns * passes * w.outputs * (p.cost.product + 5 * p.n), passes, facts_of(w)};
}
Estimate softmax_lbfgs(const Workload& w, const Parts& p) {
  const double passes = 17 * power_of(1 + p.s, 0.4) * (0.4 + 0.6 * p.digits), pairs = std::min(0.6 * passes, 50.0);
  return {"lbfgs", ns * passes * w.outputs * (p.cost.product + 2.2 * pairs * p.d + 10 * p.n), passes, facts_of(w)};
}

// Rows on disk: the time of the reads, if that is longer than the computation. The rate is that of a fast disk; with a
// slower one all methods take as much longer. sdca visits the rows three times per read (parts/dual/mixed_groups.h).
Estimate on_disk(Estimate one, double bytes) {
  constexpr double per_byte = 2 * ns;
  double reads = one.passes + 4;
  if (one.name == "sdca") {
    reads = 0.7 * one.passes + 4;
    one.seconds *= 2;
  }
  if (one.name == "lbfgs") reads = 2 * one.passes + 4;
  one.seconds = std::max(one.seconds, reads * bytes * per_byte);
  one.reason += ", rows on disk";
  return one;
}

}  // namespace

std::vector<Estimate> estimates(const Workload& w, const Costs& costs, double gap) {
  const Parts p(w, costs, gap);
  std::vector<Estimate> all;
  if (w.loss == LossShape::softmax || w.loss == LossShape::multiclass_hinge) {
    all.push_back(sdca(w, costs, p));
    if (w.loss == LossShape::softmax) all.push_back(softmax_newton(w, p));
    if (w.loss == LossShape::softmax && w.shape.density() <= few_entries) all.push_back(softmax_lbfgs(w, p));
  } else if (w.l1) {
    const bool nonsmooth = w.loss == LossShape::nonsmooth;
    all.push_back(ws(w, p));
    if (w.lambda) all.push_back(sdca(w, costs, p));
    if (w.lambda && !nonsmooth) all.push_back(catr(w, costs, p));
    if (!w.lambda) all.push_back({"saga", ns * 1e4 * p.cost.product, 5000, facts_of(w)});
  } else if (!w.lambda) {
    all.push_back(newton(w, costs, p));
    all.push_back({"primal-ag", all[0].seconds + 1, 1, facts_of(w)});
  } else {
    const bool nonsmooth = w.loss == LossShape::nonsmooth;
    if (p.n <= 3000 && p.n < p.d / 2) all.push_back(rot(w, costs, p));
    all.push_back(sdca(w, costs, p));
    if (!nonsmooth) all.push_back(newton(w, costs, p));
    if (!nonsmooth) all.push_back(catr(w, costs, p));
    if (w.loss == LossShape::logistic && (p.d > max_factored || p.s <= 1) && w.shape.density() <= sparse)
      all.push_back(lbfgs(w, p));
    if (nonsmooth && (p.d <= max_factored || w.disk_bytes > 0)) all.push_back(ssn(w, p));
    if (p.d > max_factored && w.loss != LossShape::logistic) all.push_back(cdcg(w, p));
  }
  if (w.disk_bytes > 0)
    for (Estimate& one : all) one = on_disk(one, w.disk_bytes);
  std::stable_sort(all.begin(), all.end(), [](const Estimate& a, const Estimate& b) { return a.seconds < b.seconds; });
  return all;
}

}  // namespace seesaw
