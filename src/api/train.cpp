#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "api/internals.h"
#include "api/training_spec.h"
#include "base/cancel.h"
#include "base/threads.h"
#include "model/coefficients.h"
#include "model/describe_objective.h"
#include "model/groups/group_losses.h"
#include "model/table_labels.h"
#include "run/fit_groups.h"
#include "run/trace.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

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

// Of a loss of groups that of a group of one row.
std::string row_loss_of(const std::string& loss) {
  const LossKind* const kind = group_loss_kind(loss);
  return kind == nullptr ? loss : std::string(row_loss(*kind));
}

TrainingResult train_here(const Data& data, const Training& training) {
  if (!Access::set(data).labelled) throw Error("the data has no labels; training needs one per row.");
  FitSpec spec = spec_of(training, data.features());
  if (training.blocks.empty() && group_loss_kind(spec.objective.loss) != nullptr)
    throw Error("the loss " + spec.objective.loss + " is one of groups of rows: give `blocks`, the group of each row.");
  Reporter reporter(training);
  spec.data_hash = Access::state(data).hash();
  spec.facts = Access::state(data).facts;
  const std::optional<TableEncoding>& table = Access::state(data).table;
  if (table) check_table_labels(*table, row_loss_of(spec.objective.loss), Access::set(data));
  const LinearModel* warm = training.warm_start ? &Access::linear(*training.warm_start) : nullptr;
  if (warm != nullptr && (warm->table || table) && warm->feature_names != data.feature_names())
    throw Error("`warm_start` was trained on another table: its features are not those of the data.");
  std::string lines;
  TraceWriter writer([&](const std::string& line) { lines += line + '\n'; }, header_fields);
  Observers observers = {&reporter};
  if (training.keep_lines) observers.push_back(&writer);
  const StopPredicate stop = [&] { return reporter.stop(); };
  if (!training.blocks.empty() && warm != nullptr)
    throw Unsupported("a loss of groups has no warm start; leave out `warm_start`.");
  Fit fitted = training.blocks.empty()
                   ? fit(Access::set(data), spec, warm, observers, stop)
                   : fit_groups(Access::set(data), numbered(training.blocks), spec, observers, stop);
  if (reporter.thrown) std::rethrow_exception(reporter.thrown);
  CancelPoll()();

  if (training.keep_lines) writer.finish(fitted.outcome, end_fields(fitted, reporter.seconds()));
  fitted.model.table = table;
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

void with_cancellation(const std::stop_token& token, const std::function<void()>& body) {
  const CancelScope scope(&token);
  body();
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
