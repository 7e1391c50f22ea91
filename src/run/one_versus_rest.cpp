#include "run/one_versus_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/stopwatch.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

// What a class has done before its present run counts as well.
TraceRow behind(const TraceRow& before, TraceRow row) {
  row.passes += before.passes;
  row.entry_passes += before.entry_passes;
  row.solve_seconds += before.solve_seconds;
  row.check_seconds += before.check_seconds;
  return row;
}

// Tells the observers of the whole which class a check is of. Beginning and end are told once, by the whole.
class OfClass final : public Observer {
 public:
  OfClass(const Observers& observers, const ClassOfRow& which, const TraceRow& before)
      : observers_(observers), which_(which), before_(before) {}
  void check(const TraceRow& row) override {
    TraceRow told = behind(before_, row);
    told.of_class = which_;
    for (Observer* observer : observers_) observer->check(told);
  }
  void news(const std::string& sentence) override {
    for (Observer* observer : observers_) observer->news(fmt::format("class {}: {}", which_.label, sentence));
  }

 private:
  const Observers& observers_;
  ClassOfRow which_;
  TraceRow before_;
};

// A class that has been taken up again where its share of the time had ended.
Outcome continued(Outcome&& before, Outcome&& now) {
  for (TraceRow& row : now.trace) row = behind(before.last, row);
  now.last = behind(before.last, now.last);
  now.trace.insert(now.trace.begin(), before.trace.begin(), before.trace.end());
  return std::move(now);
}

void put(std::vector<double>& all, const std::vector<double>& one, std::size_t index, std::size_t classes) {
  all.resize(one.size() * classes);
  for (std::size_t at = 0; at < one.size(); ++at) all[at * classes + index] = one[at];
}

// What the whole ended as: the gravest of what its classes ended as.
Termination graver(Termination a, Termination b) {
  using enum Termination;
  for (const Termination end : {interrupted, diverged, time_limit, stalled, pass_limit})
    if (a == end || b == end) return end;
  return converged;
}

void join(Outcome& all, Outcome&& one, const ClassOfRow& which) {
  const std::size_t index = which.number - 1;
  put(all.point.x, one.point.x, index, which.count);
  put(all.point.y, one.point.y, index, which.count);
  put(all.point.intercept, one.point.intercept, index, which.count);
  all.classes.push_back({which.label, one.certificate.primal, one.certificate.dual, one.certificate.gap});
  all.certificate.primal += one.certificate.primal;
  all.certificate.dual += one.certificate.dual;
  all.certificate.gap += one.certificate.gap;
  all.certificate.dual_point = std::max(all.certificate.dual_point, one.certificate.dual_point);
  if (all.method.find(one.method) == std::string::npos)  // each of them once
    all.method += (all.method.empty() ? "" : "; ") + one.method;
  all.termination = graver(all.termination, one.termination);
  all.last.passes += one.last.passes;
  all.last.entry_passes += one.last.entry_passes;
  all.last.solve_seconds += one.last.solve_seconds;
  all.last.check_seconds += one.last.check_seconds;
  all.last.nonzeros += one.last.nonzeros;
  for (TraceRow& row : one.trace) {
    row.of_class = which;
    all.trace.push_back(row);
  }
}

}  // namespace

Outcome run_one_versus_rest(const Problem& whole, const SolverSpec& spec, const Criteria& criteria,
                            const WarmStart& begin, const Observers& observers, const StopAsked& stop_asked) {
  const std::size_t classes = whole.labels.size();
  std::vector<Outcome> ones(classes);
  std::vector<std::size_t> open(classes);
  std::iota(open.begin(), open.end(), std::size_t{0});
  double used = 0;  // seconds
  // Each class has an equal share of the time that is left when its turn comes. What the later ones leave is for those
  // that needed more, in another round.
  for (bool first = true; !open.empty() && (first || used < 0.95 * criteria.seconds); first = false) {
    std::vector<std::size_t> unfinished;
    for (std::size_t at = 0; at < open.size(); ++at) {
      const std::size_t k = open[at];
      const ClassOfRow which{whole.labels[k], k + 1, classes};
      const Problem problem = class_problem(whole, k);
      WarmStart warm = of_class(begin, k, classes);
      if (!first) warm = {{ones[k].point.y, ones[k].point.x, ones[k].point.intercept}, ones[k].point};
      Stopwatch making;
      const auto solver = timed(making, [&] { return make_solver(problem, spec, warm.start); });
      if (first && k == 0)
        for (Observer* observer : observers) observer->begin({whole, spec, criteria});

      Criteria left = criteria;
      left.seconds = std::max(0.0, criteria.seconds - used) / static_cast<double>(open.size() - at);
      left.max_passes = std::max(0.0, criteria.max_passes - ones[k].last.passes);
      const bool stopped = stop_asked && stop_asked();
      if (stopped) left.max_passes = 0;
      OfClass told(observers, which, ones[k].last);
      Outcome one =
          run(*solver, problem, left, {&told}, stop_asked, warm.known ? &*warm.known : nullptr, making.seconds());
      if (stopped && one.termination != Termination::converged) one.termination = Termination::interrupted;
      used += one.last.solve_seconds + one.last.check_seconds;
      if (one.termination == Termination::time_limit) unfinished.push_back(k);
      ones[k] = first ? std::move(one) : continued(std::move(ones[k]), std::move(one));
    }
    open = std::move(unfinished);
  }

  Outcome all;
  all.certificate = {.primal = 0, .dual = 0, .gap = 0};
  for (std::size_t k = 0; k < classes; ++k) join(all, std::move(ones[k]), {whole.labels[k], k + 1, classes});
  if (whole.lambda > 0) all.certificate.distance_bound = std::sqrt(2 * all.certificate.gap / whole.lambda);
  all.last.primal = all.last.latest_primal = all.certificate.primal;
  all.last.dual = all.last.latest_dual = all.certificate.dual;
  all.last.gap = all.certificate.gap;
  all.last.dual_point = all.certificate.dual_point;
  for (Observer* observer : observers) observer->end(all);
  return all;
}

}  // namespace seesaw
