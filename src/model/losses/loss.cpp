#include "model/losses/loss.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "model/groups/group_losses.h"
#include "model/losses/absolute.h"
#include "model/losses/epsilon_insensitive.h"
#include "model/losses/hinge.h"
#include "model/losses/huber.h"
#include "model/losses/quantile.h"
#include "model/losses/register_loss.h"
#include "model/losses/smooth_hinge.h"
#include "model/losses/squared.h"
#include "model/losses/squared_epsilon_insensitive.h"
#include "model/losses/squared_hinge.h"
#include "model/registry.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

LossKind logistic_loss() {
  return {.name = "logistic", .target = Target::sign, .formula = "log(1 + exp(-b z))", .make = [](double) -> Loss {
            return Logistic{};
          }};
}

LossKind softmax_loss() {
  return {.name = "softmax",
          .target = Target::index,
          .formula = "log(sum_k exp(z_k)) - z_b",
          .make_block = [](std::size_t classes) -> BlockLoss { return Softmax{classes}; }};
}

LossKind multiclass_hinge_loss() {
  return {.name = "multiclass-hinge",
          .target = Target::index,
          .formula = "max_k (z_k + [k != b]) - z_b",
          .make_block = [](std::size_t classes) -> BlockLoss { return MulticlassHinge{classes}; }};
}

Registry<LossKind>& loss_registry() {
  static Registry<LossKind> kinds({hinge_loss(), smooth_hinge_loss(), squared_hinge_loss(), logistic_loss(),
                                   squared_loss(), absolute_loss(), quantile_loss(), huber_loss(),
                                   epsilon_insensitive_loss(), squared_epsilon_insensitive_loss()});
  return kinds;
}

}  // namespace

Loss smoothed(const Loss& loss, double g) {
  const auto* quadratic = std::get_if<PiecewiseQuadratic>(&loss);
  if (quadratic == nullptr) return loss;  // smooth already
  PiecewiseQuadratic result = *quadratic;
  result.curvature += g;
  return result;
}

BlockLoss smoothed(const BlockLoss& loss, double g) {
  const auto* hinge = std::get_if<MulticlassHinge>(&loss);
  if (hinge == nullptr) return loss;  // smooth already
  MulticlassHinge result = *hinge;
  result.curvature += g;
  return result;
}

double gamma_of(const BlockLoss& loss) {
  return std::visit([](const auto& l) { return l.gamma(); }, loss);
}

double gamma_of(const Loss& loss) {
  return std::visit([](const auto& l) { return l.gamma(); }, loss);
}

double delta_of(const Loss& loss) {
  return std::visit([](const auto& l) { return l.delta(); }, loss);
}

const std::vector<LossKind>& loss_kinds() { return loss_registry().entries(); }
void register_loss(const LossKind& kind) { loss_registry().add(kind); }

const std::vector<LossKind>& block_loss_kinds() {
  static const std::vector<LossKind> kinds = {softmax_loss(), multiclass_hinge_loss()};
  return kinds;
}

const LossKind& loss_kind(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds()})
    for (const LossKind& kind : *kinds) {
      if (kind.name == name) return kind;
      names.push_back(kind.name);
    }
  if (group_loss_kind(name) != nullptr)
    throw Error(fmt::format("the loss {} is one of groups of rows: it needs `blocks` and has no parameter.", name));
  throw InvalidOption("loss", std::string(name), fmt::format("choose one of {}", fmt::join(names, ", ")));
}

}  // namespace seesaw
