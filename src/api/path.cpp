#include "seesaw/path.h"

#include <fmt/format.h>

#include <cmath>

#include "api/internals.h"
#include "api/training_spec.h"
#include "api/verify_path.h"
#include "base/cancel.h"
#include "model/table_labels.h"
#include "seesaw/error.h"
#include "select/path_file.h"
#include "select/path_words.h"

namespace seesaw {

struct PathState {
  Path path;
  std::vector<PathEntry> entries;
};

namespace {

ValueRange range_of(const Path& path, const Interval& of_t) {
  const Interval shown = shown_range(path, of_t);
  return {shown.lo, shown.hi};
}

ModelPath as_result(Path path) {
  auto state = std::make_shared<PathState>(PathState{std::move(path), {}});
  for (const PathPoint& point : state->path.points) {
    const Certificate& c = point.certificate.certificate;
    PathEntry entry{.value = shown_value(state->path, point.t()),
                    .certificate = {c.primal, c.dual, c.gap, c.relative_gap(), c.distance_bound, c.guaranteed},
                    .combined = point.combined,
                    .status = point.status,
                    .passes = point.passes,
                    .seconds = point.seconds};
    if (point.coverage) entry.covers = range_of(state->path, point.coverage->interval());
    state->entries.push_back(std::move(entry));
  }
  return Access::path(std::move(state));
}

std::optional<Interval> interval_of(const std::optional<ValueRange>& range) {
  return range ? std::optional(Interval{range->low, range->high}) : std::nullopt;
}

PathRequest request_of(const Training& training, const PathSpec& spec, const Data& data) {
  if (training.penalty.C) throw Error("a path has a range of `C`, not one number; give the range.");
  if (training.warm_start) throw Error("a path has warm starts of its own; omit `warm_start`.");
  PathRequest request;
  if (!training.blocks.empty()) throw Unsupported("a path has no losses of groups; leave out `blocks`.");
  request.fit = spec_of(training, data.features());
  request.fit.data_hash = Access::state(data).hash();
  request.C = interval_of(spec.C);
  request.lambda = interval_of(spec.lambda);
  request.l1 = interval_of(spec.l1);
  request.mix = spec.mix;
  request.accuracy = spec.accuracy;
  request.points = spec.points == 0 && !request.has_range() ? glmnet_points : spec.points;
  if (!training.gap && !training.gap_abs) request.fit.criteria.gap = request.standard_gap();
  if (request.points == 0 && !(request.fit.criteria.gap < request.accuracy))
    throw InvalidOption("gap", fmt::format("{}", request.fit.criteria.gap),
                        "it must be below `accuracy`: a fit covers what its gap leaves");
  return request;
}

PathResult train_path_here(const Data& data, const Training& training, const PathSpec& spec) {
  if (!Access::set(data).labelled) throw Error("the data has no labels; training needs one per row.");
  const PathRequest request = request_of(training, spec, data);
  if (const auto& table = Access::state(data).table)
    check_table_labels(*table, request.fit.objective.loss, Access::set(data));
  Reporter reporter(training);
  PathRun run = fit_path(Access::set(data), request, nullptr, {&reporter}, [&] { return reporter.stop(); });
  if (reporter.thrown) std::rethrow_exception(reporter.thrown);
  CancelPoll()();
  run.path.frame.table = Access::state(data).table;
  return {as_result(std::move(run.path)), run.termination, reporter.seconds()};
}

const PathPoint& point_at(const PathState& state, std::size_t index) {
  if (index >= state.path.points.size())
    throw ShapeError(state.path.points.size(), index,
                     fmt::format("there is no model {} in a path of {}.", index, state.path.points.size()));
  return state.path.points[index];
}

Model model_at_end(const PathState& state, std::size_t index, bool high) {
  const PathPoint& point = point_at(state, index);
  if (!point.coverage) throw Error(fmt::format("model {} of the path covers no interval.", index));
  // With C, the lower end is that of the larger t.
  const bool upper = high != state.path.by_C;
  return Access::model(model_of(state.path, point, upper ? point.coverage->upper : point.coverage->lower));
}

}  // namespace

ModelPath ModelPath::load(const std::string& path) { return as_result(read_path(path, true)); }
void ModelPath::save(const std::string& path) const { write_path(state_->path, path); }

std::string ModelPath::parameter() const { return std::string(shown_parameter(state_->path)); }
ValueRange ModelPath::range() const { return range_of(state_->path, state_->path.range); }
double ModelPath::accuracy() const { return state_->path.tolerance.relative; }
const std::vector<PathEntry>& ModelPath::entries() const { return state_->entries; }
bool ModelPath::complete() const { return state_->path.complete(); }

std::vector<ValueRange> ModelPath::uncovered() const {
  std::vector<ValueRange> result;
  for (const Interval& hole : seesaw::uncovered(state_->path)) result.push_back(range_of(state_->path, hole));
  return result;
}

Model ModelPath::model(std::size_t index) const {
  const PathPoint& point = point_at(*state_, index);
  return Access::model(model_of(state_->path, point, point.certificate));
}
Model ModelPath::model_at_low(std::size_t index) const { return model_at_end(*state_, index, false); }
Model ModelPath::model_at_high(std::size_t index) const { return model_at_end(*state_, index, true); }

std::optional<CoveringModel> ModelPath::covering(double value) const {
  if (!(value > 0 && std::isfinite(value)))
    throw InvalidOption(parameter(), fmt::format("{}", value), "it must be a number above 0");
  const Path& path = state_->path;
  const auto found = seesaw::covering(path, path.by_C ? t_of_C(path, value) : value);
  if (!found) return {};
  return CoveringModel{static_cast<std::size_t>(found->point - path.points.data()), found->bounds.primal,
                       found->bounds.dual, found->bounds.gap};
}

PathResult train_path(const Data& data, const Training& training, const PathSpec& spec) {
  if (training.threads == 0) return train_path_here(data, training, spec);
  std::optional<PathResult> result;
  with_threads(training.threads, [&] { result = train_path_here(data, training, spec); });
  return std::move(*result);
}

VerifyResult verify(const Data& data, const ModelPath& path) {
  const PathVerification found = verify_path(Access::set(data), Access::state(path).path);
  return {.holds = found.problems.empty(),
          .primal = found.of_largest.primal,
          .dual = found.of_largest.dual,
          .gap = found.of_largest.gap,
          .problems = found.problems};
}

}  // namespace seesaw
