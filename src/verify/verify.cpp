#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/table_labels.h"
#include "seesaw/error.h"
#include "verify/claims.h"
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

// lambda times the smallest penalty factor, rounded down.
double strong_convexity(const LinearModel& model) {
  const std::vector<double>& factors = model.objective.penalty_factors;
  if (factors.empty()) return model.objective.lambda;
  double least = *std::min_element(factors.begin(), factors.end());
  if (model.transform.constant_feature) least = std::min(least, 1.0);
  const double product = model.objective.lambda * least;  // rounded to the nearest double, also below the normal ones
  return product > 0 ? next_below(product) : 0;
}

void check(const StatedProblem& problem, Problems& problems, Verification& verdict) {
  const LinearModel& model = problem.model;
  const std::vector<Bounds> bounds = recompute(problem, problems);
  Bounds all = bounds[0];
  for (std::size_t k = 1; k < bounds.size(); ++k) {
    all.primal = all.primal + bounds[k].primal;
    all.dual = all.dual.high > -inf && bounds[k].dual.high > -inf ? all.dual + bounds[k].dual : Ball(-inf);
  }
  for (std::size_t k = 0; k < model.classes.size(); ++k) {  // one-versus-rest: each class has its own claim
    const ClassCertificate& claim = model.classes[k];
    problems.about(fmt::format(
        "Class {}: ", label_name(model.table ? model.table->label.classes : std::vector<std::string>(), claim.label)));
    const Rounded own(bounds[k]);
    compare_bounds({own.primal, own.dual, own.gap}, claim.primal, claim.dual, claim.gap, problems);
    verdict.classes.push_back({{own.primal, own.dual, own.gap}, claim.label});
  }
  if (!model.classes.empty()) problems.about("All classes together: ");
  const Rounded own(all);
  const Certificate& claim = *model.certificate;
  compare_bounds({own.primal, own.dual, own.gap}, claim.primal, claim.dual, claim.gap, problems);
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

// own: null, or the data itself, whose rows may be taken.
Verification verify_of(const Dataset& data, Dataset* own, const LinearModel& model,
                       std::optional<std::uint64_t> data_hash, const DualPart& dual) {
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
  if (well_formed(data, model, problems)) check(StatedProblem(data, model, dual, own), problems, verdict);
  verdict.problems = problems.sentences();
  verdict.holds = verdict.problems.empty();
  return verdict;
}

}  // namespace

bool verifies_shares(const LinearModel& model) {
  const std::vector<double>& factors = model.objective.penalty_factors;
  return (model.objective.lambda > 0 || model.objective.l1 > 0) &&
         std::find(factors.begin(), factors.end(), 0.0) == factors.end();
}

Verification verify(const Dataset& data, const LinearModel& model, std::optional<std::uint64_t> data_hash,
                    const DualPart& dual) {
  return verify_of(data, nullptr, model, data_hash, dual);
}

Verification verify_taking_rows(Dataset& data, const LinearModel& model, std::optional<std::uint64_t> data_hash,
                                const DualPart& dual) {
  return verify_of(data, &data, model, data_hash, dual);
}

}  // namespace seesaw
