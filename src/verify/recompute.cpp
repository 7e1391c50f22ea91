#include "verify/recompute.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/ranks.h"
#include "verify/curvature.h"
#include "verify/feature_penalty.h"
#include "verify/intercept_bounds.h"
#include "verify/passes.h"
#include "verify/unpenalized_reach.h"

namespace seesaw::verifier {
namespace {

constexpr std::size_t outputs_at_once = 32;  // bounds the memory of the sums over columns

Ball minus_infinity() { return {-inf, 0, 0}; }

// Sums of squares without overflow: the numbers are multiplied by 2^-exponent, so that the largest is near 1.
int exponent_of(double largest) { return largest > 0 && largest < inf ? std::ilogb(largest) : 0; }

// lambda/2 |x|^2 + l1 |x|_1 of column k.
Ball penalty(const LinearModel& model, std::size_t k) {
  if (!uniform_penalty(model.objective)) return feature_penalty(model, k);
  const std::size_t K = model.outputs(), d = model.x.size() / K;
  double largest = 0;
  for (std::size_t j = 0; j < d; ++j) largest = std::max(largest, std::abs(model.x[j * K + k]));
  const int exponent = exponent_of(largest);
  Sum squares, sizes;
  for (std::size_t j = 0; j < d; ++j) {
    const double x = model.x[j * K + k], scaled = std::ldexp(x, -exponent);
    if (x == 0) continue;
    // Weights below 2^-400 of the largest are replaced by a bound: their squares are below 2^-800 of the largest.
    if (std::abs(scaled) < 0x1p-400) squares.add(from_zero_to(0x1p-800));
    else squares.add_product(scaled, scaled);
    sizes.add(std::abs(x));
  }
  const Ball square_part = times_power(half(Ball(model.objective.lambda)) * squares.value(d), 2 * exponent);
  return (largest < inf ? square_part : unbounded()) + Ball(model.objective.l1) * sizes.value(d);
}

// g*(v) of one output from V = -total v:  sum_j (|V_j| - total l1)_+^2 / (2 lambda total^2); without lambda it is 0
// if |V_j| <= total l1 for all j, and infinite otherwise. `worst`: the first column outside, if any.
Conjugate penalty_conjugate(const StatedProblem& problem, const std::vector<Ball>& image, std::size_t stride,
                            std::size_t at) {
  const SolvedObjective& objective = problem.model.objective;
  if (!uniform_penalty(objective)) return feature_conjugate(problem, image, stride, at);
  const Ball& total = problem.total;
  const bool whole = total.low == 0 && total.radius == 0 && objective.l1 * total.high >= 0x1p-900;  // an exact product
  const Ball bound = objective.l1 == 0 ? Ball(0)
                     : whole           ? Ball(two_product(objective.l1, total.high))
                                       : Ball(objective.l1) * total;
  const std::size_t d = problem.data.d();
  Conjugate result;
  if (!(objective.lambda > 0)) {
    for (std::size_t j = 0; j < d; ++j)
      if (const Ball& v = image[j * stride + at]; !v.zero() && !certainly_at_most(absolute(v), bound))
        if (result.outside++ == 0) result.worst = j;
    return result;
  }
  double largest = 0;
  for (std::size_t j = 0; j < d; ++j) largest = std::max(largest, image[j * stride + at].magnitude());
  if (!(largest < inf)) return {unbounded()};
  if (far_below_l1(largest, objective.l1, 1, total)) return result;
  const int exponent = exponent_of(largest);
  Sum squares;
  for (std::size_t j = 0; j < d; ++j) {
    const Ball& v = image[j * stride + at];
    if (v.zero()) continue;
    const Ball beyond = objective.l1 > 0 ? positive_part(absolute(v) - bound) : v;
    squares.add(square(times_power(beyond, -exponent)));
  }
  const int of_lambda = exponent_of(objective.lambda);
  const Ball lambda(std::ldexp(objective.lambda, -of_lambda));
  const Ball quotient = squares.value(d) / (Ball(2) * lambda) / square(problem.total);
  result.value = times_power(quotient, 2 * exponent - of_lambda);
  return result;
}

class Recomputation {
 public:
  Recomputation(const StatedProblem& problem, Problems& problems)
      : problem_(problem), problems_(problems), K_(problem.outputs), blocks_(problem.loss.of_blocks()) {}

  std::vector<Bounds> bounds() {
    rows_ = pass_over_rows(problem_);
    const std::size_t n = problem_.n;
    std::vector<Bounds> result(blocks_ ? 1 : K_);
    for (std::size_t k = 0; k < result.size(); ++k) {
      result[k].primal = rows_.of[k].primal.value(n) / problem_.total;
      result[k].dual = -(rows_.of[k].dual.value(n) / problem_.total);
    }
    for (std::size_t k = 0; k < K_; ++k) {
      Ball& primal = result[blocks_ ? 0 : k].primal;
      primal = primal + penalty(problem_.model, k);
    }
    report_weights_outside(result);
    for (std::size_t k = 0; k < result.size(); ++k)
      if (rows_.outside[k] > 0) {
        about(k);
        report_infeasible_rows(k);
        result[k].dual = minus_infinity();
      }
    if (by_curvature()) {
      for (std::size_t k = 0; k < K_; ++k) result[k].dual = bound_by_curvature(k, result[k]);
      problems_.about("");
      return result;
    }
    for (std::size_t first = 0; first < K_; first += outputs_at_once) {
      const std::size_t last = std::min(K_, first + outputs_at_once);
      const std::vector<Ball>& image = dual_image(problem_, first, last);
      for (std::size_t k = first; k < last; ++k) {
        Ball& dual = result[blocks_ ? 0 : k].dual;
        const Conjugate conjugate = penalty_conjugate(problem_, image, last - first, k - first);
        if (conjugate.outside > 0) {
          about(k);
          report_infeasible_column(conjugate, k, image[conjugate.worst * (last - first) + k - first]);
          dual = minus_infinity();
        } else if (dual.high > -inf) {
          dual = dual - conjugate.value;
          if (!unpenalized_.empty())
            subtract_unpenalized_terms(k, result[k], conjugate, image, last - first, k - first);
        }
      }
    }
    if (problem_.free_intercept() && unpenalized_.empty()) subtract_intercept_terms(result);
    problems_.about("");
    return result;
  }

 private:
  bool by_curvature() const {
    const LinearModel& model = problem_.model;
    return !blocks_ && model.objective.lambda == 0 && model.objective.l1 == 0 &&
           model.certificate->dual_point == DualPoint::curvature;
  }
  // y is not used but must be in its domain. 0 is always a lower bound; it suffices if no larger one is claimed.
  Ball bound_by_curvature(std::size_t k, const Bounds& bounds) const {
    if (!(bounds.dual.high > -inf)) return minus_infinity();
    const LinearModel& model = problem_.model;
    const double claimed = model.classes.empty() ? model.certificate->dual : model.classes[k].dual;
    if (!(claimed > 0)) return 0;
    const double gap = curvature_bound(problem_, k);
    if (!(gap < inf)) return 0;
    const Ball dual = bounds.primal - Ball(gap);
    return dual.lower() > 0 ? dual : Ball(0);
  }

  void about(std::size_t k) {
    problems_.about(K_ > 1 && !blocks_ ? fmt::format("Class {}: ", problem_.model.labels[k]) : "");
  }

  // Unpenalized features demand v_j = 0, and a free intercept sum c_i y_i = 0: what is left of it times what they can
  // be.
  void subtract_unpenalized_terms(std::size_t k, Bounds& bounds, const Conjugate& conjugate,
                                  const std::vector<Ball>& image, std::size_t stride, std::size_t at) {
    const Ball r = problem_.free_intercept() ? rows_.balance[k].value(problem_.n) : Ball(0);
    if (conjugate.unpenalized.empty() && r.zero()) return;
    const auto reach = unpenalized_reach(problem_, unpenalized_, k, bounds.primal.upper());
    if (!reach) {
      about(k);
      problems_.add(
          "The dual point is not feasible: features without a penalty need v = 0, and the data bounds no weights to "
          "weigh what is left of it with.");
      bounds.dual = minus_infinity();
      return;
    }
    Ball charge = 0;
    for (const std::size_t j : conjugate.unpenalized) {
      const auto place = std::lower_bound(unpenalized_.begin(), unpenalized_.end(), j) - unpenalized_.begin();
      charge = charge + Ball((*reach)[static_cast<std::size_t>(place)]) * absolute(image[j * stride + at]);
    }
    if (problem_.free_intercept()) charge = charge + Ball(reach->back()) * absolute(r);
    bounds.dual = bounds.dual - charge / problem_.total;
  }

  void report_weights_outside(std::vector<Bounds>& result) {
    const auto at = weight_outside(problem_.model);
    if (!at) return;
    const SolvedObjective& objective = problem_.model.objective;
    problems_.add("Weight {} of feature {} is outside its bounds [{}, {}].", problem_.model.x[*at], *at / K_ + 1,
                  objective.lower[*at / K_], objective.upper[*at / K_]);
    for (Bounds& bounds : result) bounds.primal = Ball(inf);
  }

  void report_infeasible_rows(std::size_t k) {
    const std::size_t i = rows_.first_row[k];
    if (blocks_)
      problems_.add(
          "The dual point is not feasible: in row {} the variables of the other classes must be nonnegative, their sum "
          "must be at most 1, and that of the row's own class must be minus this sum.",
          i + 1);
    else
      problems_.add(
          "The dual point is not feasible: in row {} it is {}, where the conjugate of the loss {} is infinite.", i + 1,
          dual_variable(i, k), problem_.loss.name);
    if (rows_.outside[k] > 1) problems_.add("{} more rows have infeasible dual variables.", rows_.outside[k] - 1);
  }

  double dual_variable(std::size_t row, std::size_t k) const {  // of a row of any process
    const bool here = problem_.first_row <= row && row < problem_.first_row + problem_.data.n();
    double y = here ? problem_.y[(row - problem_.first_row) * K_ + k] : 0;
    if (const Shares* const shares = problem_.data.leaves().shares()) {
      const auto after = std::upper_bound(shares->first_row.begin(), shares->first_row.end(), row);
      shares->ranks->broadcast(static_cast<int>(after - shares->first_row.begin()) - 1, &y, sizeof y);
    }
    return y;
  }

  void report_infeasible_column(const Conjugate& conjugate, std::size_t k, const Ball& v) {
    const double size = absolute(v / problem_.total).upper();
    const std::string of = blocks_ ? fmt::format(" and class {}", problem_.model.labels[k]) : "";
    const double l1 = problem_.model.objective.l1 * problem_.factor_of(conjugate.worst);
    if (l1 > 0)
      problems_.add(
          "The dual point is not feasible: for feature {}{} |sum_i c_i y_i a_ij| is {:.6g}, which exceeds l1 = {}.",
          conjugate.worst + 1, of, size, l1);
    else
      problems_.add(
          "The dual point is not feasible: without a penalty sum_i c_i y_i a_ij must be 0, but for feature {}{} it is "
          "{:.6g}.",
          conjugate.worst + 1, of, size);
  }

  // A free intercept requires r = sum c_i y_i = 0; a remainder r lowers D by at most -min(b_lo r, b_hi r).
  void subtract_intercept_terms(std::vector<Bounds>& result) {
    const std::size_t n = problem_.n;
    GroupSums groups;
    double of_blocks = inf;
    for (std::size_t k = 0; k < K_; ++k) {
      Bounds& bounds = result[blocks_ ? 0 : k];
      const Ball r = rows_.balance[k].value(n) / problem_.total;
      if (r.zero() || !(bounds.dual.high > -inf)) continue;
      if (groups.weight.empty()) {
        groups = sums_of_groups(problem_);
        if (blocks_) of_blocks = block_intercept_bound(problem_, groups, bounds.primal.upper());
      }
      double low = -inf, high = inf;
      if (blocks_) {
        high = of_blocks;
        low = -high;
      } else {
        const Interval interval = intercept_bounds(problem_, groups, k, bounds.primal.upper());
        low = interval.low;
        high = interval.high;
      }
      const double most = std::max(std::abs(low), std::abs(high));
      if (!(most < inf)) {
        about(k);
        problems_.add(
            "The dual point is not feasible: with a free intercept its weighted sum{} must be 0, but it is {:.6g}; "
            "without a penalty and rows of every class the intercept has no bound.",
            blocks_ ? fmt::format(" of class {}", problem_.model.labels[k]) : "", r.high);
        bounds.dual = minus_infinity();
        continue;
      }
      // The minimum over b in [low, high] and r in its ball is at an endpoint.
      const Ball at_low = Ball(low) * r, at_high = Ball(high) * r;
      bounds.dual = bounds.dual + Ball(std::min(at_low.lower(), at_high.lower()));
    }
  }

  const StatedProblem& problem_;
  Problems& problems_;
  const std::size_t K_;
  const bool blocks_;
  RowResults rows_;
  std::vector<std::size_t> unpenalized_ = unpenalized_columns(problem_);
};

}  // namespace

std::vector<Bounds> recompute(const StatedProblem& problem, Problems& problems) {
  return Recomputation(problem, problems).bounds();
}

}  // namespace seesaw::verifier
