#include "run/one_versus_rest.h"

#include <algorithm>
#include <cmath>

#include "solvers/catalog.h"

namespace seesaw {
namespace {

// Tells the observers of the whole which class a check is of. Beginning and end are told once, by the whole.
class OfClass final : public Observer {
 public:
  OfClass(const Observers& observers, const ClassOfRow& which) : observers_(observers), which_(which) {}
  void check(const TraceRow& row) override {
    TraceRow told = row;
    told.of_class = which_;
    for (Observer* observer : observers_) observer->check(told);
  }

 private:
  const Observers& observers_;
  ClassOfRow which_;
};

void put(std::vector<double>& all, const std::vector<double>& one, std::size_t index, std::size_t classes) {
  all.resize(one.size() * classes);
  for (std::size_t at = 0; at < one.size(); ++at) all[at * classes + index] = one[at];
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
  if (all.termination == Termination::converged) all.termination = one.termination;
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
  Outcome all;
  all.certificate = {.primal = 0, .dual = 0, .gap = 0};
  const std::size_t classes = whole.labels.size();
  for (std::size_t k = 0; k < classes; ++k) {
    const ClassOfRow which{whole.labels[k], k + 1, classes};
    const Problem problem = class_problem(whole, k);
    const WarmStart warm = of_class(begin, k, classes);
    const std::unique_ptr<Solver> solver = make_solver(problem, spec, warm.start);
    if (k == 0)
      for (Observer* observer : observers) observer->begin({whole, spec, criteria});

    Criteria left = criteria;
    left.seconds = std::max(0.0, criteria.seconds - all.last.solve_seconds - all.last.check_seconds);
    const bool stopped = stop_asked && stop_asked();
    if (stopped) left.max_passes = 0;
    OfClass told(observers, which);
    Outcome one = run(*solver, problem, left, {&told}, stop_asked, warm.known ? &*warm.known : nullptr);
    if (stopped && one.termination != Termination::converged) one.termination = Termination::interrupted;
    join(all, std::move(one), which);
  }
  if (whole.lambda > 0) all.certificate.distance_bound = std::sqrt(2 * all.certificate.gap / whole.lambda);
  all.last.primal = all.last.latest_primal = all.certificate.primal;
  all.last.dual = all.last.latest_dual = all.certificate.dual;
  all.last.gap = all.certificate.gap;
  all.last.dual_point = all.certificate.dual_point;
  for (Observer* observer : observers) observer->end(all);
  return all;
}

}  // namespace seesaw
