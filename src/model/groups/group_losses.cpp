#include "model/groups/group_losses.h"

#include "model/losses/absolute.h"
#include "model/losses/hinge.h"

namespace seesaw {
namespace {

LossKind of_groups(LossKind of_rows, std::string_view name, std::string_view formula) {
  of_rows.name = name;
  of_rows.formula = formula;
  of_rows.parameter = {.name = "groups"};
  return of_rows;
}

}  // namespace

const std::vector<LossKind>& group_loss_kinds() {
  static const std::vector<LossKind> kinds = {of_groups(absolute_loss(), "group-norm", "|z_g - b_g|_2"),
                                              of_groups(hinge_loss(), "group-max-hinge", "max(0, max_i 1 - b_i z_i)")};
  return kinds;
}

const LossKind* group_loss_kind(std::string_view name) {
  for (const LossKind& kind : group_loss_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

std::string_view row_loss(const LossKind& of_groups) {
  return of_groups.target == Target::number ? "absolute" : "hinge";
}

}  // namespace seesaw
