// With s_i = w_g and the total W = sum_g w_g, the problem of the single rows (absolute or hinge loss) has the dual function
// of the groups: the conjugate of a group is the sum of the conjugates of its rows, on a smaller domain. So D is that of
// recompute() for this problem without an intercept, and the domain of the groups is checked here; P is computed here.
//
// A free intercept demands r = sum_i s_i y_i/W = 0; what is left of it costs at most |b| |r|. The loss of a group is at least
// the mean of the losses of its rows, so b is bounded as in the problem of the rows with s_i = w_g/(rows of g).
#include "verify/verify_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "seesaw/error.h"
#include "verify/claims.h"
#include "verify/feature_penalty.h"
#include "verify/form_check.h"
#include "verify/intercept_bounds.h"
#include "verify/optimum.h"
#include "verify/recompute.h"
#include "verify/short_sum.h"
#include "verify/signs.h"

namespace seesaw {
namespace {

using namespace verifier;

struct GroupLoss {
  const char *name, *of_row;
};
constexpr GroupLoss group_losses[] = {{"group-norm", "absolute"}, {"group-max-hinge", "hinge"}};

const GroupLoss* find_group_loss(const LinearModel& model) {
  for (const GroupLoss& loss : group_losses)
    if (model.objective.loss == loss.name) return &loss;
  return nullptr;
}

// The model of the single rows, without its free intercept.
LinearModel of_rows(const LinearModel& model, const GroupLoss& loss) {
  LinearModel rows = model;
  rows.objective.loss = loss.of_row;
  rows.objective.loss_parameter_name.clear();
  rows.objective.loss_parameter = 0;
  if (rows.objective.intercept == Intercept::free) {
    rows.objective.intercept = Intercept::none;
    rows.intercept.assign(rows.intercept.size(), 0.0);
  }
  return rows;
}

std::vector<Ball> scores(const StatedProblem& problem, double intercept) {
  std::vector<Ball> z(problem.data.n());
  std::visit(
      [&](const auto& rows) {
        parallel_chunks(chunks_of(z.size(), 1024), [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) z[i] = short_score(rows.row(i), problem.x.data(), intercept);
        });
      },
      problem.data.rows);
  return z;
}

std::vector<std::vector<std::size_t>> rows_of(const RowGroups& groups) {
  std::vector<std::vector<std::size_t>> rows(groups.count);
  for (std::size_t i = 0; i < groups.of_row.size(); ++i) rows[groups.of_row[i]].push_back(i);
  return rows;
}

class GroupCheck {
 public:
  GroupCheck(StatedProblem& problem, const RowGroups& groups, Problems& problems)
      : problem_(problem), rows_(rows_of(groups)), hinge_(problem.loss.of_sign), problems_(problems) {
    Sum total;
    for (const std::vector<std::size_t>& group : rows_) total.add(problem.weight_of(group[0]));
    problem.total = total.value(rows_.size());
  }

  bool weights_are_of_groups() {
    for (const std::vector<std::size_t>& group : rows_)
      for (const std::size_t i : group)
        if (!problem_.data.weights.empty() && problem_.data.weights[i] != problem_.data.weights[group[0]]) {
          problems_.add("Rows {} and {} are of one group and have different weights.", group[0] + 1, i + 1);
          return false;
        }
    return true;
  }

  // 1/W sum_g w_g phi_g + g(x)
  Ball primal(double intercept) const {
    const std::vector<Ball> z = scores(problem_, intercept);
    Sum sum;
    for (const std::vector<std::size_t>& group : rows_)
      sum.add(problem_.weight_of(group[0]) * (hinge_ ? largest_hinge(group, z) : norm(group, z)));
    return sum.value(rows_.size()) / problem_.total + feature_penalty(problem_.model, 0);
  }

  // |y_g|^2 <= 1, or p >= 0 and sum p <= 1.
  bool feasible() {
    std::size_t outside = 0, first = 0;
    for (std::size_t g = 0; g < rows_.size(); ++g)
      if (!inside(rows_[g]) && outside++ == 0) first = g;
    if (outside == 0) return true;
    const std::size_t row = rows_[first][0] + 1;
    problems_.add("The dual point is not feasible: in the group of row {} {}.", row,
                  hinge_ ? "the numbers -b_i y_i must not be negative and their sum must be at most 1"
                         : "the norm of y must be at most 1");
    if (outside > 1) problems_.add("{} more groups have infeasible dual variables.", outside - 1);
    return false;
  }

  // -|b| |r| from below, for a free intercept b with P(x, b) <= primal.
  Ball cost_of_imbalance(double primal) {
    Sum sum;
    for (std::size_t i = 0; i < problem_.n; ++i) sum.add(problem_.weight_of(i) * Ball(problem_.y[i]));
    const Ball r = sum.value(problem_.n) / problem_.total;
    if (r.zero()) return 0;
    StatedProblem means = problem_;
    means.weight.resize(means.n);
    for (const std::vector<std::size_t>& group : rows_)
      for (const std::size_t i : group)
        means.weight[i] = problem_.weight_of(i) / Ball(static_cast<double>(group.size()));
    const auto b = intercept_bounds(means, sums_of_groups(means), 0, primal);
    const double most = std::max(std::abs(b.low), std::abs(b.high));
    return most < inf ? -(Ball(most) * absolute(r)) : Ball(-inf);
  }

 private:
  Ball norm(const std::vector<std::size_t>& group, const std::vector<Ball>& z) const {
    Sum squares;
    for (const std::size_t i : group) squares.add(square(z[i] - Ball(problem_.target[i])));
    return square_root(squares.value(2 * group.size()));
  }
  Ball largest_hinge(const std::vector<std::size_t>& group, const std::vector<Ball>& z) const {
    Ball most(0);
    for (const std::size_t i : group) most = larger(most, Ball(1) - (problem_.target[i] > 0 ? z[i] : -z[i]));
    return most;
  }
  bool inside(const std::vector<std::size_t>& group) const {
    Sum sum;
    for (const std::size_t i : group) {
      const double y = problem_.y[i];
      if (!(std::abs(y) <= 1)) return false;
      if (!hinge_) {
        sum.add_product(y, y);
        continue;
      }
      const double p = problem_.target[i] > 0 ? -y : y;
      if (!(p >= 0)) return false;
      sum.add(p);
    }
    return certainly_at_most(sum.value(2 * group.size()), Ball(1));
  }

  StatedProblem& problem_;
  const std::vector<std::vector<std::size_t>> rows_;
  const bool hinge_;
  Problems& problems_;
};

void require_proof_for(const Dataset& data, const RowGroups& groups, const LinearModel& model) {
  if (!model.certificate)
    throw Error("the model has no certificate: it was not trained by Seesaw, so there is nothing to verify.");
  if (model.y.empty())
    throw Error("the model has a certificate but no dual point, without which it cannot be verified.");
  const std::string name = data.source.empty() ? "this data" : data.source;
  if (data.n() != model.n || groups.of_row.size() != data.n() || content_hash(data, groups) != model.data_hash ||
      data.d() + (model.transform.constant_feature ? 1 : 0) > model.x.size())
    throw Error(
        fmt::format("the model was not trained on {} with these groups: values, labels or groups differ. Give the "
                    "training file, with the groups it was trained with.",
                    name));
}

void check_form(const RowGroups& groups, const LinearModel& model, Problems& problems) {
  const SolvedObjective& objective = model.objective;
  const auto m = static_cast<double>(groups.count);
  if (objective.loss_parameter_name != "groups" || objective.loss_parameter != m)
    problems.add("The model states {} = {}, but there are {} groups.", objective.loss_parameter_name,
                 objective.loss_parameter, groups.count);
  if (!(objective.lambda > 0) || !uniform_penalty(objective) || !objective.class_weights.empty())
    problems.add(
        "The loss {} needs lambda above 0, and neither weights nor penalties of single classes or features, which the "
        "model does not have.",
        objective.loss);
  if (objective.intercept == Intercept::free && (model.optimum || !model.proved_signs.empty()))
    problems.add(
        "The model states bounds of the optimum or signs of its weights, which a loss of groups with a free intercept "
        "does not have.");
  if (!model.certificate->guaranteed)
    problems.add("The model states that its gap is not guaranteed: there is no claim to check.");
}

}  // namespace

bool has_group_loss(const LinearModel& model) { return find_group_loss(model) != nullptr; }

Verification verify_groups(const Dataset& data, const RowGroups& groups, const LinearModel& model) {
  const GroupLoss* const loss = find_group_loss(model);
  if (loss == nullptr) throw Error(fmt::format("the loss {} is not one of groups of rows.", model.objective.loss));
  require_proof_for(data, groups, model);
  Problems problems;
  Verification verdict;
  verdict.primal = verdict.gap = inf;
  verdict.dual = -inf;
  const LinearModel rows = of_rows(model, *loss);
  check_form(groups, model, problems);
  if (problems.sentences().empty() && well_formed(data, rows, problems)) {
    StatedProblem problem(data, rows);
    GroupCheck check(problem, groups, problems);
    const bool free = model.objective.intercept == Intercept::free;
    const Ball primal = check.weights_are_of_groups() ? check.primal(free ? model.intercept[0] : 0) : Ball(inf);
    Ball dual = check.feasible() ? recompute(problem, problems)[0].dual : Ball(-inf);
    if (free && dual.high > -inf) dual = dual + check.cost_of_imbalance(primal.upper());
    verdict.primal = primal.upper();
    verdict.dual = dual.high > -inf ? dual.lower() : -inf;
    if (finite(primal) && finite(dual)) verdict.gap = std::max(0.0, (primal - dual).upper());
    const Certificate& claim = *model.certificate;
    compare_bounds({verdict.primal, verdict.dual, verdict.gap}, claim.primal, claim.dual, claim.gap, problems);
    if (claim.distance_bound) compare_distance(verdict.gap, model.objective.lambda, *claim.distance_bound, problems);
    if (model.optimum && verdict.gap < inf) check_optimum(problem, {{verdict.primal, verdict.gap}}, problems);
    if (!model.proved_signs.empty()) check_signs(problem, {{verdict.primal, verdict.gap}}, problems);
  }
  verdict.problems = problems.sentences();
  verdict.holds = verdict.problems.empty();
  return verdict;
}

}  // namespace seesaw
