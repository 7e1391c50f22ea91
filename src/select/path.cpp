#include "select/path.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/elementary.h"
#include "base/freed_memory.h"
#include "base/stopwatch.h"
#include "data/extents.h"
#include "model/mean_loss.h"
#include "run/continued_run.h"
#include "run/fit_steps.h"
#include "run/scaled_bounds.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr double least_reach = 1e-7;  // of log t: below it the range would take millions of fits
constexpr int most_between = 7;       // combinations planned between two fits
constexpr std::size_t dual_points_at_once = 16;

double loss_at_zero(const Problem& problem) {
  if (problem.is_one_versus_rest()) return primal_at_zero(class_problem(problem, 0));
  return primal_at_zero(problem);
}

class PathFit {
 public:
  PathFit(const PathRequest& request, const ResolvedPath& resolved, Path& path, PathObserver* observer,
          const Observers& observers, const StopPredicate& should_stop)
      : request_(request),
        problem_(resolved.problem, resolved.line),
        current_(problem_.at(resolved.range.hi)),
        range_(resolved.range),
        path_(path),
        observer_(observer),
        observers_(observers),
        should_stop_(should_stop) {
    clock_.start();
    const SolverSpec given = with_tolerance_and_costs(request.fit.solver, request.fit.criteria);
    if (const auto spec = ContinuedRun::spec_for(problem_.at(range_.lo), given))
      continued_ = ContinuedRun::make(current_, *spec);
    if (continued_ && resolved.points > 0) continued_->defer_dual_points();
  }

  Termination run(std::size_t points) {
    if (points == 0) cover();
    else follow(points);
    return end_;
  }

 private:
  void follow(std::size_t points) {
    const double length = log_of(range_.lo / range_.hi) / static_cast<double>(points - 1);
    for (std::size_t k = 0; k < points; ++k) {
      const double t = k + 1 == points ? range_.lo : range_.hi * exp_of(length * static_cast<double>(k));
      fit(t);
      if (end_ == Termination::interrupted || end_ == Termination::time_limit) break;
      if ((k + 1) % dual_points_at_once == 0) complete_dual_points();
    }
    complete_dual_points();
  }

  void complete_dual_points() {
    if (!continued_) return;
    std::vector<std::vector<double>> y = continued_->take_dual_points();
    auto next = y.begin();
    for (PathPoint& point : path_.points)  // in the order of the fits
      if (point.point.y.empty() && next != y.end()) point.point.y = std::move(*next++);
  }

  // A fit covers `reach` to both sides (as a factor of t), and so do combinations of two fits. The next fit is so far
  // away that `between` combinations fit between; more of them after a hole was covered by combinations alone, fewer
  // after it was not.
  void cover() {
    double edge = infinity, t = range_.hi;
    int between = 0;
    for (;;) {
      const std::size_t fits = path_.fits();
      if (!fit(t)) return;
      const Interval now = covered_by(t);
      if (now.hi < edge && edge < infinity && !fill({now.hi, edge})) return;
      forget_products_above(t);
      between = path_.fits() == fits + 1 ? std::min(2 * between + 1, most_between) : between / 2;
      edge = now.lo;
      if (edge <= range_.lo) return;
      const double reach = t / edge;
      if (!(reach > 1 + least_reach)) {
        end_ = Termination::stalled;
        return;
      }
      t = edge / reach;
      for (int k = 0; k < between && t > range_.lo; ++k) t /= reach * reach;
      t = std::max(range_.lo, t);
    }
  }

  // Covers a hole between two fits: by combinations of them, from the upper end, and where that fails by a fit in the
  // middle of what is left.
  bool fill(Interval hole) {
    while (hole.lo < hole.hi) {
      const double middle = std::sqrt(hole.lo) * std::sqrt(hole.hi);
      if (const auto reached = combine(hole, middle)) {
        hole.hi = *reached;
        continue;
      }
      if (!(hole.hi / hole.lo > 1 + least_reach) || !fit(middle)) return false;
      const Interval now = covered_by(middle);
      if (!fill({now.hi, hole.hi})) return false;
      hole.hi = now.lo;
    }
    return true;
  }

  // Combinations with fits of larger t are complete.
  void forget_products_above(double t) {
    products_.erase(products_.upper_bound(t), products_.end());
    proved_.erase(proved_.upper_bound(t), proved_.end());
  }

  Interval covered_by(double t) const {
    const auto at =
        std::find_if(path_.points.begin(), path_.points.end(), [&](const PathPoint& p) { return p.t() == t; });
    return at->coverage->interval();
  }

  // Adds a combination of the fits around a hole that covers it from its upper end down; returns how far. Nothing if
  // there is none.
  std::optional<double> combine(const Interval& hole, double middle) {
    const PathPoint *above = nullptr, *below = nullptr;
    for (const PathPoint& point : path_.points) {
      if (point.combined) continue;
      if (point.t() >= hole.hi) above = &point;
      else if (below == nullptr) below = &point;
    }
    if (above == nullptr || below == nullptr || !above->coverage) return std::nullopt;
    // At a little less than the distance that the fit above reaches, or at half of it.
    const double reach = above->t() / above->coverage->lower.t, half = std::sqrt(reach);
    for (const double factor : {half * std::sqrt(half), half}) {
      PathPoint added;
      Stopwatch clock;
      const double t = std::max(middle, hole.hi / factor);
      if (timed(clock, [&] { return combine_at(t, hole, *above, *below, added); })) {
        added.seconds = clock.seconds();
        const double reached = added.coverage->lower.t;
        insert(std::move(added));
        return reached;
      }
      if (t == middle) break;
    }
    return std::nullopt;
  }

  // y = theta y_a + (1 - theta) y_b with t = theta t_a + (1 - theta) t_b: dual points stay feasible, and y is exact where
  // y* is linear in t, as for piecewise quadratic losses between two changes of pieces. The same for x and b with l1. With
  // l2 alone t x* = v* is linear as well, so that x and b are combined with the weight theta t_a / t of a.
  bool combine_at(double t, const Interval& hole, const PathPoint& a, const PathPoint& b, PathPoint& added) {
    const double of_dual = std::clamp((t - b.t()) / (a.t() - b.t()), 0.0, 1.0);
    const bool ridge = GapCurve::is_ridge(problem_.base(), problem_.line());
    const double of_primal = ridge ? std::min(of_dual * a.t() / t, 1.0) : of_dual;
    const auto mixed = [](const std::vector<double>& of_a, const std::vector<double>& of_b, double theta) {
      std::vector<double> sum(of_a.size());
      for (std::size_t k = 0; k < sum.size(); ++k)  // a bound of the dual domain stays exact
        sum[k] = of_a[k] == of_b[k] ? of_a[k] : theta * of_a[k] + (1 - theta) * of_b[k];
      return sum;
    };
    added.point = {mixed(a.point.x, b.point.x, of_primal), mixed(a.point.intercept, b.point.intercept, of_primal),
                   mixed(a.point.y, b.point.y, of_dual)};
    const auto of_a = proved_.find(a.t()), of_b = proved_.find(b.t());
    const bool proved = of_a != proved_.end() && of_b != proved_.end();
    const auto mixed_products = [&](const PointProducts& p, const PointProducts& q) {
      return PointProducts{mixed(p.z, q.z, of_primal), mixed(p.v, q.v, of_dual)};
    };
    ProvedPoint combined;
    if (proved) {
      combined.products = mixed_products(of_a->second.products, of_b->second.products);
      const auto found = problem_.certify_combination(added.point, t, of_a->second, of_b->second, combined);
      if (!found) return false;
      added.certificate = *found;
    } else {
      if (!problem_.base().is_one_versus_rest()) {
        const auto promised =
            problem_.promised(added.point, mixed_products(products_at(a), products_at(b)), t, path_.tolerance, range_);
        if (!promised || promised->hi < hole.hi) return false;
      }
      added.certificate = problem_.certify(added.point, t);
    }
    added.coverage =
        problem_.cover(added.point, added.certificate, path_.tolerance, range_, proved ? &combined : nullptr);
    if (!added.coverage || added.coverage->upper.t < hole.hi || !(added.coverage->lower.t < hole.hi)) return false;
    added.combined = true;
    return true;
  }

  // Of a fit, kept while combinations with it are tried.
  const PointProducts& products_at(const PathPoint& of) {
    if (const auto proved = proved_.find(of.t()); proved != proved_.end()) return proved->second.products;
    auto& kept = products_[of.t()];
    if (kept.z.empty()) kept = products_of(problem_.base(), of.point);
    return kept;
  }

  // Fits at t from the nearest point; false if the path ends here.
  bool fit(double t) {
    if (observer_ != nullptr) observer_->fitting(t, path_.fits() + 1);
    Stopwatch clock;
    PathPoint added;
    Termination end = Termination::converged;
    timed(clock, [&] {
      current_.penalty = problem_.line().penalty_at(current_.penalty, t);
      Criteria criteria = request_.fit.criteria;
      clock_.stop();
      clock_.start();
      criteria.seconds = std::max(1e-3, criteria.seconds - clock_.seconds());
      std::optional<ProvedPoint> proved;
      Outcome outcome = outcome_at(t, criteria, proved);
      end = outcome.termination;
      added.point = std::move(outcome.point);
      added.certificate = {.t = t, .certificate = outcome.certificate, .classes = outcome.classes};
      added.certificate.dual_scale.assign(outcome.classes.empty() ? 1 : outcome.classes.size(), 1.0);
      added.status = name_of(end);
      added.passes = outcome.last.passes;
      if (end != Termination::diverged && path_.grid == 0)
        added.coverage =
            problem_.cover(added.point, added.certificate, path_.tolerance, range_, proved ? &*proved : nullptr);
      if (proved) proved_.insert_or_assign(t, std::move(*proved));
    });
    added.seconds = clock.seconds();
    const bool usable = path_.grid > 0 || added.coverage.has_value();
    insert(std::move(added));
    if (end != Termination::converged) end_ = end;
    else if (!usable) end_ = Termination::stalled;
    return usable && end != Termination::interrupted && end != Termination::time_limit;
  }

  Outcome outcome_at(double t, const Criteria& criteria, std::optional<ProvedPoint>& proved) {
    if (continued_) {
      // With coverage, the sums over the rows of the certificate are those of cover().
      Outcome outcome =
          path_.grid > 0
              ? continued_->fit(criteria, should_stop_)
              : continued_->fit(criteria, should_stop_, [&](Point& point, double enough, const std::vector<double>* z) {
                  return problem_.certify(point, t, enough, &proved, z).certificate;
                });
      for (Observer* observer : observers_) observer->check(outcome.last);
      if (outcome.termination != Termination::stalled && outcome.termination != Termination::pass_limit) return outcome;
    }
    proved.reset();
    return solve({current_, request_.fit.solver, criteria, request_.fit.scaling}, observers_, should_stop_,
                 nearest_start(t));
  }

  WarmStart nearest_start(double t) const {
    const PathPoint* nearest = nullptr;
    const auto distance = [&](const PathPoint& p) { return std::max(p.t() / t, t / p.t()); };
    for (const PathPoint& point : path_.points)
      if (nearest == nullptr || distance(point) < distance(*nearest)) nearest = &point;
    WarmStart begin;
    if (nearest == nullptr) return begin;
    begin.start = {.y = nearest->point.y, .x = nearest->point.x, .intercept = nearest->point.intercept};
    return begin;
  }

  void insert(PathPoint&& added) {
    const auto place =
        std::find_if(path_.points.begin(), path_.points.end(), [&](const PathPoint& p) { return p.t() < added.t(); });
    const auto at = path_.points.insert(place, std::move(added));
    if (observer_ != nullptr) observer_->added(path_, *at);
  }

  const PathRequest& request_;
  PathProblem problem_;
  Problem current_;                          // with the penalty of the last fit
  std::unique_ptr<ContinuedRun> continued_;  // of current_; null: every fit has a method of its own
  Interval range_;
  std::map<double, PointProducts> products_;  // by t
  std::map<double, ProvedPoint> proved_;      // by t: of the fits whose combinations need no product
  Path& path_;
  PathObserver* observer_;
  const Observers& observers_;
  const StopPredicate& should_stop_;
  Stopwatch clock_;
  Termination end_ = Termination::converged;
};

}  // namespace

PathRun fit_path(const Dataset& data, const PathRequest& request, PathObserver* observer, const Observers& observers,
                 const StopPredicate& should_stop) {
  validate(request);
  const FitSpec& spec = request.fit;
  validate(spec.criteria);
  validate_intercept(spec.objective);
  if (extents_of(data.rows) == nullptr) keep_freed_memory();
  PathRun result;
  Path& path = result.path;
  LinearModel& frame = path.frame;
  frame.transform = fit_transform(data, spec.scaling, spec.objective.constant_feature());
  const Dataset prepared = apply(frame.transform, data, spec.precision);
  const ResolvedPath resolved = resolve_path(prepared, with_scaled_bounds(spec.objective, frame.transform), request);
  const std::uint64_t hash = spec.data_hash ? *spec.data_hash : content_hash(data);

  const Problem& problem = resolved.problem;
  frame.objective = solved_objective(problem);
  frame.labels = problem.labels;
  frame.x.assign(problem.d() * problem.outputs(), 0.0);
  frame.intercept.assign(problem.outputs(), 0.0);
  frame.n = data.n();
  frame.data_hash = hash;
  frame.single_precision = spec.precision == Precision::single;
  frame.solver = spec.solver.name;
  frame.status = "converged";
  frame.seed = spec.solver.seed;
  frame.feature_names = data.feature_names;
  path.line = resolved.line;
  path.range = resolved.range;
  path.tolerance = {request.accuracy, absolute_part * loss_at_zero(problem)};
  path.total_weight = problem.total_weight;
  path.by_C = request.C.has_value();
  path.grid = resolved.points;

  PathRequest tuned = request;
  tuned.fit.criteria.gap_abs = std::max(tuned.fit.criteria.gap_abs, path.tolerance.absolute / 4);
  if (observer != nullptr) observer->begin(resolved, frame.transform);
  result.termination = PathFit(tuned, resolved, path, observer, observers, should_stop).run(resolved.points);
  return result;
}

}  // namespace seesaw
