#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seesaw/error.h"
#include "verify/form_check.h"
#include "verify/optimum.h"
#include "verify/recompute.h"
#include "verify/signs.h"

namespace seesaw {
namespace {

using namespace verifier;
using verifier::Bounds;  // in pairs of doubles

constexpr std::uint64_t first_rigorous_version = 3;

void require_proof_for(const Dataset& data, const LinearModel& model, std::optional<std::uint64_t> data_hash,
                       bool has_dual) {
  if (!model.certificate)
    throw Error("the model has no certificate: it was not trained by Seesaw, so there is nothing to verify.");
  if (model.version < first_rigorous_version)
    throw Error(fmt::format(
        "the model is of version {}, whose certificates did not include rounding errors and cannot be verified; train "
        "it again.",
        model.version));
  if (find_loss(model.objective.loss) == nullptr)
    throw Error(fmt::format("the verifier does not support the loss {}.", model.objective.loss));
  if (!has_dual) throw Error("the model has a certificate but no dual point, without which it cannot be verified.");
  const std::string name = data.source.empty() ? "this data" : data.source;
  if (data.all_rows() != model.n)
    throw Error(fmt::format("the model was not trained on {}: it has {} rows, the training data had {}.", name,
                            data.all_rows(), model.n));
  if (data.d() + (model.transform.constant_feature ? 1 : 0) > model.x.size() / model.outputs())
    throw Error(fmt::format("the model was not trained on {}: it has {} features, the training data had {}.", name,
                            data.d(), model.features()));
  if ((data_hash ? *data_hash : content_hash(data)) != model.data_hash)
    throw Error(
        fmt::format("the model was not trained on {}: values, labels or row weights differ. Give the training "
                    "file, with the row weights it was trained with{}.",
                    name, model.single_precision ? ", read in single precision" : ""));
}

// The bounds as doubles, rounded outward. The gap is computed before rounding.
struct Rounded {
  explicit Rounded(const Bounds& bounds)
      : primal(bounds.primal.upper()),
        dual(bounds.dual.lower()),
        gap(finite(bounds.primal) && finite(bounds.dual) ? std::max(0.0, (bounds.primal - bounds.dual).upper()) : inf) {
  }
  double primal, dual, gap;
};

// Two numbers with enough digits to distinguish them.
struct Shown {
  std::string claimed, own;
};
Shown shown(double claimed, double own) {
  for (const int digits : {6, 12})
    if (Shown both{fmt::format("{:.{}g}", claimed, digits), fmt::format("{:.{}g}", own, digits)};
        both.claimed != both.own)
      return both;
  return {fmt::format("{}", claimed), fmt::format("{}", own)};
}

// No tolerances: every claimed number must be proved by the recomputed ones.
void compare(const Rounded& own, double primal, double dual, double gap, Problems& problems) {
  if (const Shown p = shown(primal, own.primal); !(own.primal <= primal && primal < inf))
    problems.add("The model claims P = {}, but its weights give P = {}.", p.claimed, p.own);
  if (const Shown d = shown(dual, own.dual); own.dual > -inf && !(own.dual >= dual && dual > -inf))
    problems.add("The model claims D = {}, but its dual point gives D = {}.", d.claimed, d.own);
  if (const Shown g = shown(gap, own.gap); !(own.gap <= gap && gap < inf))
    problems.add("The model claims a gap of {}, but the gap is {}.", g.claimed, g.own);
}

// An upper bound of sqrt(2 gap / lambda), also if the quotient underflows.
double distance_of(double gap, double lambda) {
  if (!(lambda > 0 && gap < inf)) return inf;
  if (gap == 0) return 0;
  const int of_gap = std::ilogb(gap), of_lambda = std::ilogb(lambda), odd = (of_gap - of_lambda) & 1;
  const Ball quotient = Ball(std::ldexp(gap, -of_gap + 1 + odd)) / Ball(std::ldexp(lambda, -of_lambda));
  return times_power(square_root(quotient), (of_gap - of_lambda - odd) / 2).upper();
}

// lambda times the smallest penalty factor, rounded down.
double strong_convexity(const LinearModel& model) {
  const std::vector<double>& factors = model.objective.penalty_factors;
  if (factors.empty()) return model.objective.lambda;
  double least = *std::min_element(factors.begin(), factors.end());
  if (model.transform.constant_feature) least = std::min(least, 1.0);
  return std::max(0.0, (Ball(model.objective.lambda) * Ball(least)).lower());
}

void compare_distance(double gap, double lambda, double bound, Problems& problems) {  // lambda/2 |x - x*|^2 <= gap
  const double own = distance_of(gap, lambda);
  if (const Shown d = shown(bound, own); !(own <= bound && bound < inf))
    problems.add("The model claims to be within {} of the optimal weights, but its gap proves {}.", d.claimed, d.own);
}

void check(const Dataset& data, const LinearModel& model, const DualPart& dual, Problems& problems,
           Verification& verdict) {
  const StatedProblem problem(data, model, dual);
  const std::vector<Bounds> bounds = recompute(problem, problems);
  Bounds all = bounds[0];
  for (std::size_t k = 1; k < bounds.size(); ++k) {
    all.primal = all.primal + bounds[k].primal;
    all.dual = all.dual.high > -inf && bounds[k].dual.high > -inf ? all.dual + bounds[k].dual : Ball(-inf);
  }
  for (std::size_t k = 0; k < model.classes.size(); ++k) {  // one-versus-rest: each class has its own claim
    const ClassCertificate& claim = model.classes[k];
    problems.about(fmt::format("Class {}: ", claim.label));
    const Rounded own(bounds[k]);
    compare(own, claim.primal, claim.dual, claim.gap, problems);
    verdict.classes.push_back({{own.primal, own.dual, own.gap}, claim.label});
  }
  if (!model.classes.empty()) problems.about("All classes together: ");
  const Rounded own(all);
  const Certificate& claim = *model.certificate;
  compare(own, claim.primal, claim.dual, claim.gap, problems);
  if (claim.distance_bound) compare_distance(own.gap, strong_convexity(model), *claim.distance_bound, problems);
  problems.about("");
  verdict.primal = own.primal;
  verdict.dual = own.dual;
  verdict.gap = own.gap;
  if (!(own.gap < inf)) return;
  std::vector<OwnBounds> of_problems;
  for (const Bounds& one : bounds) of_problems.push_back({Rounded(one).primal, Rounded(one).gap});
  if (model.optimum) check_optimum(problem, of_problems, problems);
  if (!model.proved_signs.empty()) check_signs(problem, of_problems, problems);
}

}  // namespace

bool verifies_shares(const LinearModel& model) {
  const std::vector<double>& factors = model.objective.penalty_factors;
  return (model.objective.lambda > 0 || model.objective.l1 > 0) &&
         std::find(factors.begin(), factors.end(), 0.0) == factors.end();
}

Verification verify(const Dataset& data, const LinearModel& model, std::optional<std::uint64_t> data_hash,
                    const DualPart& dual) {
  require_proof_for(data, model, data_hash, dual || !model.y.empty());
  Problems problems;
  Verification verdict;
  verdict.primal = verdict.gap = inf;
  verdict.dual = -inf;
  if (!model.certificate->guaranteed)
    problems.add(
        "The model states that its gap is not guaranteed (no penalty, and data that do not bound the weights): there "
        "is no claim "
        "to check.");
  if (well_formed(data, model, problems)) check(data, model, dual, problems, verdict);
  verdict.problems = problems.sentences();
  verdict.holds = verdict.problems.empty();
  return verdict;
}

}  // namespace seesaw
