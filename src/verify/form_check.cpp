#include "verify/form_check.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/ranks.h"
#include "model/model_text.h"
#include "verify/losses.h"

namespace seesaw::verifier {
namespace {

class FormCheck {
 public:
  FormCheck(const Dataset& data, const LinearModel& model, Problems& problems)
      : data_(data), model_(model), problems_(problems), outputs_(model.outputs()) {}

  bool passed() {
    sizes();
    const LossInfo& loss = *find_loss(model_.objective.loss);
    if (loss.of_blocks()) blocks();
    else columns(loss);
    classes(loss);
    objective();
    transform();
    status();
    names();
    if (problems_.sentences().empty() && model_.classifies()) labels_of_rows();
    if (problems_.sentences().empty()) scaling_factors();
    return problems_.sentences().empty();
  }

 private:
  void sizes() {
    if (!model_.y.empty() && model_.y.size() != data_.all_rows() * outputs_)
      problems_.add("The dual point has {} numbers, but the data has {} rows{}.", model_.y.size(), data_.all_rows(),
                    outputs_ > 1 ? fmt::format(" and the model {} outputs", outputs_) : "");
    if (model_.x.size() % outputs_ != 0)
      problems_.add("There are {} weights, which is not a multiple of {} outputs.", model_.x.size(), outputs_);
  }

  void blocks() {
    if (outputs_ < 2 || !has_labels(outputs_))
      problems_.add(
          "The loss {} needs two or more labels in ascending order and one output per label, which the model "
          "does not have.",
          model_.objective.loss);
  }

  void columns(const LossInfo& loss) {
    if (!loss.parameter_allowed(model_.objective.loss_parameter))
      problems_.add("The loss {} cannot have the parameter {}.", loss.name, model_.objective.loss_parameter);
    if (!loss.of_sign) {
      if (!model_.labels.empty())
        problems_.add("The loss {} predicts numbers, but the model has class labels.", loss.name);
      if (outputs_ > 1)
        problems_.add("The loss {} predicts one number, but the model has {} outputs.", loss.name, outputs_);
    } else if (outputs_ == 1) {
      if (!has_labels(2))
        problems_.add("The loss {} needs two labels in ascending order, which the model does not have.", loss.name);
    } else if (outputs_ == 2 || !has_labels(outputs_)) {
      problems_.add(
          "One-versus-rest needs three or more labels in ascending order and one output per label, which the "
          "model does not have.");
    }
  }

  bool has_labels(std::size_t count) const {
    return model_.labels.size() == count &&
           std::adjacent_find(model_.labels.begin(), model_.labels.end(),
                              [](double k, double l) { return !(k < l); }) == model_.labels.end();
  }

  // One claim per class of one-versus-rest; otherwise none.
  void classes(const LossInfo& loss) {
    const bool each = outputs_ > 1 && !loss.of_blocks();
    if (model_.classes.size() != (each ? outputs_ : 0))
      return problems_.add("The model has claims for {} single classes instead of {}.", model_.classes.size(),
                           each ? outputs_ : 0);
    for (std::size_t k = 0; k < std::min(model_.classes.size(), model_.labels.size()); ++k)
      if (model_.classes[k].label != model_.labels[k])
        problems_.add("The claim of class {} is in the place of class {}.", model_.classes[k].label, model_.labels[k]);
  }

  void objective() {
    const SolvedObjective& objective = model_.objective;
    if (!coefficient(objective.lambda) || !coefficient(objective.l1))
      problems_.add("The penalty's coefficients, lambda = {} and l1 = {}, must be nonnegative numbers.",
                    objective.lambda, objective.l1);
    feature_penalties();
    for (const auto& [label, weight] : objective.class_weights)
      if (!(weight > 0 && weight < inf))
        problems_.add("The weight of class {} is {}, but class weights must be positive.", label, weight);
    for (const double b : model_.intercept)
      if (objective.intercept != Intercept::free && b != 0)
        return problems_.add("The model adds the intercept {} to its scores, but its objective has no free intercept.",
                             b);
  }

  void feature_penalties() {
    const SolvedObjective& objective = model_.objective;
    const std::size_t d = model_.features();
    const auto count = [&](const std::vector<double>& numbers, const char* what, bool present) {
      if (numbers.size() != (present ? d : 0))
        problems_.add("The model has {} {}, but {} features.", numbers.size(), what, d);
    };
    const bool bounded = !objective.lower.empty() || !objective.upper.empty();
    count(objective.penalty_factors, "penalty factors", !objective.penalty_factors.empty());
    count(objective.lower, "lower bounds", bounded);
    count(objective.upper, "upper bounds", bounded);
    for (const double f : objective.penalty_factors)
      if (!coefficient(f)) return problems_.add("The penalty factor {} must be a number that is not negative.", f);
    for (std::size_t j = 0; j < std::min(objective.lower.size(), objective.upper.size()); ++j)
      if (!(objective.lower[j] <= 0 && 0 <= objective.upper[j]))
        return problems_.add("The bounds [{}, {}] of feature {} do not contain 0.", objective.lower[j],
                             objective.upper[j], j + 1);
  }

  void transform() {
    const Transform& transform = model_.transform;
    const bool by_column = transform.scaling == Scaling::columns_max || transform.scaling == Scaling::columns_std;
    if (transform.constant_feature != (model_.objective.intercept == Intercept::penalized))
      problems_.add("The objective has the intercept {}, which contradicts the transform.",
                    name_of(model_.objective.intercept));
    if (!(std::isfinite(transform.constant_value) && transform.constant_value > 0) ||
        (!transform.constant_feature && transform.constant_value != 1))
      problems_.add("The constant feature cannot be {}.", transform.constant_value);
    if (transform.column_factors.size() != (by_column ? model_.features() : 0))
      problems_.add("The transform scales {} columns, but the model has {} features.", transform.column_factors.size(),
                    model_.features());
  }

  // By the formula of training, which defines the problem: the same bits.
  void scaling_factors() {
    const Transform& stated = model_.transform;
    Transform own = fit_transform(data_, stated.scaling, stated.constant_feature ? stated.constant_value : 0);
    if (stated.factor != own.factor)
      problems_.add("The rows were multiplied by {}, but the factor of this data is {}.", stated.factor, own.factor);
    if (!own.column_factors.empty()) own.column_factors.resize(stated.column_factors.size(), 1.0);  // empty columns
    for (std::size_t j = 0; j < own.column_factors.size(); ++j)
      if (stated.column_factors[j] != own.column_factors[j])
        return problems_.add("Feature {} was multiplied by {}, but its factor in this data is {}.", j + 1,
                             stated.column_factors[j], own.column_factors[j]);
  }

  // Those of the header, where both have names. A model has U+FFFD for bytes that are not UTF-8.
  void names() {
    const std::vector<std::string>&stated = model_.feature_names, &own = data_.feature_names;
    const bool both = !stated.empty() && !own.empty();
    const bool differ = both && !std::equal(stated.begin(), stated.end(), own.begin(), own.end(),
                                            [](const std::string& a, const std::string& b) {
                                              return a == b || model_format::quoted(a) == model_format::quoted(b);
                                            });
    if (any_rank(data_.leaves(), differ))
      problems_.add("The names of the features are not those of the data, in their order.");
  }

  void status() {
    constexpr std::array known = {"converged", "pass-limit", "time-limit",    "interrupted",
                                  "stalled",   "diverged",   "labels-settled"};
    if (std::find(known.begin(), known.end(), model_.status) == known.end())
      problems_.add("The training status \"{}\" of the model is unknown.", model_.status);
  }

  static bool coefficient(double value) { return value >= 0 && value < inf; }

  void labels_of_rows() {
    const auto unknown = std::find_if(data_.labels.begin(), data_.labels.end(), [&](double label) {
      return !std::binary_search(model_.labels.begin(), model_.labels.end(), label);
    });
    struct Found {
      bool found;
      std::size_t row;
      double label;
    };
    const auto here = static_cast<std::size_t>(unknown - data_.labels.begin());
    const bool found = unknown != data_.labels.end();
    const Found own{found, place_among_ranks(data_.leaves(), data_.n()).before + here, found ? *unknown : 0};
    const Shares* const shares = data_.leaves().shares();
    for (const Found& first : shares != nullptr ? shares->ranks->gather(own) : std::vector{own})
      if (first.found)
        return problems_.add("Row {} has the label {}, but the model's labels are {}.", first.row + 1, first.label,
                             fmt::join(model_.labels, " and "));
  }

  const Dataset& data_;
  const LinearModel& model_;
  Problems& problems_;
  const std::size_t outputs_;
};

}  // namespace

bool well_formed(const Dataset& data, const LinearModel& model, Problems& problems) {
  return FormCheck(data, model, problems).passed();
}

}  // namespace seesaw::verifier
