#include "run/labels_settled.h"

#include <fmt/format.h>

#include "model/prediction_bounds.h"
#include "model/rigorous/optimum_region.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

class LabelsSettled final : public PointRule {
 public:
  LabelsSettled(const Transform& transform, const Dataset& rows, Precision precision)
      : rows_(apply(transform, rows, precision)) {}

  RuleProgress evaluate(const Problem& problem, const Point& point, const Bounds& bounds) const override {
    RuleProgress progress{0, rows_.n()};
    const auto region = optimum_region(problem, point, bounds);
    if (!region) return progress;
    std::vector<double> factors;
    if (problem.penalty.has_factors()) factors = problem.penalty.features().l2_factor;
    const ScoreRegion scores(rows_.rows, region->centre.empty() ? point.x : region->centre, *region, factors,
                             problem.outputs(), problem.is_block());
    for (std::size_t i = 0; i < scores.rows(); ++i) progress.met += scores.label(i).has_value();
    return progress;
  }

 private:
  Dataset rows_;
};

}  // namespace

std::shared_ptr<const PointRule> until_labels_settle(const Problem& problem, const Transform& transform,
                                                     const Dataset& rows, Precision precision) {
  if (problem.kind->target == Target::number)
    throw Error(
        fmt::format("the loss {} predicts numbers: there are no labels that could settle. Choose a classification loss "
                    "such as logistic or hinge.",
                    problem.kind->name));
  if (problem.is_one_versus_rest())
    throw Error(
        "one-versus-rest solves a problem per class, one by one, so labels cannot end the training; use `loss` "
        "softmax or multiclass-hinge.");
  if (!(problem.penalty.strong_convexity() > 0))
    throw Error(
        "labels settle where the gap confines the optimal weights, which needs an l2 penalty of every feature: use "
        "`penalty` l2 or elastic-net.");
  const std::size_t features = problem.d() - (problem.intercept == Intercept::penalized ? 1 : 0);
  if (rows.d() != features)
    throw ShapeError(
        features, rows.d(),
        fmt::format("{} has {} features, but the training data has {}. Give it data with the same features.",
                    rows.source.empty() ? "the data whose labels are to settle" : rows.source, rows.d(), features));
  return std::make_shared<LabelsSettled>(transform, rows, precision);
}

}  // namespace seesaw
