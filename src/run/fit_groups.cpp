#include "run/fit_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/stopwatch.h"
#include "kernels/isa.h"
#include "model/groups/group_certificate.h"
#include "model/groups/group_losses.h"
#include "run/fit_steps.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "solvers/saddle/iteration.h"

namespace seesaw {
namespace {

constexpr double well_below = 1e-3;  // of the tolerance: a gap for which more precision is not worth its time
constexpr double rounding = 1e-13;   // relative changes of P and D below this are no progress
constexpr double nine_digits = 1e-9;
constexpr double next_proof_factor = 1.1, next_proof_passes = 1;  // a proof that missed is not repeated before
constexpr double first_perturbation = 0.1, next_perturbation = 0.25;
constexpr double wider = 1 + 0x1p-40;  // of the radius, for the roundings of another computation of it

saddle::Problem saddle_problem(const GroupProblem& problem) {
  const Penalty& penalty = problem.rows.penalty;
  saddle::Problem result(problem.rows.d(),
                         std::make_shared<saddle::Quadratic>(penalty.l2(), std::vector<double>(), penalty.l1()));
  const std::vector<double>& b = problem.rows.scalar().target;
  std::visit(
      [&](const auto& rows) {
        for (std::size_t g = 0; g < problem.count(); ++g) {
          std::vector<saddle::ScoreRow> of_group;
          std::vector<double> targets;
          for (const std::uint32_t i : problem.rows_of(g)) {
            saddle::ScoreRow& row = of_group.emplace_back();
            for_each(rows.row(i), [&](std::size_t j, double value) {
              if (value == 0) return;
              row.columns.push_back(static_cast<std::uint32_t>(j));
              row.values.push_back(value);
            });
            targets.push_back(b[i]);
          }
          std::shared_ptr<const saddle::BlockFunction> phi;
          if (problem.hinge()) phi = std::make_shared<saddle::LargestHinge>(std::move(targets));
          else phi = std::make_shared<saddle::Norm>(1, std::move(targets));
          result.add(of_group, std::move(phi), 1 / static_cast<double>(problem.count()));
        }
      },
      problem.rows.data->rows);
  return result;
}

struct Choice {
  saddle::Method method;
  std::string reason = {};  // of `auto`
};

// With k = mean |A_g|^2/(lambda m), sdca takes passes in proportion to k and spdhg to sqrt(k), from about the same number
// at k = 1 (measured); a step of spdhg costs d operations beside the entries of the group.
Choice choose(const SolverSpec& spec, const GroupProblem& problem, const saddle::Problem& blocks) {
  using saddle::Method;
  static constexpr std::pair<std::string_view, Method> methods[] = {{"sdca", Method::sdca},
                                                                    {"spdc", Method::spdc},
                                                                    {"adaspdc", Method::adaspdc},
                                                                    {"spdhg", Method::spdhg},
                                                                    {"bpd", Method::bpd}};
  for (const auto& [name, method] : methods)
    if (spec.name == name) return {method};
  if (spec.name != "auto")
    throw Unsupported(
        fmt::format("{} does not solve problems with a loss of groups; choose `solver` sdca, spdc, "
                    "adaspdc, spdhg or bpd.",
                    spec.name));
  double squares = 0;
  for (std::size_t g = 0; g < blocks.blocks(); ++g) squares += blocks.norm(g) * blocks.norm(g);
  const auto m = static_cast<double>(blocks.blocks()), d = static_cast<double>(blocks.dimension());
  const double entries = std::max(1.0, static_cast<double>(problem.rows.data->nnz) / m);
  const double lambda_m = problem.rows.penalty.l2() * m, mean = squares / m;
  const bool ascent = std::sqrt(mean / lambda_m) <= 1 + d / entries;
  return {ascent ? Method::sdca : Method::spdhg,
          fmt::format("selected {}: lambda m = {:.3g}, mean |A_g|^2 = {:.3g}, {:.3g} entries per group, {} features",
                      ascent ? "sdca" : "spdhg", lambda_m, mean, entries, d)};
}

// The loop of passes and checks. P and D of checks are plain sums; the run ends as converged by the rigorous certificate.
class GroupRun {
 public:
  GroupRun(const GroupProblem& problem, const saddle::Problem& blocks, saddle::Method method, const FitSpec& spec,
           const Observers& observers, const StopPredicate& should_stop)
      : problem_(problem),
        criteria_(spec.criteria),
        observers_(observers),
        perturbed_(method != saddle::Method::sdca && method != saddle::Method::bpd),
        perturbation_(perturbed_ ? first_perturbation * value_at_zero(problem) : 0),
        stopping_(spec.criteria.seconds, should_stop),
        iteration_(blocks, {.method = method, .seed = spec.solver.seed, .perturb_dual = perturbation_}) {}

  Outcome finish() {
    for (;;) {
      if (const auto end = check()) {
        outcome_.termination = *end;
        break;
      }
      advance();
    }
    const double radius = *outcome_.certificate.distance_bound * wider;
    if (std::isfinite(radius)) outcome_.optimum = OptimumBounds{{}, {radius}, {{0, 0}}};
    outcome_.last = outcome_.trace.back();
    outcome_.last.check_seconds = checking_.seconds();
    return std::move(outcome_);
  }

 private:
  // Above 0, so that methods which need it begin with a perturbation.
  static double value_at_zero(const GroupProblem& problem) {
    const std::vector<double>& b = problem.rows.scalar().target;
    double sum = 0;
    for (std::size_t g = 0; g < problem.count(); ++g) {
      double squares = problem.hinge() ? 1 : 0;
      if (!problem.hinge())
        for (const std::uint32_t i : problem.rows_of(g)) squares += b[i] * b[i];
      sum += std::sqrt(squares);
    }
    return sum > 0 ? sum / static_cast<double>(problem.count()) : 1;
  }

  std::optional<Termination> check() {
    const saddle::Sizes now = timed(checking_, [&] { return iteration_.measure(); });
    const bool first = outcome_.trace.empty();
    if (first || now.primal < best_primal_) {
      best_primal_ = now.primal;
      x_ = iteration_.x();
      proved_ = false;
    }
    if (first || now.dual > best_dual_) {
      best_dual_ = now.dual;
      y_ = iteration_.y();
      proved_ = false;
    }
    const Bounds bounds{best_primal_, best_dual_, std::max(0.0, best_primal_ - best_dual_)};
    if (first || bounds.primal < progress_.primal - rounding * std::abs(progress_.primal) ||
        bounds.dual > progress_.dual + rounding * std::abs(progress_.dual)) {
      progress_ = bounds;
      state_.passes_of_progress = passes_;
      state_.stationary = true;
    }
    const double nearly = nine_digits * std::abs(bounds.primal);
    state_.stationary = state_.stationary && now.primal <= bounds.primal + nearly && now.dual >= bounds.dual - nearly;
    static_cast<Bounds&>(state_) = bounds;
    state_.passes = passes_;
    state_.seconds = solving_.seconds() + checking_.seconds();
    if (stopping_.out_of_time()) state_.seconds = std::max(state_.seconds, criteria_.seconds);
    state_.latest_primal = now.primal;
    if (first) state_.first_primal = now.primal;

    std::optional<Termination> end = decide(criteria_, state_);
    if (end == Termination::converged && passes_ < next_proof_) {  // of the proof that missed
      state_.gap = std::max(state_.gap, outcome_.certificate.gap);
      end = decide(criteria_, state_);
    }
    if (end) {  // the outcome is proved in any case
      prove();
      next_proof_ = next_proof_factor * passes_ + next_proof_passes;
      const std::optional<Termination> proved = decide(criteria_, state_);
      end = end == Termination::converged || proved == Termination::converged ? proved : end;
    }
    report(now);
    return end;
  }

  void prove() {
    if (!proved_) {
      Point& point = outcome_.point;
      point.x = x_;
      point.y.assign(problem_.rows.n(), 0);
      for (std::size_t at = 0; at < y_.size(); ++at) point.y[problem_.row[at]] = y_[at];
      const double enough = well_below * criteria_.target_gap(state_.primal);
      outcome_.certificate = timed(checking_, [&] { return certify_rigorously(problem_, point, enough); });
      proved_ = true;
    }
    static_cast<Bounds&>(state_) = static_cast<const Bounds&>(outcome_.certificate);
  }

  void report(const saddle::Sizes& now) {
    TraceRow row{static_cast<const Bounds&>(state_)};
    row.passes = row.entry_passes = passes_;
    row.solve_seconds = solving_.seconds();
    row.check_seconds = checking_.seconds();
    row.latest_primal = now.primal;
    row.latest_dual = now.dual;
    row.nonzeros = static_cast<std::size_t>(
        std::count_if(iteration_.x().begin(), iteration_.x().end(), [](double x) { return x != 0; }));
    if (perturbed_) row.diagnostics.push_back({"smoothing", perturbation_});
    outcome_.trace.push_back(row);
    for (Observer* observer : observers_) observer->check(row);
  }

  // The perturbation (e/2)|y_g|^2 of every conjugate costs at most e/2 of the gap, since |y_g| <= 1: it is reduced to the
  // tolerance as the gap falls.
  void reduce_perturbation(double target) {
    const double least = std::max(target, rounding * std::abs(state_.primal));
    if (!perturbed_ || state_.gap > perturbation_ || perturbation_ <= least) return;
    perturbation_ = std::max(next_perturbation * perturbation_, least);
    iteration_.set_dual_perturbation(perturbation_);
  }

  void advance() {
    const double target = criteria_.target_gap(state_.primal);
    const StopScope scope(&stopping_);
    iteration_.restart(state_.gap);
    reduce_perturbation(target);
    const Forecast forecast{.passes = forecaster_.update({passes_, state_.gap}, target).passes};
    const double due = next_check(criteria_, passes_, forecast);
    do {
      timed(solving_, [&] { iteration_.pass(); });
      passes_ += 1;
      state_.interrupted = stopping_.interrupted();
    } while (passes_ < due && !state_.interrupted && !stopping_.out_of_time());
  }

  const GroupProblem& problem_;
  const Criteria& criteria_;
  const Observers& observers_;
  const bool perturbed_;
  double perturbation_;
  Stopping stopping_;
  saddle::Iteration iteration_;
  Stopwatch solving_, checking_;
  Forecaster forecaster_;
  StopState state_;
  Outcome outcome_;
  Bounds progress_;
  std::vector<double> x_, y_;  // of the best bounds; y by blocks
  double best_primal_ = infinity, best_dual_ = -infinity, passes_ = 0, next_proof_ = 0;
  bool proved_ = false;
};

void require_supported(const Dataset& data, const FitSpec& spec) {
  if (const std::string problem = isa_problem(); !problem.empty()) throw Error(problem);
  validate(spec.criteria);
  validate_intercept(spec.objective);
  if (data.leaves().shares() != nullptr) throw Unsupported("a loss of groups needs one process.");
  if (spec.checkpoint) throw Unsupported("a fit with a loss of groups has no checkpoints; leave out `checkpoint`.");
  if (spec.until_labels_settle != nullptr)
    throw Unsupported("a fit with a loss of groups ends by its gap, not when labels settle.");
  if (!spec.solver.options.empty())
    throw Unsupported(fmt::format("the methods for a loss of groups have no options; leave out `{}`.",
                                  spec.solver.options.begin()->first));
}

}  // namespace

Fit fit_groups(const Dataset& data, const RowGroups& groups, const FitSpec& spec, const Observers& observers,
               const StopPredicate& should_stop) {
  require_supported(data, spec);
  Fit result;
  LinearModel& model = result.model;
  model.transform = fit_transform(data, spec.scaling, spec.objective.constant_feature());
  const Dataset prepared = apply(model.transform, data, spec.precision);
  const GroupProblem problem = make_group_problem(prepared, groups, spec.objective);
  Stopwatch construction;
  construction.start();
  const saddle::Problem blocks = saddle_problem(problem);
  const Choice choice = choose(spec.solver, problem, blocks);
  RunInfo info{problem.rows, spec.solver, spec.criteria, spec.scaling, model.transform.factor};
  info.choice = choice.reason;
  for (Observer* observer : observers) observer->begin(info);
  GroupRun run(problem, blocks, choice.method, spec, observers, should_stop);
  construction.stop();
  result.outcome = run.finish();
  result.outcome.last.solve_seconds += construction.seconds();
  if (!choice.reason.empty()) result.outcome.method = name_of(choice.method);
  for (Observer* observer : observers) observer->end(result.outcome);
  model.data_hash = content_hash(data, groups);
  model.solver = spec.solver.name;
  set_outcome(model, data, spec, problem.rows, result.outcome);
  return result;
}

}  // namespace seesaw
