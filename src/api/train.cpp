#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "api/internals.h"
#include "base/threads.h"
#include "model/coefficients.h"
#include "model/describe_objective.h"
#include "run/fit.h"
#include "run/trace.h"
#include "seesaw/error.h"
#include "seesaw/training.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

// Between the run and the user's observer and stop token. Called by one thread at a time. An exception of the observer
// is kept and ends the run like `false`: methods may not be unwound within an epoch.
class Reporter final : public Observer {
 public:
  explicit Reporter(const Training& training) : training_(training) {}

  void check(const TraceRow& row) override {
    last_ = {.passes = row.passes, .primal = row.primal, .dual = row.dual, .gap = row.gap};
    if (row.of_class) last_.class_label = row.of_class->label;
    report(true);
  }
  void message(const std::string& sentence) override { messages.push_back(sentence); }

  bool stop() {  // polled within epochs
    if (!stopped_ && training_.observer && seconds() - reported_ >= training_.progress_interval) report(false);
    return stopped_ || training_.stop.stop_requested();
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  std::vector<std::string> messages;
  std::exception_ptr thrown;

 private:
  using Clock = std::chrono::steady_clock;

  void report(bool is_check) {
    if (!training_.observer || stopped_) return;
    last_.seconds = reported_ = seconds();
    last_.is_check = is_check;
    try {
      stopped_ = !training_.observer(last_);
    } catch (...) {
      thrown = std::current_exception();
      stopped_ = true;
    }
  }

  const Training& training_;
  const Clock::time_point begun_ = Clock::now();
  Progress last_ = {.primal = infinity, .dual = -infinity, .gap = infinity};
  double reported_ = 0;
  bool stopped_ = false;
};

// Factors and bounds as Objective has them: both bounds of every feature, or none. make_problem() validates them.
void set_features(const PenaltySpec& penalty, std::size_t features, Objective& objective) {
  objective.penalty_factors = penalty.factors;
  objective.lower = penalty.lower;
  objective.upper = penalty.upper;
  if (objective.lower.empty() && (penalty.nonnegative || !objective.upper.empty()))
    objective.lower.assign(features, -infinity);
  if (objective.upper.empty() && !objective.lower.empty()) objective.upper.assign(features, infinity);
  if (penalty.nonnegative)
    for (double& lower : objective.lower)
      if (lower < 0) lower = 0;
}

FitSpec spec_of(const Training& training, std::size_t features) {
  FitSpec spec;
  Objective& objective = spec.objective;
  objective.loss = training.loss.name;
  objective.loss_parameter = training.loss.parameter;
  if (training.penalty.name != PenaltyName::automatic) objective.regularizer = name_of(training.penalty.name);
  objective.lambda = training.penalty.lambda;
  objective.l1 = training.penalty.l1;
  objective.C = training.penalty.C;
  set_features(training.penalty, features, objective);
  objective.intercept = training.intercept;
  objective.intercept_scaling = training.intercept_scaling;
  objective.class_weights = training.class_weights;
  objective.balanced = training.balanced;
  spec.scaling = training.scaling;
  spec.precision = training.precision;
  spec.solver = {training.solver.empty() ? std::string(default_solver) : training.solver, training.solver_options,
                 training.seed};
  spec.criteria.choose_gaps(training.gap, training.gap_abs);
  spec.criteria.check_every = training.check_every;
  spec.criteria.choose_limits(training.max_passes, training.seconds);
  return spec;
}

TracePoint point_of(const TraceRow& row) {
  TracePoint point{.passes = row.passes,
                   .entry_passes = row.entry_passes,
                   .solve_seconds = row.solve_seconds,
                   .check_seconds = row.check_seconds,
                   .primal = row.primal,
                   .dual = row.dual,
                   .gap = row.gap,
                   .nonzeros = row.nonzeros};
  if (row.of_class) point.class_label = row.of_class->label;
  return point;
}

Json header_fields(const RunInfo& info) {
  Json more = {{"objective", describe_objective(info.problem)}};
  if (info.scaling == Scaling::none) more["equivalents"] = equivalents(info.problem);
  return more;
}

// The largest coefficients and the times, beside what the run reports of itself.
Json end_fields(const Fit& fitted, double seconds) {
  constexpr std::size_t coefficients_shown = 30;
  const TraceRow& last = fitted.outcome.last;
  Json more = {
      {"seconds", {{"solve", last.solve_seconds}, {"check", last.check_seconds}, {"total", seconds}}},
      {"nonzeros", std::count_if(fitted.model.x.begin(), fitted.model.x.end(), [](double w) { return w != 0; })},
      {"intercepts", Json::array()},
      {"coefficients", Json::array()}};
  if (fitted.proved_zero) more["proved_zero"] = *fitted.proved_zero;
  for (const double intercept : intercepts(fitted.model)) more["intercepts"].push_back(finite_or_null(intercept));
  for (const Coefficient& one : largest_coefficients(fitted.model, coefficients_shown)) {
    Json json = {{"feature", one.feature + 1}, {"value", finite_or_null(one.value)}};
    if (!one.name.empty()) json["name"] = one.name;
    if (one.label) json["class"] = *one.label;
    more["coefficients"].push_back(std::move(json));
  }
  return more;
}

TrainingResult train_here(const Data& data, const Training& training) {
  if (!Access::set(data).labelled) throw Error("the data has no labels; training needs one per row.");
  FitSpec spec = spec_of(training, data.features());
  Reporter reporter(training);
  spec.data_hash = Access::state(data).hash();
  const LinearModel* warm = training.warm_start ? &Access::linear(*training.warm_start) : nullptr;
  std::string lines;
  TraceWriter writer([&](const std::string& line) { lines += line + '\n'; }, header_fields);
  Observers observers = {&reporter};
  if (training.keep_lines) observers.push_back(&writer);
  Fit fitted = fit(Access::set(data), spec, warm, observers, [&] { return reporter.stop(); });
  if (reporter.thrown) std::rethrow_exception(reporter.thrown);

  if (training.keep_lines) writer.finish(fitted.outcome, end_fields(fitted, reporter.seconds()));
  const Outcome& outcome = fitted.outcome;
  TrainingResult result{.model = Access::model(std::move(fitted.model)),
                        .status = outcome.termination,
                        .method = outcome.method.empty() ? spec.solver.name : outcome.method,
                        .passes = outcome.last.passes,
                        .entry_passes = outcome.last.entry_passes,
                        .solve_seconds = outcome.last.solve_seconds,
                        .check_seconds = outcome.last.check_seconds,
                        .messages = std::move(reporter.messages),
                        .proved_zero = fitted.proved_zero};
  for (const TraceRow& row : outcome.trace) result.trace.push_back(point_of(row));
  result.lines = std::move(lines);
  result.seconds = reporter.seconds();
  return result;
}

}  // namespace

TrainingResult train(const Data& data, const Training& training) {
  if (training.threads == 0) return train_here(data, training);
  std::optional<TrainingResult> result;
  with_threads(training.threads, [&] { result = train_here(data, training); });
  return std::move(*result);
}

void with_threads(unsigned threads, const std::function<void()>& body) {
  if (threads > static_cast<unsigned>(most_threads))
    throw InvalidOption(
        "threads", std::to_string(threads),
        "it must be from 1 to " + std::to_string(static_cast<unsigned>(most_threads)) + ", or 0 for all cores");
  // oneTBB warns on standard error where an arena has more threads than there can be.
  const std::size_t most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  tbb::task_arena arena(threads == 0 ? tbb::task_arena::automatic
                                     : static_cast<int>(std::min<std::size_t>(threads, most)));
  arena.execute([&] { body(); });
}

}  // namespace seesaw
