#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "seesaw/error.h"
#include "verify/formulas.h"
#include "verify/scaled_rows.h"

namespace seesaw {
namespace {

using namespace verifier;

constexpr Real rounding = 1e-12L;        // of double arithmetic, against the sizes of what is added up
constexpr Real noise = 1e-14L;           // of a double sum that should be 0, against the size of its terms
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
  if (data.d() + (model.transform.constant_feature ? 1 : 0) > model.x.size())
    throw Error(fmt::format("the model was not trained on {}: it has {} features, the training data had {}.", name,
                            data.d(), model.features()));
  if (content_hash(data) != model.data_hash)
    throw Error(
        fmt::format("the model was not trained on {}: values, labels or row weights differ. Give the training "
                    "file, with the row weights it was trained with{}.",
                    name, model.single_precision ? ", read in single precision as then" : ""));
}

class Check {
 public:
  Check(const Dataset& data, const LinearModel& model)
      : data_(data), model_(model), formula_(formula_of(model.objective.loss)) {}

  Verdict verdict() {
    if (!is_well_formed()) {
      constexpr double unknown = std::numeric_limits<double>::infinity();
      return {.holds = false, .primal = unknown, .dual = -unknown, .gap = unknown, .problems = problems_};
    }
    add_rows();
    add_coordinates();
    add_intercept();
    compare_with_claim();
    return {.holds = problems_.empty(),
            .primal = static_cast<double>(primal_),
            .dual = static_cast<double>(dual_),
            .gap = static_cast<double>(primal_ - dual_),
            .problems = problems_};
  }

 private:
  template <class... Values>
  void complain(fmt::format_string<Values...> sentence, Values&&... values) {
    problems_.push_back(fmt::format(sentence, std::forward<Values>(values)...));
  }

  // What must be so before anything can be computed.
  bool is_well_formed() {
    const SolvedObjective& objective = model_.objective;
    const Transform& transform = model_.transform;
    const bool by_column = transform.scaling == Scaling::columns_max || transform.scaling == Scaling::columns_std;
    if (model_.y.size() != data_.n())
      complain("The dual point has {} numbers, but the data has {} rows.", model_.y.size(), data_.n());
    if (formula_.of_sign && !(model_.labels.size() == 2 && model_.labels[0] < model_.labels[1]))
      complain("The loss {} needs two labels in ascending order, which the model does not have.", objective.loss);
    if (!formula_.of_sign && !model_.labels.empty())
      complain("The loss {} predicts numbers, but the model has class labels.", objective.loss);
    if (!not_negative(objective.lambda) || !not_negative(objective.l1))
      complain("The penalty's coefficients, lambda = {} and l1 = {}, must be numbers that are not negative.",
               objective.lambda, objective.l1);
    for (const auto& [label, weight] : objective.class_weights)
      if (!above_zero(weight)) complain("The class {} cannot weigh {}: a class weighs more than 0.", label, weight);
    if (!formula_.parameter_allowed(objective.loss_parameter))
      complain("The loss {} cannot have the parameter {}.", objective.loss, objective.loss_parameter);
    if (transform.constant_feature != (objective.intercept == Intercept::penalized))
      complain("The objective says that the intercept is {}, the transform says otherwise.",
               name_of(objective.intercept));
    if (objective.intercept != Intercept::free && model_.intercept[0] != 0)
      complain("The model adds the intercept {} to its scores, but its objective has no free intercept.",
               model_.intercept[0]);
    if (transform.column_factors.size() != (by_column ? model_.features() : 0))
      complain("The transform scales {} columns, but the model has {} features.", transform.column_factors.size(),
               model_.features());
    return problems_.empty();
  }

  // b_i; a class label that the model does not have is a problem.
  Real target(std::size_t i) {
    const double label = data_.labels[i];
    if (!formula_.of_sign) return label;
    if (label != model_.labels[0] && label != model_.labels[1] && !std::exchange(unknown_label_, true))
      complain("Row {} has the label {}, but the model's labels are {} and {}.", i + 1, label, model_.labels[0],
               model_.labels[1]);
    return label == model_.labels[1] ? 1 : -1;
  }

  Real weight(std::size_t i) const {  // s_i, the class weight in it
    const auto of_class = model_.objective.class_weights.find(data_.labels[i]);
    const Real by_class = of_class == model_.objective.class_weights.end() ? 1 : of_class->second;
    return by_class * (data_.weights.empty() ? 1 : data_.weights[i]);
  }

  // The dual number of row i, or p = -b y for a sign, brought back into its domain from no further than rounding.
  Real inside_domain(std::size_t i, Real y_or_p) {
    const auto [lo, hi] = formula_.domain(model_.objective.loss_parameter);
    const Real clipped = std::min(std::max(y_or_p, lo), hi), width = hi - lo < inf ? hi - lo : 1;
    if (!(std::abs(y_or_p - clipped) <= rounding * width) && ++rows_outside_ == 1)
      complain("The dual point is not feasible: in row {} it is {}, where the conjugate of the loss {} is infinite.",
               i + 1, model_.y[i], formula_.name);
    return clipped;
  }

  // sum c_i phi_i(z_i) into P, -sum c_i phi_i*(y_i) into D, and v = -sum c_i y_i a_i.
  void add_rows() {
    const Real t = model_.objective.loss_parameter;
    Real total_weight = 0;
    for (std::size_t i = 0; i < data_.n(); ++i) total_weight += weight(i);
    v_.assign(model_.x.size(), 0);
    v_size_.assign(model_.x.size(), 0);
    ScaledRows rows(data_, model_);
    for (std::size_t i = 0; i < data_.n(); ++i) {
      const Real c = weight(i) / total_weight, b = target(i);
      const Real p = inside_domain(i, formula_.of_sign ? -b * model_.y[i] : model_.y[i]);
      const Real y = formula_.of_sign ? -b * p : p;

      Real z = model_.intercept[0], z_size = std::abs(z);
      for (const auto& [j, a] : rows.row(i)) {
        z += a * model_.x[j];
        z_size += std::abs(a * model_.x[j]);
        v_[j] -= c * y * a;
        v_size_[j] += c * std::abs(a) * (std::abs(y) + std::abs(b));
      }
      balance_ += c * y;
      balance_size_ += c * (std::abs(y) + std::abs(b));

      const Real phi = formula_.value(formula_.of_sign ? b * z : z - b, t);
      const Real conjugate = formula_.conjugate(p, t) + (formula_.of_sign ? 0 : b * y);
      primal_ += c * phi;
      dual_ -= c * conjugate;
      size_ += c * (phi + std::abs(conjugate) + std::abs(y) * (z_size + (formula_.of_sign ? 0 : std::abs(b))));
    }
    if (rows_outside_ > 1) complain("{} more rows have dual numbers that are not feasible.", rows_outside_ - 1);
    feasible_ = rows_outside_ == 0;
  }

  // g(x) = lambda/2 |x|^2 + l1 |x|_1 into P, -g*(v) into D. Without lambda, g* is finite on |v_j| <= l1 only; what
  // rounding leaves outside is worth at most its product with |x*_j|, taken as 1 + 2 |x_j|: an allowance, off D.
  void add_coordinates() {
    const Real lambda = model_.objective.lambda, l1 = model_.objective.l1;
    for (std::size_t j = 0; j < v_.size(); ++j) {
      const Real x = model_.x[j], beyond = positive(std::abs(v_[j]) - l1);
      const Real value = lambda / 2 * x * x + l1 * std::abs(x);
      const Real conjugate = lambda > 0 ? beyond * beyond / (2 * lambda) : beyond * (1 + 2 * std::abs(x));
      primal_ += value;
      dual_ -= conjugate;
      size_ += value + conjugate;
      if (lambda == 0) allowance_size_ += v_size_[j] * (1 + 2 * std::abs(x));
      if (lambda == 0 && !(beyond <= rounding * (l1 + v_size_[j])) && std::exchange(feasible_, false))
        complain(
            "The dual point is not feasible: for feature {} the data's sum |v| is {:.6g}, and l1 = {} allows no more.",
            j + 1, std::abs(v_[j]), model_.objective.l1);
    }
  }

  // A free intercept needs sum c_i y_i = 0; what rounding leaves of it has its allowance too.
  void add_intercept() {
    if (model_.objective.intercept != Intercept::free) return;
    if (!(std::abs(balance_) <= rounding * balance_size_) && std::exchange(feasible_, false))
      complain("The dual point is not feasible: with a free intercept its weighted sum must be 0, and it is {:.6g}.",
               balance_);
    const Real price = 1 + 2 * std::abs(Real(model_.intercept[0]));
    dual_ -= std::abs(balance_) * price;
    allowance_size_ += balance_size_ * price;
  }

  void compare_with_claim() {
    if (!feasible_) dual_ = -inf;
    const Certificate& claim = *model_.certificate;
    const Real slack = rounding * size_ + noise * allowance_size_, gap = primal_ - dual_;
    const Real tolerance = value_tolerance * std::abs(primal_) + slack;
    if (!(std::abs(claim.primal - primal_) <= tolerance))
      complain("The model claims P = {:.12g}, but its weights give P = {:.12g}.", claim.primal, primal_);
    if (feasible_ && !(std::abs(claim.dual - dual_) <= tolerance))
      complain("The model claims D = {:.12g}, but its dual point gives D = {:.12g}.", claim.dual, dual_);
    if (!(gap <= claim.gap * (1 + gap_tolerance) + slack))
      complain("The model claims a gap of {:.6g}, but the gap is {:.6g}.", claim.gap, gap);
    if (claim.distance_bound) {  // lambda/2 |x - x*|^2 <= gap
      const Real bound = *claim.distance_bound, lambda = model_.objective.lambda;
      if (!(lambda > 0 && gap <= lambda / 2 * bound * bound * (1 + gap_tolerance) + slack))
        complain("The model claims to be within {:.6g} of the best weights, which its gap does not show.",
                 *claim.distance_bound);
    }
  }

  const Dataset& data_;
  const LinearModel& model_;
  const Formula& formula_;
  Real primal_ = 0, dual_ = 0;
  Real size_ = 0;                        // what P and D would be if nothing cancelled: rounding is measured by it
  std::vector<Real> v_, v_size_;         // and the same of v
  Real balance_ = 0, balance_size_ = 0;  // sum c_i y_i
  Real allowance_size_ = 0;              // what the allowances would be
  std::size_t rows_outside_ = 0;         // whose y_i is not in its domain
  bool feasible_ = true, unknown_label_ = false;
  std::vector<std::string> problems_;
};

}  // namespace

Verdict verify(const Dataset& data, const LinearModel& model) {
  require_proof_for(data, model);
  return Check(data, model).verdict();
}

}  // namespace seesaw
