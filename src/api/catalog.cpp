#include "seesaw/catalog.h"

#include <array>

#include "model/groups/group_losses.h"
#include "model/losses/loss.h"
#include "seesaw/error.h"
#include "seesaw/types.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

constexpr std::array<std::string_view, 12> loss_names = {"hinge",
                                                         "smooth-hinge",
                                                         "squared-hinge",
                                                         "logistic",
                                                         "squared",
                                                         "absolute",
                                                         "quantile",
                                                         "huber",
                                                         "epsilon-insensitive",
                                                         "squared-epsilon-insensitive",
                                                         "softmax",
                                                         "multiclass-hinge"};
constexpr std::array<std::string_view, 5> penalty_names = {"automatic", "l2", "l1", "elastic-net", "none"};

template <class Value, std::size_t Count>
Value value_of(const char* field, std::string_view name, const std::array<std::string_view, Count>& names) {
  std::string all;
  for (std::size_t k = 0; k < Count; ++k) {
    if (names[k] == name) return static_cast<Value>(k);
    all += (k > 0 ? ", " : "") + std::string(names[k]);
  }
  throw InvalidOption(field, std::string(name), "choose one of " + all);
}

TargetKind kind_of(Target target) {
  switch (target) {
    case Target::number:
      return TargetKind::number;
    case Target::sign:
      return TargetKind::two_classes;
    default:
      return TargetKind::classes;
  }
}

LossInfo described(const LossKind& kind) {  // without its parameter
  LossInfo info;
  info.name = kind.name;
  info.formula = kind.formula;
  info.target = kind_of(kind.target);
  info.smooth = kind.gamma() > 0;
  return info;
}

}  // namespace

LossName loss_of(std::string_view name) { return value_of<LossName>("loss", name, loss_names); }
std::string_view name_of(LossName name) { return loss_names[static_cast<std::size_t>(name)]; }
PenaltyName penalty_of(std::string_view name) { return value_of<PenaltyName>("penalty", name, penalty_names); }
std::string_view name_of(PenaltyName name) { return penalty_names[static_cast<std::size_t>(name)]; }

std::vector<LossInfo> losses() {
  std::vector<LossInfo> result;
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds()})
    for (const LossKind& kind : *kinds) {
      result.push_back(described(kind));
      result.back().parameter = kind.parameter.name;
      result.back().parameter_default = kind.parameter.standard;
      result.back().parameter_rule = kind.parameter.rule;
    }
  for (const LossKind& kind : group_loss_kinds()) {
    result.push_back(described(kind));
    result.back().of_groups = true;
  }
  return result;
}

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> result;
  for (const Recipe& recipe : catalog()) {
    MethodInfo method{.name = recipe.name,
                      .summary = recipe.summary,
                      .paper = recipe.paper,
                      .family = family_of(recipe),
                      .cost = recipe.cost,
                      .needs = describe(recipe.needs),
                      .random = recipe.random,
                      .options = {}};
    for (const OptionInfo& option : recipe.options)
      method.options.push_back({option.name, option.allowed, option.standard, option.meaning});
    result.push_back(std::move(method));
  }
  return result;
}

}  // namespace seesaw
