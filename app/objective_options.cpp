#include "objective_options.h"

#include <fmt/format.h>

#include <utility>

#include "base/scalar.h"
#include "data/readers/feature_values.h"
#include "model/groups/group_losses.h"
#include "model/losses/loss.h"
#include "model/penalty/penalty_kinds.h"
#include "seesaw/error.h"
#include "study/command_line.h"

namespace seesaw::app {
namespace {

constexpr const char* objective_group = "Objective";

double as_number(const std::string& text, const std::string& option) {
  try {
    std::size_t used = 0;
    const double value = std::stod(text, &used);
    if (used == text.size()) return value;
  } catch (const std::exception&) {
  }
  throw InvalidOption(option, text, "it must be LABEL=WEIGHT with two numbers, or balanced");
}

std::vector<std::string> loss_names(bool of_groups = false) {
  std::vector<std::string> losses;
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds()})
    for (const LossKind& kind : *kinds) losses.emplace_back(kind.name);
  if (of_groups)
    for (const LossKind& kind : group_loss_kinds()) losses.emplace_back(kind.name);
  return losses;
}

std::vector<std::string> penalty_names() {
  std::vector<std::string> penalties;
  for (const PenaltyKind& kind : penalty_kinds()) penalties.emplace_back(kind.name);
  return penalties;
}

}  // namespace

void ObjectiveOptions::declare_loss(Command& command, const char* multiclass, bool of_groups) {
  command.add_option("--loss", given_.loss, fmt::format("loss ({})", multiclass))
      .one_of(loss_names(of_groups))
      .standard("logistic for two labels")
      .group(objective_group)
      .common();
  declare_parameters(command);
  command.add_option("--reg", given_.regularizer, "penalty")
      .one_of(penalty_names())
      .standard("by the coefficients given, else l2")
      .group(objective_group)
      .common();
}

void ObjectiveOptions::declare_losses(Command& command, std::vector<std::string>& losses,
                                      std::vector<std::string>& penalties) {
  command.add_option("--loss", losses, "losses (binary losses: one-versus-rest if multiclass)")
      .list(',')
      .completes(loss_names())
      .placeholder("NAME,...")
      .standard("logistic for two labels")
      .group(objective_group)
      .common();
  declare_parameters(command);
  command.add_option("--reg", penalties, "penalties")
      .list(',')
      .completes(penalty_names())
      .placeholder("NAME,...")
      .standard("by the coefficients given, else l2")
      .group(objective_group)
      .common();
}

void ObjectiveOptions::declare_parameters(Command& command) {
  std::map<std::string, Option> parameters;  // some are shared by two losses
  for (const LossKind& kind : loss_kinds()) {
    if (kind.parameter.name.empty()) continue;
    const std::string name(kind.parameter.name);
    Option& option = parameters[name];
    if (!option.declared()) {
      option = command.add_option_function<double>(
          "--" + name, [this, name](const double& value) { loss_parameters[name] = value; },
          fmt::format("{}: parameter of {}", kind.parameter.rule, kind.name));
      option.standard(fmt::format("{}", kind.parameter.standard)).group(objective_group);
    } else {
      option.entry().description += fmt::format(", {}", kind.name);
    }
  }
}

void ObjectiveOptions::declare_coefficients(Command& command) {
  command.add_option("--lambda", given_.lambda, "coefficient of |x|^2 / 2")
      .standard("1 / sum of weights")
      .group(objective_group)
      .common();
  command.add_option("--C", given_.C, "LIBLINEAR's cost: lambda or l1 = 1 / (C sum of weights)")
      .group(objective_group)
      .common();
  command.add_option("--l1", given_.l1, "coefficient of |x|_1")
      .standard("a tenth of the smallest that gives x = 0")
      .group(objective_group)
      .common();
}

void ObjectiveOptions::declare_treatment(Command& command) {
  command.add_option("--intercept", intercept, "intercept")
      .one_of({"free", "penalized", "none"})
      .standard(intercept)
      .group(objective_group)
      .common();
  command.add_option("--intercept-scaling", given_.intercept_scaling, "value of the feature of a penalized intercept")
      .standard("1")
      .group(objective_group);
  command.add_option("--class-weight", class_weights, "LABEL=WEIGHT, repeatable, or balanced")
      .placeholder("L=W")
      .standard("all 1")
      .group(objective_group)
      .common()
      .repeatable();
  command.add_option("--scale", scale, "scaling of rows or columns, kept in the model")
      .one_of({"none", "rows", "max", "columns-max", "columns-std"})
      .standard(scale)
      .group(objective_group)
      .common();
}

void ObjectiveOptions::declare_feature_penalties(Command& command) {
  command
      .add_option(
          "--penalty-factors", penalty_factors_path,
          "factor of the penalty per feature (scaled): one number per line, or INDEX:VALUE or NAME VALUE for some; "
          "0: unpenalized")
      .placeholder("FILE")
      .standard("all 1")
      .group(objective_group);
  command.add_flag("--nonnegative", nonnegative, "no coefficient below 0; the intercept is not bounded")
      .group(objective_group);
  command
      .add_option(
          "--box", box_path,
          "bounds of coefficients (unscaled): LOWER UPPER per line, or INDEX:LOWER:UPPER or NAME LOWER UPPER for "
          "some; they contain 0")
      .placeholder("FILE")
      .standard("no bounds")
      .group(objective_group);
}

void ObjectiveOptions::read_feature_penalties(const Dataset& data, std::size_t first_index,
                                              Objective& objective) const {
  const auto read = [&](const std::string& path, const char* what, std::vector<double> standard) {
    return read_feature_values({path, what, std::move(standard), first_index}, data.d(), data.feature_names);
  };
  if (!penalty_factors_path.empty()) {
    objective.penalty_factors = read(penalty_factors_path, "penalty factor", {1})[0];
    for (const double f : objective.penalty_factors)
      if (!(f >= 0 && f < infinity))
        throw Error(fmt::format("{} has the penalty factor {}; it must be a finite number that is not negative.",
                                penalty_factors_path, f));
  }
  if (nonnegative || !box_path.empty()) {
    objective.lower.assign(data.d(), -infinity);
    objective.upper.assign(data.d(), infinity);
  }
  if (!box_path.empty()) {
    auto bounds = read(box_path, "lower and an upper bound", {-infinity, infinity});
    for (std::size_t j = 0; j < data.d(); ++j) {
      const double lo = bounds[0][j], hi = bounds[1][j];
      const std::size_t index = j + first_index;
      if (lo > hi)
        throw Error(
            fmt::format("{}: the lower bound {} of feature {} is above its upper bound {}.", box_path, lo, index, hi));
      if (lo > 0 || hi < 0)
        throw Error(fmt::format("{}: the bounds [{}, {}] of feature {} must contain 0.", box_path, lo, hi, index));
    }
    objective.lower = std::move(bounds[0]);
    objective.upper = std::move(bounds[1]);
  }
  if (nonnegative)
    for (double& lo : objective.lower) lo = 0;
}

std::string ObjectiveOptions::feature_penalties_as_typed() const {
  std::string text;
  if (!penalty_factors_path.empty()) text += " --penalty-factors " + shell_quoted(penalty_factors_path);
  if (!box_path.empty()) text += " --box " + shell_quoted(box_path);
  if (nonnegative) text += " --nonnegative";
  return text;
}

std::optional<double> ObjectiveOptions::parameter_of(const std::string& loss) const {
  const auto found = loss_parameters.find(std::string(loss_kind(loss).parameter.name));
  return found == loss_parameters.end() ? std::nullopt : std::optional(found->second);
}

Objective ObjectiveOptions::objective() const {
  Objective objective = treatment();
  for (const auto& [name, value] : loss_parameters) {
    const std::string loss = objective.loss.empty() ? "logistic" : objective.loss;
    if (loss_kind(loss).parameter.name != name)
      throw Error(fmt::format("the loss {} has no parameter --{}; leave it out.", loss, name));
    objective.loss_parameter = value;
  }
  return objective;
}

Objective ObjectiveOptions::treatment() const {
  Objective objective = given_;
  objective.intercept = intercept_of(intercept);
  for (const std::string& text : class_weights) {
    if (text == "balanced") {
      objective.balanced = true;
      continue;
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) as_number(text, "class_weights");
    const double label = as_number(text.substr(0, equals), "class_weights");
    if (!objective.class_weights.emplace(label, as_number(text.substr(equals + 1), "class_weights")).second)
      throw Error(fmt::format("--class-weight has two weights of the label {}; give one.", label));
  }
  if (objective.balanced && !objective.class_weights.empty())
    throw Error("--class-weight is either balanced or a list of LABEL=WEIGHT, not both.");
  return objective;
}

}  // namespace seesaw::app
