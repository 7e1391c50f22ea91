#include "solvers/scaled_problem.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/transform.h"
#include "solvers/solver_on.h"

namespace seesaw {
namespace {

std::vector<double> column_multipliers(const Penalty& penalty) {
  std::vector<double> c(penalty.features().l2_factor);
  for (double& of_column : c)
    if (of_column > 0) of_column = 1 / (penalty.l2() > 0 ? std::sqrt(of_column) : of_column);
    else of_column = 1;
  return c;
}

Dataset scaled_data(const Dataset& data, const std::vector<double>& c) {
  Transform transform;
  transform.scaling = Scaling::columns_max;
  transform.column_factors = c;
  return apply(transform, data);
}

Penalty scaled_penalty(const Penalty& posed, const std::vector<double>& c) {
  const PenaltyFeatures& given = posed.features();
  PenaltyFeatures features;
  const bool zeros = std::find(given.l2_factor.begin(), given.l2_factor.end(), 0.0) != given.l2_factor.end();
  if (zeros) {
    features.l2_factor = given.l2_factor;
    for (double& f : features.l2_factor) f = f > 0 ? 1 : 0;
    features.l1_factor = features.l2_factor;
  }
  if (posed.l2() > 0 && posed.l1() > 0) {
    features.l1_factor = given.l1_factor;
    for (double& f : features.l1_factor) f = std::sqrt(f);
  }
  features.lower = given.lower;
  features.upper = given.upper;
  for (std::vector<double>* bounds : {&features.lower, &features.upper})
    for (std::size_t j = 0; j < bounds->size(); ++j) (*bounds)[j] /= c[j];
  return Penalty(posed.l2(), posed.l1(), std::move(features));
}

class ScaledSolver final : public SolverOn<ScaledProblem> {
 public:
  using SolverOn::SolverOn;

  void read(Point& point) override {
    SolverOn::read(point);
    owned().from_scaled(point);
  }
};

}  // namespace

bool needs_scaling(const Recipe& recipe, const Penalty& penalty) {
  if (penalty.uniform() || (penalty.l2() == 0 && recipe.features.l1_factors)) return false;
  const std::vector<double>& factors = penalty.features().l2_factor;
  return std::any_of(factors.begin(), factors.end(), [](double f) { return f != 0 && f != 1; });
}

ScaledProblem::ScaledProblem(const Problem& problem)
    : c_(column_multipliers(problem.penalty)),
      posed_(problem.penalty),
      outputs_(problem.outputs()),
      data_(scaled_data(*problem.data, c_)),
      problem_(with_data(problem, data_)) {
  problem_.penalty = scaled_penalty(problem.penalty, c_);
}

Start ScaledProblem::to_scaled(Start start) const {
  for (std::size_t at = 0; at < start.x.size(); ++at) start.x[at] /= c_[at / outputs_];
  return start;
}

void ScaledProblem::from_scaled(Point& point) const {
  for (std::size_t at = 0; at < point.x.size(); ++at)
    point.x[at] = posed_.bounds(at / outputs_).clip(point.x[at] * c_[at / outputs_]);
}

std::unique_ptr<Solver> make_on_scaled(const Recipe& recipe, std::unique_ptr<ScaledProblem> scaled,
                                       const SolverSpec& spec, const Start& start) {
  auto method = recipe.make(scaled->problem(), spec, scaled->to_scaled(start));
  return std::make_unique<ScaledSolver>(std::move(scaled), std::move(method));
}

}  // namespace seesaw
