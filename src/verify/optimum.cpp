#include "verify/optimum.h"

#include <algorithm>
#include <cmath>

#include "verify/feature_penalty.h"
#include "verify/passes.h"

namespace seesaw::verifier {
namespace {

// The nearest number within the bounds of a feature.
Ball clipped(const SolvedObjective& objective, std::size_t feature, const Ball& u) {
  if (feature >= objective.lower.size()) return u;
  const double inside = std::clamp(u.high, objective.lower[feature], objective.upper[feature]);
  return inside == u.high ? u : Ball(inside, 0, rounded_up(u.radius + std::abs(u.low)));
}

// argmin_x g(x) - v x of one coordinate, v = -V / total.
Ball minimizer(const StatedProblem& problem, std::size_t feature, const Ball& V) {
  const SolvedObjective& objective = problem.model.objective;
  const bool has_factor = feature < objective.penalty_factors.size();
  const Ball f(has_factor ? objective.penalty_factors[feature] : 1);
  if (far_below_l1(V.magnitude(), objective.l1, f.high, problem.total)) return clipped(objective, feature, 0);
  const Ball beyond =
      objective.l1 > 0 ? positive_part(absolute(V) - Ball(objective.l1) * f * problem.total) : absolute(V);
  const Ball size = beyond / problem.total / (Ball(objective.lambda) * f);
  return clipped(objective, feature, not_negative(-V) ? size : not_negative(V) ? -size : Ball(0, 0, size.magnitude()));
}

class OptimumCheck {
 public:
  OptimumCheck(const StatedProblem& problem, Problems& problems)
      : problem_(problem), model_(problem.model), problems_(problems), K_(problem.outputs) {}

  // The weights of the outputs [first, last) in one ball.
  void ball(std::size_t first, std::size_t last, double claimed, double gap) {
    const std::size_t count = last - first, features = model_.x.size() / K_;
    const std::vector<Ball>& image = dual_image(problem_, first, last);
    const std::vector<double>& centres = model_.optimum->centre.empty() ? model_.x : model_.optimum->centre;
    const double lambda = model_.objective.lambda;
    Sum apart, off, shift;
    for (std::size_t j = 0; j < features; ++j) {
      const Ball f(j < model_.objective.penalty_factors.size() ? model_.objective.penalty_factors[j] : 1);
      for (std::size_t k = first; k < last; ++k) {
        const Ball x(model_.x[j * K_ + k]), c(centres[j * K_ + k]);
        const Ball u = minimizer(problem_, j, image_of(image, j, k - first, count));
        apart.add(f * square(x - u));
        off.add(f * square(c - half(x + u)));
        shift.add(f * square(c - x));
      }
    }
    const std::size_t terms = features * count;
    const Ball per_lambda = Ball(gap) / Ball(lambda);
    const Ball square_of_radius = per_lambda - Ball(0.25) * Ball(std::max(0.0, apart.value(terms).lower()));
    double own = rounded_up(root_above(square_of_radius) + root_above(off.value(terms)));
    const double around_x = rounded_up(root_above(Ball(2) * per_lambda) + root_above(shift.value(terms)));
    if (!(own <= around_x)) own = around_x;
    if (gap == 0 && shift.value(terms).zero()) own = 0;
    if (!(own <= claimed))
      problems_.add("The model claims a radius of {} for the optimal weights, but its certificate proves {}.", claimed,
                    own);
  }

  // Those of the columns of the data, as StatedProblem::x.
  std::vector<double> centre_of_columns() const {
    const std::vector<double>& centre = model_.optimum->centre;
    if (centre.empty()) return problem_.x;
    const std::size_t constant = model_.transform.constant_feature ? 1 : 0, raw = problem_.data.d() - constant;
    std::vector<double> result(centre.begin(), centre.begin() + static_cast<std::ptrdiff_t>(raw * K_));
    if (constant == 1) result.insert(result.end(), centre.end() - static_cast<std::ptrdiff_t>(K_), centre.end());
    return result;
  }

 private:
  // Features that the data does not have are 0 in every row.
  Ball image_of(const std::vector<Ball>& image, std::size_t feature, std::size_t at, std::size_t count) const {
    const std::size_t columns = problem_.data.d(), last = model_.x.size() / K_ - 1;
    const bool constant = model_.transform.constant_feature;
    if (constant && feature == last) return image[(columns - 1) * count + at];
    return feature < columns - (constant ? 1 : 0) ? image[feature * count + at] : Ball(0);
  }

  const StatedProblem& problem_;
  const LinearModel& model_;
  Problems& problems_;
  const std::size_t K_;
};

}  // namespace

void check_optimum(const StatedProblem& problem, const std::vector<OwnBounds>& own, Problems& problems) {
  const LinearModel& model = problem.model;
  const std::size_t K = problem.outputs;
  const std::vector<double>& factors = model.objective.penalty_factors;
  if (!(model.objective.lambda > 0) || std::find(factors.begin(), factors.end(), 0.0) != factors.end())
    return problems.add("The model claims to confine the optimal weights, which its penalty does not.");
  const OptimumBounds& claim = *model.optimum;
  if (claim.radius.size() != own.size() || claim.intercept.size() != K ||
      !(claim.centre.empty() || claim.centre.size() == model.x.size()))
    return problems.add("The claim about the optimal weights has not the size of the model.");
  if (!problem.free_intercept())
    for (const auto& b : claim.intercept)
      if (b.lo > 0 || b.hi < 0)
        return problems.add("The model claims an optimal intercept other than 0, but its objective has none.");
  OptimumCheck check(problem, problems);
  const std::vector<double> centre = check.centre_of_columns();
  for (std::size_t k = 0; k < own.size(); ++k) {
    const bool all = own.size() == 1;
    if (!all) problems.about(fmt::format("Class {}: ", model.labels[k]));
    check.ball(all ? 0 : k, all ? K : k + 1, claim.radius[k], own[k].gap);
    if (problem.free_intercept()) check_intercepts(problem, centre, k, own[k].primal, problems);
  }
  problems.about("");
}

}  // namespace seesaw::verifier
