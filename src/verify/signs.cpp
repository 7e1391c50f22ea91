#include "verify/signs.h"

#include <algorithm>
#include <cmath>

#include "verify/passes.h"

namespace seesaw::verifier {
namespace {

// 1 over the largest second derivative of the loss; 0: it has none.
double strong_convexity_of_conjugate(LossName loss, double t) {
  switch (loss) {
    case LossName::squared:
    case LossName::huber:
      return 1;
    case LossName::squared_epsilon_insensitive:
    case LossName::squared_hinge:
      return 0.5;
    case LossName::smooth_hinge:
      return t;
    case LossName::logistic:
      return 4;
    case LossName::softmax:
      return 2;
    default:
      return 0;
  }
}

struct ColumnRange {
  double norm = 0;  // |a_j - m_j|_c, from above
  double mean = 0;  // |m_j|, from above
};

std::vector<ColumnRange> columns_of(const StatedProblem& problem) {
  const std::vector<Ball> squares = square_sums(problem);
  std::vector<Ball> groups;
  if (problem.free_intercept()) groups = group_sums(problem);
  std::vector<ColumnRange> result(squares.size());
  for (std::size_t j = 0; j < squares.size(); ++j) {
    Ball first;
    for (std::size_t g = 0; g < problem.groups && !groups.empty(); ++g) first = first + groups[j * problem.groups + g];
    const Ball mean = first / problem.total;
    result[j] = {root_above(squares[j] / problem.total - square(mean)), mean.magnitude()};
  }
  return result;
}

}  // namespace

void check_signs(const StatedProblem& problem, const std::vector<OwnBounds>& own, Problems& problems) {
  const LinearModel& model = problem.model;
  const SolvedObjective& objective = model.objective;
  const double gamma = strong_convexity_of_conjugate(problem.loss.loss, problem.t);
  const std::vector<double>& factors = objective.penalty_factors;
  if (!(objective.l1 > 0) || !(gamma > 0) || std::find(factors.begin(), factors.end(), 0.0) != factors.end())
    return problems.add("The model claims signs of optimal weights, which its loss and penalty do not prove.");
  if (model.proved_signs.size() != model.x.size())
    return problems.add("The model claims {} signs of optimal weights, and has {} weights.", model.proved_signs.size(),
                        model.x.size());
  const std::size_t K = problem.outputs, features = model.x.size() / K, columns = problem.data.d();
  const std::size_t constant = model.transform.constant_feature ? 1 : 0;
  const std::vector<ColumnRange> of_columns = columns_of(problem);
  const std::vector<Ball>& image = dual_image(problem, 0, K);
  const std::vector<Ball> balance = problem.free_intercept() ? dual_sums(problem) : std::vector<Ball>(K);
  std::vector<double> radius, off;
  for (std::size_t k = 0; k < K; ++k) {
    radius.push_back(root_above(Ball(2) * Ball(own[own.size() == 1 ? 0 : k].gap) / Ball(gamma)));
    off.push_back((balance[k] / problem.total).magnitude());
  }
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < model.proved_signs.size(); ++at) {
    const char claim = model.proved_signs[at];
    const std::size_t feature = at / K, k = at % K;
    if (claim == '?') continue;
    const double f = feature < factors.size() ? factors[feature] : 1;
    const Ball l1 = Ball(objective.l1) * Ball(f);
    // Features that the data does not have are 0 in every row.
    const bool last = constant == 1 && feature + 1 == features;
    const std::size_t column = last ? columns - 1 : feature;
    Ball v;
    if (last || feature + constant < columns) {
      const ColumnRange& range = of_columns[column];
      v = -image[column * K + k] / problem.total;
      v = v.widened(rounded_up(rounded_up(range.norm * radius[k]) + rounded_up(range.mean * off[k])));
    }
    const bool not_negative = v.lower() > (-l1).upper(), not_positive = v.upper() < l1.lower();
    wrong += !(claim == '0'   ? not_negative && not_positive
               : claim == '+' ? not_negative
                              : claim == '-' && not_positive);
  }
  if (wrong > 0)
    problems.add("The model claims signs of optimal weights, of which {} {} not proved by its certificate.", wrong,
                 wrong == 1 ? "is" : "are");
}

}  // namespace seesaw::verifier
