#include "verify/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "seesaw/error.h"
#include "verify/check_blocks.h"
#include "verify/check_column.h"
#include "verify/formulas.h"
#include "verify/shares.h"
#include "verify/sums.h"

namespace seesaw {
namespace {

using namespace verifier;

constexpr Real gap_tolerance = 1e-6L;    // by which a claimed gap may be too small
constexpr Real value_tolerance = 1e-9L;  // by which a claimed P or D may be off

void require_proof_for(const Dataset& data, const LinearModel& model) {
  if (!model.certificate)
    throw Error("the model carries no certificate: it was not trained by Seesaw, so it claims nothing to verify.");
  if (model.y.empty())
    throw Error("the model carries a certificate but no dual point, without which its claim cannot be verified.");
  const std::string name = data.source.empty() ? "this data" : data.source;
  if (data.n() != model.n)
    throw Error(fmt::format("the model was not trained on {}: it has {} rows, the training data had {}.", name,
                            data.n(), model.n));
  if (data.d() + (model.transform.constant_feature ? 1 : 0) > model.x.size() / model.outputs())
    throw Error(fmt::format("the model was not trained on {}: it has {} features, the training data had {}.", name,
                            data.d(), model.features()));
  if (content_hash(data) != model.data_hash)
    throw Error(
        fmt::format("the model was not trained on {}: values, labels or row weights differ. Give the training "
                    "file, with the row weights it was trained with{}.",
                    name, model.single_precision ? ", read in single precision as then" : ""));
}

// ---- what must be so before anything can be computed --------------------------------------------------------------

class FormCheck {
 public:
  FormCheck(const Dataset& data, const LinearModel& model, Problems& problems)
      : data_(data), model_(model), problems_(problems), outputs_(model.outputs()) {}

  bool passed() {
    sizes();
    if (is_block_loss(model_.objective.loss)) blocks();
    else columns(formula_of(model_.objective.loss));
    classes();
    objective();
    transform();
    if (problems_.sentences().empty() && model_.classifies()) labels_of_rows();
    return problems_.sentences().empty();
  }

 private:
  void sizes() {
    if (model_.y.size() != data_.n() * outputs_)
      problems_.add("The dual point has {} numbers, but the data has {} rows{}.", model_.y.size(), data_.n(),
                    outputs_ > 1 ? fmt::format(" and the model {} outputs", outputs_) : "");
    if (model_.x.size() % outputs_ != 0)
      problems_.add("There are {} weights, which is not the same number for each of {} outputs.", model_.x.size(),
                    outputs_);
  }

  void blocks() {
    if (outputs_ < 2 || !has_labels(outputs_))
      problems_.add(
          "The loss {} needs two labels or more in ascending order and an output for each, which the model "
          "does not have.",
          model_.objective.loss);
  }

  void columns(const Formula& formula) {
    if (!formula.parameter_allowed(model_.objective.loss_parameter))
      problems_.add("The loss {} cannot have the parameter {}.", formula.name, model_.objective.loss_parameter);
    if (!formula.of_sign) {
      if (!model_.labels.empty())
        problems_.add("The loss {} predicts numbers, but the model has class labels.", formula.name);
      if (outputs_ > 1)
        problems_.add("The loss {} predicts one number, but the model has {} outputs.", formula.name, outputs_);
    } else if (outputs_ == 1) {
      if (!has_labels(2))
        problems_.add("The loss {} needs two labels in ascending order, which the model does not have.", formula.name);
    } else if (outputs_ == 2 || !has_labels(outputs_)) {
      problems_.add(
          "One-versus-rest needs three labels or more in ascending order and an output for each, which the "
          "model does not have.");
    }
  }

  bool has_labels(std::size_t count) const {
    return model_.labels.size() == count &&
           std::adjacent_find(model_.labels.begin(), model_.labels.end(),
                              [](double k, double l) { return !(k < l); }) == model_.labels.end();
  }

  // Each class of one-versus-rest makes its own claim; nothing else does.
  void classes() {
    const bool each = outputs_ > 1 && !is_block_loss(model_.objective.loss);
    if (model_.classes.size() != (each ? outputs_ : 0))
      return problems_.add("The model has claims about {} single classes where {} belong.", model_.classes.size(),
                           each ? outputs_ : 0);
    for (std::size_t k = 0; k < std::min(model_.classes.size(), model_.labels.size()); ++k)
      if (model_.classes[k].label != model_.labels[k])
        problems_.add("The claim about class {} stands where that about class {} belongs.", model_.classes[k].label,
                      model_.labels[k]);
  }

  void objective() {
    const SolvedObjective& objective = model_.objective;
    if (!not_negative(objective.lambda) || !not_negative(objective.l1))
      problems_.add("The penalty's coefficients, lambda = {} and l1 = {}, must be numbers that are not negative.",
                    objective.lambda, objective.l1);
    for (const auto& [label, weight] : objective.class_weights)
      if (!above_zero(weight))
        problems_.add("The class {} cannot weigh {}: a class weighs more than 0.", label, weight);
    for (const double b : model_.intercept)
      if (objective.intercept != Intercept::free && b != 0)
        return problems_.add("The model adds the intercept {} to its scores, but its objective has no free intercept.",
                             b);
  }

  void transform() {
    const Transform& transform = model_.transform;
    const bool by_column = transform.scaling == Scaling::columns_max || transform.scaling == Scaling::columns_std;
    if (transform.constant_feature != (model_.objective.intercept == Intercept::penalized))
      problems_.add("The objective says that the intercept is {}, the transform says otherwise.",
                    name_of(model_.objective.intercept));
    if (transform.column_factors.size() != (by_column ? model_.features() : 0))
      problems_.add("The transform scales {} columns, but the model has {} features.", transform.column_factors.size(),
                    model_.features());
  }

  void labels_of_rows() {
    for (std::size_t i = 0; i < data_.n(); ++i)
      if (!std::binary_search(model_.labels.begin(), model_.labels.end(), data_.labels[i]))
        return problems_.add("Row {} has the label {}, but the model's labels are {}.", i + 1, data_.labels[i],
                             fmt::join(model_.labels, " and "));
  }

  const Dataset& data_;
  const LinearModel& model_;
  Problems& problems_;
  const std::size_t outputs_;
};

// ---- claims against what was recomputed ---------------------------------------------------------------------------

Real dual_of(const Sums& sums) { return sums.feasible ? sums.dual : -inf; }
Real gap_of(const Sums& sums) { return sums.primal - dual_of(sums); }

void compare(const Sums& sums, double primal, double dual, double gap, Problems& problems) {
  const Real tolerance = value_tolerance * std::abs(sums.primal) + sums.slack();
  if (!(std::abs(primal - sums.primal) <= tolerance))
    problems.add("The model claims P = {:.12g}, but its weights give P = {:.12g}.", primal, sums.primal);
  if (sums.feasible && !(std::abs(dual - sums.dual) <= tolerance))
    problems.add("The model claims D = {:.12g}, but its dual point gives D = {:.12g}.", dual, sums.dual);
  if (!(gap_of(sums) <= gap * (1 + gap_tolerance) + sums.slack()))
    problems.add("The model claims a gap of {:.6g}, but the gap is {:.6g}.", gap, gap_of(sums));
}

void compare_distance(const Sums& sums, Real lambda, double bound, Problems& problems) {  // lambda/2 |x - x*|^2 <= gap
  if (!(lambda > 0 && gap_of(sums) <= lambda / 2 * bound * bound * (1 + gap_tolerance) + sums.slack()))
    problems.add("The model claims to be within {:.6g} of the best weights, which its gap does not show.", bound);
}

// Each class against all others, and the sums of them.
Sums check_one_versus_rest(const Dataset& data, const LinearModel& model, const std::vector<Real>& c,
                           Problems& problems, std::vector<ClassCertificate>& classes) {
  Sums all;
  for (std::size_t k = 0; k < model.outputs(); ++k) {
    const ClassCertificate& claim = model.classes[k];
    problems.about(fmt::format("Class {}: ", claim.label));
    const Sums sums = check_column(data, model, k, c, problems);
    compare(sums, claim.primal, claim.dual, claim.gap, problems);
    classes.push_back({.label = claim.label,
                       .primal = static_cast<double>(sums.primal),
                       .dual = static_cast<double>(dual_of(sums)),
                       .gap = static_cast<double>(gap_of(sums))});
    all += sums;
  }
  problems.about("All classes together: ");
  return all;
}

}  // namespace

Verification verify(const Dataset& data, const LinearModel& model) {
  require_proof_for(data, model);
  Problems problems;
  Verification verdict;
  Sums sums{.primal = inf, .feasible = false};
  if (FormCheck(data, model, problems).passed()) {
    const std::vector<Real> c = shares(data, model);
    sums = is_block_loss(model.objective.loss) ? check_blocks(data, model, c, problems)
           : model.outputs() == 1              ? check_column(data, model, 0, c, problems)
                                               : check_one_versus_rest(data, model, c, problems, verdict.classes);
    const Certificate& claim = *model.certificate;
    compare(sums, claim.primal, claim.dual, claim.gap, problems);
    if (claim.distance_bound) compare_distance(sums, model.objective.lambda, *claim.distance_bound, problems);
  }
  verdict.primal = static_cast<double>(sums.primal);
  verdict.dual = static_cast<double>(dual_of(sums));
  verdict.gap = static_cast<double>(gap_of(sums));
  verdict.problems = problems.sentences();
  verdict.holds = verdict.problems.empty();
  return verdict;
}

}  // namespace seesaw
