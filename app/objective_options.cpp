#include "objective_options.h"

#include <fmt/format.h>

#include "model/losses/loss.h"
#include "seesaw/error.h"

namespace seesaw::app {
namespace {

constexpr const char* group = "Objective";

double as_number(const std::string& text, const std::string& option) {
  try {
    std::size_t used = 0;
    const double value = std::stod(text, &used);
    if (used == text.size()) return value;
  } catch (const std::exception&) {
  }
  throw InvalidOption(option, text, "it must be LABEL=WEIGHT with two numbers, or balanced");
}

}  // namespace

void ObjectiveOptions::declare_loss(Command& command, const char* of_several_classes) {
  std::string losses;
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds()})
    for (const LossKind& kind : *kinds) losses += (losses.empty() ? "" : " | ") + std::string(kind.name);
  command.add_option("--loss", given_.loss, losses + "; " + of_several_classes)
      ->default_str("logistic where there are two labels")
      ->group(group);
  std::map<std::string, Option> parameters;  // some are shared by two losses
  for (const LossKind& kind : loss_kinds()) {
    if (kind.parameter.name.empty()) continue;
    const std::string name(kind.parameter.name);
    Option& option = parameters[name];
    if (!option.declared())
      option = command
                   .add_option_function<double>(
                       "--" + name, [this, name](const double& value) { loss_parameters[name] = value; },
                       fmt::format("{}: parameter of {}", kind.parameter.rule, kind.name))
                   ->default_str(fmt::format("{}", kind.parameter.standard))
                   ->group(group);
    else option->description(fmt::format("{}, {}", option->get_description(), kind.name));
  }
  command.add_option("--reg", given_.regularizer, "l2 | l1 | elastic-net | none")
      ->default_str("as the coefficients say, l2 without any")
      ->group(group);
}

void ObjectiveOptions::declare_coefficients(Command& command) {
  command.add_option("--lambda", given_.lambda, "coefficient of |x|^2 / 2")
      ->default_str("1 / sum of weights")
      ->group(group);
  command.add_option("--C", given_.C, "LIBLINEAR's cost: lambda (or l1 with --reg l1) = 1 / (C sum of weights)")
      ->default_str("1 with l2")
      ->group(group);
  command.add_option("--l1", given_.l1, "coefficient of |x|_1")
      ->default_str("a tenth of the smallest that gives x = 0")
      ->group(group);
}

void ObjectiveOptions::declare_treatment(Command& command) {
  command.add_option("--intercept", intercept, "free | penalized (a feature of 1) | none")
      ->capture_default_str()
      ->group(group);
  command.add_option("--intercept-scaling", given_.intercept_scaling, "value of the feature of a penalized intercept")
      ->capture_default_str()
      ->group(group);
  command.add_option("--class-weight", class_weights, "LABEL=WEIGHT, repeatable, or balanced")
      ->default_str("all 1")
      ->group(group)
      ->option_text("L=W ")
      ->allow_extra_args(false);
  command.add_option("--scale", scale, "none | rows | max | columns-max | columns-std; kept in the model")
      ->capture_default_str()
      ->group(group);
}

Objective ObjectiveOptions::objective() const {
  Objective objective = given_;
  objective.intercept = intercept_of(intercept);
  for (const std::string& text : class_weights) {
    if (text == "balanced") {
      objective.balanced = true;
      continue;
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) as_number(text, "class_weights");
    objective.class_weights[as_number(text.substr(0, equals), "class_weights")] =
        as_number(text.substr(equals + 1), "class_weights");
  }
  if (objective.balanced && !objective.class_weights.empty())
    throw Error("--class-weight is either balanced or a list of LABEL=WEIGHT, not both.");
  for (const auto& [name, value] : loss_parameters) {
    const std::string loss = objective.loss.empty() ? "logistic" : objective.loss;
    if (loss_kind(loss).parameter.name != name)
      throw Error(fmt::format("the loss {} has no parameter --{}; leave it out.", loss, name));
    objective.loss_parameter = value;
  }
  return objective;
}

}  // namespace seesaw::app
