#include "verify/verify_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/several_targets.h"
#include "seesaw/error.h"
#include "verify/ball.h"

namespace seesaw {
namespace {

using verifier::Ball;

// The sum, rounded up where it is not exact.
double sum_up(double a, double b) {
  const verifier::Pair sum = verifier::two_sum(a, b);
  return sum.low > 0 ? verifier::next_above(sum.high) : sum.high;
}

// verify() proves the claim of each target; the claim of the whole must not say more than their sums.
void check_sums(const LinearModel& model, double own_gap, std::vector<std::string>& problems) {
  double primal = 0, minus_dual = 0, gap = 0;
  for (const ClassCertificate& one : model.classes) {
    primal = sum_up(primal, one.primal);
    minus_dual = sum_up(minus_dual, -one.dual);
    gap = sum_up(gap, one.gap);
  }
  const Certificate& claim = *model.certificate;
  const auto require = [&](bool holds, const char* what, double claimed, double proved) {
    if (!holds)
      problems.push_back(fmt::format(
          "All targets together: the model claims {} = {}, but those of the targets give {}.", what, claimed, proved));
  };
  require(primal <= claim.primal && claim.primal < verifier::inf, "P", claim.primal, primal);
  require(-minus_dual >= claim.dual && claim.dual > -verifier::inf, "D", claim.dual, -minus_dual);
  require(gap <= claim.gap && claim.gap < verifier::inf, "gap", claim.gap, gap);
  if (!claim.distance_bound) return;
  double factor = 1;  // lambda f/2 |x - x*|^2 <= gap, f the smallest penalty factor
  for (const double f : model.objective.penalty_factors) factor = std::min(factor, f);
  const Ball square = Ball(*claim.distance_bound) * Ball(*claim.distance_bound);
  if (!(*claim.distance_bound >= 0 && model.objective.lambda > 0) ||
      !((Ball(2) * Ball(own_gap) - square * Ball(model.objective.lambda) * Ball(factor)).upper() <= 0))
    problems.push_back(
        fmt::format("The model claims to be within {} of the optimal weights, but its gap does not prove it.",
                    *claim.distance_bound));
}

}  // namespace

Verification verify_targets(const Dataset& data, const Targets& targets, const LinearModel& model) {
  const std::size_t K = model.outputs();
  if (!model.certificate)
    throw Error("the model has no certificate: it was not trained by Seesaw, so there is nothing to verify.");
  if (targets.count != K)
    throw Error(fmt::format("the model has {} targets, and {} of them are given; give the targets it was trained on.",
                            K, targets.count));
  if (model.classes.size() != K) throw Error("the model has no certificates of its targets; train it again.");
  if (data.n() != model.n || targets.rows() != data.n() || content_hash(data, targets) != model.data_hash)
    throw Error(
        fmt::format("the model was not trained on {}: values, targets or row weights differ. Give the training "
                    "file, with the targets and the row weights it was trained with.",
                    data.source.empty() ? "this data" : data.source));
  Verification all;
  Ball primal(0), dual(0), gap(0);
  for (std::size_t k = 0; k < K; ++k) {
    const Dataset one = with_labels(data, targets.column(k));
    const Verification of_one = verify(one, target_model(model, k), model.data_hash);
    for (const std::string& problem : of_one.problems)
      all.problems.push_back(fmt::format("Target {}: {}", k + 1, problem));
    all.classes.push_back({{of_one.primal, of_one.dual, of_one.gap}, static_cast<double>(k + 1)});
    primal = primal + Ball(of_one.primal);
    dual = dual + Ball(of_one.dual);
    gap = gap + Ball(of_one.gap);
  }
  all.primal = primal.upper();
  all.dual = dual.lower();
  all.gap = std::max(0.0, std::min(gap.upper(), (primal - dual).upper()));
  if (all.problems.empty()) check_sums(model, all.gap, all.problems);
  all.holds = all.problems.empty();
  return all;
}

}  // namespace seesaw
