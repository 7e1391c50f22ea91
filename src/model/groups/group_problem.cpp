#include "model/groups/group_problem.h"

#include <fmt/format.h>

#include <cmath>

#include "model/groups/group_losses.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

// The coefficients of the mean over groups of the total weight W: make_problem() has those of the mean over rows.
void set_coefficients(Objective& objective, double W) {
  if (objective.regularizer == "elastic-net" && !objective.l1)
    throw Error("a loss of groups has no default of `l1`: give it with the penalty elastic-net.");
  if (objective.lambda || objective.regularizer == "l1" || objective.regularizer == "none") return;
  if (objective.l1 && *objective.l1 > 0 && !objective.C && objective.regularizer.empty()) return;  // l1 alone
  const double C = objective.C.value_or(1);
  if (!(std::isfinite(C) && C > 0)) return;  // refused by make_problem()
  objective.lambda = 1 / (C * W);
  objective.C.reset();
}

// W, the sum of the weights of the groups.
double total_weight(const Dataset& data, const RowGroups& groups) {
  if (data.weights.empty()) return static_cast<double>(groups.count);
  std::vector<std::size_t> first(groups.count, data.n());
  double sum = 0;
  for (std::size_t i = 0; i < data.n(); ++i) {
    std::size_t& of_group = first[groups.of_row[i]];
    if (of_group == data.n()) {
      of_group = i;
      sum += data.weights[i];
    } else if (data.weights[i] != data.weights[of_group]) {
      throw Error(
          fmt::format("rows {} and {} are of one group and have the weights {} and {}: the loss of a group has one "
                      "weight, so give all its rows the same (rows of weight 0 are not counted).",
                      of_group + 1, i + 1, data.weights[of_group], data.weights[i]));
    }
  }
  return sum;
}

}  // namespace

GroupProblem make_group_problem(const Dataset& data, const RowGroups& groups, Objective objective) {
  const LossKind* const kind = group_loss_kind(objective.loss);
  if (kind == nullptr)
    throw Error(fmt::format("rows in groups need a loss of groups: `loss` {} or {}.", group_loss_kinds()[0].name,
                            group_loss_kinds()[1].name));
  if (objective.loss_parameter) throw Error(fmt::format("the loss {} has no parameter; omit it.", kind->name));
  if (groups.count == 0 || groups.of_row.size() != data.n())
    throw ShapeError(data.n(), groups.of_row.size(),
                     fmt::format("there are groups of {} rows for {} rows of data.", groups.of_row.size(), data.n()));
  if (objective.balanced || !objective.class_weights.empty())
    throw Unsupported(fmt::format(
        "the loss {} is of whole groups, whose rows may have several labels, so classes have no weights.", kind->name));
  const double W = total_weight(data, groups);
  objective.loss = row_loss(*kind);
  set_coefficients(objective, W);
  GroupProblem problem{.rows = make_problem(data, objective)};
  if (problem.rows.is_one_versus_rest())
    throw Error(fmt::format("the loss {} needs two labels, and {} has {}.", kind->name, data.source,
                            problem.rows.labels.size()));
  if (!(problem.rows.penalty.l2() > 0))
    throw Unsupported(fmt::format(
        "the loss {} needs a strongly convex penalty: choose `penalty` l2 or elastic-net, with `lambda` above 0.",
        kind->name));
  if (!problem.rows.penalty.uniform())
    throw Unsupported(
        fmt::format("the loss {} has one penalty for all features, without factors and bounds.", kind->name));
  problem.rows.kind = kind;
  problem.rows.loss_parameter = static_cast<double>(groups.count);
  problem.rows.total_weight = W;
  problem.first.assign(groups.count + 1, 0);
  for (const std::uint32_t g : groups.of_row) ++problem.first[g + 1];
  for (std::size_t g = 0; g < groups.count; ++g) problem.first[g + 1] += problem.first[g];
  problem.row.resize(groups.of_row.size());
  std::vector<std::size_t> next = problem.first;
  for (std::size_t i = 0; i < groups.of_row.size(); ++i)
    problem.row[next[groups.of_row[i]]++] = static_cast<std::uint32_t>(i);
  return problem;
}

}  // namespace seesaw
