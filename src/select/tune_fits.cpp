#include "select/tune_fits.h"

#include <algorithm>

#include "base/threads.h"
#include "run/fit_steps.h"
#include "select/elimination.h"
#include "select/tune_choice.h"
#include "select/tune_key.h"

namespace seesaw {
namespace {

WarmStart start_at(const Point& point) {
  WarmStart begin;
  if (point.x.empty()) return begin;
  begin.start = {.y = point.y, .x = point.x, .intercept = point.intercept};
  begin.known = point;
  return begin;
}

std::vector<Bounds> bounds_of(const Outcome& outcome) {
  std::vector<Bounds> bounds(outcome.classes.begin(), outcome.classes.end());
  if (bounds.empty()) bounds.push_back(outcome.certificate);
  return bounds;
}

}  // namespace

TuneFits::TuneFits(const Dataset& data, const Folds& folds, const TuneRequest& request,
                   const std::vector<std::vector<double>>& labels, const std::vector<const Metric*>& metrics,
                   bool bounded, const StopPredicate& should_stop)
    : request_(request), metrics_(metrics), bounded_(bounded), should_stop_(should_stop) {
  fold_data_.resize(folds.validated());
  const FoldRows rows(data, folds);
  in_lanes(fold_data_.size(), [&](std::size_t f) {
    fold_data_[f] = std::make_unique<const FoldData>(prepare_fold(rows, f + folds.first_validated(), request.fit));
  });
  for (const auto& of_fold : fold_data_)
    for (std::size_t g = 0; g < request.groups.size(); ++g)
      problems_.emplace_back(*of_fold, request, request.groups[g], labels[g]);
}

void TuneFits::keep_in(TuneStore* store, std::string identity) {
  store_ = store;
  identity_ = std::move(identity);
}

std::size_t TuneFits::add_candidate(const Candidate& candidate) {
  candidates_.push_back(candidate);
  fits_.emplace_back(fold_data_.size());
  return candidates_.size() - 1;
}

double TuneFits::mean(std::size_t candidate) const {
  std::vector<double> values;
  for (const TuneFit& fit : fits_[candidate]) values.push_back(fit.result.values[0]);
  return mean_and_error(values).mean;
}

template <class Task>
void TuneFits::in_lanes(std::size_t tasks, const Task& task) {
  TaskLanes lanes(std::max<std::size_t>(1, std::min(available_threads(), tasks)));
  lanes_ = &lanes;
  lanes.run(tasks, task);
  lanes_ = nullptr;
}

bool TuneFits::should_stop_now() {
  if (stopped_ || lanes_->failed()) return true;
  const std::lock_guard lock(stop_mutex_);
  if (should_stop_ && should_stop_()) stopped_ = true;
  return stopped_;
}

void TuneFits::run(const std::vector<Chain>& chains) {
  for (const Chain& chain : chains) planned_ += chain.candidates.size();
  in_lanes(chains.size(), [&](std::size_t at) { run_chain(chains[at]); });
}

bool TuneFits::take_from_store(const Chain& chain, const std::string& key) {
  auto found = store_->find(key);
  if (!found || found->size() != chain.candidates.size()) return false;
  for (std::size_t k = 0; k < chain.candidates.size(); ++k) {
    TuneFit& fit = fits_[chain.candidates[k]][chain.fold];
    fit.result = std::move((*found)[k]);
    fit.complete = true;
    report(chain.candidates[k], chain.fold);
  }
  return true;
}

TuneFits::ChainState TuneFits::ChainState::branch() const {
  ChainState other{last, measured, nullptr, skipped, values};
  if (!other.skipped.empty()) other.skipped.back().ends_follower = true;
  return other;
}

void TuneFits::run_chain(const Chain& chain) {
  if (chain.search) return run_in_search(chain);
  std::string key;
  if (store_ != nullptr) {
    std::vector<std::optional<double>> values;
    for (const std::size_t candidate : chain.candidates) values.push_back(candidates_[candidate].value);
    key = key_of_chain(identity_, request_.groups[candidates_[chain.candidates[0]].group], chain.fold, values);
    if (take_from_store(chain, key)) return;
  }
  std::vector<FoldResult> results;
  for (std::size_t k = 0; k < chain.candidates.size(); ++k) {
    if (should_stop_now()) return;
    const std::size_t candidate = chain.candidates[k];
    TuneFit& one = fits_[candidate][chain.fold];
    follow(one, candidate, chain.candidates.back(), chain.fold, *chain.state);
    if (stopped_) return;
    if (one.complete) results.push_back(one.result);
    else if (!key.empty()) one.key = key_of_fit(key, k);
    report(candidate, chain.fold);
  }
  *chain.state = {};  // the next chain uses its memory
  if (!key.empty() && results.size() == chain.candidates.size()) store_->add(key, results);
}

void TuneFits::run_in_search(const Chain& chain) {
  const std::size_t candidate = chain.candidates[0];
  ChainState& state = *chain.state;
  state.values.push_back(candidates_[candidate].value);
  std::string key;
  if (store_ != nullptr) {
    key =
        key_of_search(key_of_chain(identity_, request_.groups[candidates_[candidate].group], chain.fold, state.values));
    if (take_from_store(chain, key)) {
      state.skipped.push_back({candidate});
      return;
    }
  }
  for (const Skipped& one : state.skipped) {
    if (should_stop_now()) return;
    TuneFit known;
    follow(known, one.candidate, one.candidate, chain.fold, state);
    if (stopped_) return;
    if (one.ends_follower) state.follower.reset();
  }
  state.skipped.clear();
  if (should_stop_now()) return;
  TuneFit& one = fits_[candidate][chain.fold];
  follow(one, candidate, candidate, chain.fold, state);
  if (stopped_) return;
  report(candidate, chain.fold);
  if (!key.empty()) store_->add(key, {one.result});
}

void TuneFits::follow(TuneFit& one, std::size_t candidate, std::size_t last, std::size_t fold, ChainState& state) {
  if (!state.follower) make_follower(candidate, last, fold, state);
  Problem& problem = state.follower->problem;
  const FoldProblem& of_fold = problem_of(candidate, fold);
  problem.penalty = of_fold.penalty_at(candidates_[candidate].value);
  ContinuedRun* const run = state.follower->run.get();
  double gap = request_.fit.criteria.gap;
  if (bounded_ && run == nullptr) gap = gap_of_first_bounds(problem, request_.fit.criteria).value_or(gap);
  state.last = fit(one, of_fold, problem, state.last, gap, run, state.measured);
  state.measured = one.result.values;
  if (!stopped_ && !one.complete) one.point = state.last;
}

// The method is the one that suits the last candidate, which has the weakest penalty.
void TuneFits::make_follower(std::size_t candidate, std::size_t last, std::size_t fold, ChainState& state) {
  const FoldProblem& of_fold = problem_of(candidate, fold);
  state.follower = std::make_unique<Follower>(Follower{of_fold.at(candidates_[last].value), {}});
  Follower& follower = *state.follower;
  const SolverSpec given = with_tolerance_and_costs(request_.fit.solver, request_.fit.criteria);
  const auto spec = ContinuedRun::spec_for(follower.problem, given);
  follower.problem.penalty = of_fold.penalty_at(candidates_[candidate].value);
  if (spec) follower.run = ContinuedRun::make(follower.problem, *spec, start_at(state.last).start);
}

void TuneFits::continue_at(const std::vector<Place>& places, double gap_factor) {
  in_lanes(places.size(), [&](std::size_t at) {
    if (should_stop_now()) return;
    const auto [candidate, f] = places[at];
    TuneFit& one = fits_[candidate][f];
    const FoldProblem& fold = problem_of(candidate, f);
    const double gap = std::max(request_.fit.criteria.gap, one.gap * gap_factor);
    if (gap == request_.fit.criteria.gap && !one.key.empty())
      if (auto found = store_->find(one.key); found && found->size() == 1) {
        one = TuneFit{.result = std::move((*found)[0]), .complete = true, .gap = gap};
        return;
      }
    Point reached = fit(one, fold, fold.at(candidates_[candidate].value), one.point, gap);
    if (stopped_) return;
    one.point = one.complete ? Point{} : std::move(reached);
    if (one.complete && !one.key.empty()) store_->add(one.key, {one.result});
  });
}

void TuneFits::bound(const std::vector<Place>& places) {
  in_lanes(places.size(), [&](std::size_t at) {
    const auto [candidate, f] = places[at];
    TuneFit& one = fits_[candidate][f];
    if (one.complete || one.bounds || one.proved.empty()) return;
    const FoldProblem& fold = problem_of(candidate, f);
    one.bounds = bounds_of_metric(*metrics_[0], fold, fold.at(candidates_[candidate].value), one.point, one.proved,
                                  request_.fit.criteria);
  });
}

Point TuneFits::fit(TuneFit& one, const FoldProblem& fold, const Problem& problem, const Point& start, double gap,
                    ContinuedRun* run, const std::vector<double>& measured) {
  Criteria criteria = request_.fit.criteria;
  criteria.gap = gap;
  const StopPredicate stop = [this] { return should_stop_now(); };
  Outcome outcome;
  const bool whole = gap <= request_.fit.criteria.gap;  // otherwise bounds of the metric follow from the certificate
  if (run != nullptr) outcome = run->fit_unproved(criteria, stop);
  if (run == nullptr || outcome.termination == Termination::stalled || outcome.termination == Termination::pass_limit)
    outcome = solve({problem, request_.fit.solver, criteria, request_.fit.scaling}, {}, stop, start_at(start));
  if (outcome.termination == Termination::interrupted) {
    stopped_ = true;
    return outcome.point;
  }
  const std::vector<double>& x = outcome.point.x;
  const bool same = !measured.empty() && x == start.x && outcome.point.intercept == start.intercept;
  one.result.values = same ? measured : fold.measure(metrics_, fold.scores(outcome.point));
  one.result.status = name_of(outcome.termination);
  one.result.passes += outcome.last.passes;
  one.result.gap = outcome.certificate.relative_gap();
  one.result.nonzeros = static_cast<std::size_t>(std::count_if(x.begin(), x.end(), [](double xj) { return xj != 0; }));
  one.gap = gap;
  one.complete = whole || outcome.termination != Termination::converged;
  one.bounds.reset();
  one.proved.clear();
  if (!one.complete && outcome.certificate.guaranteed) one.proved = bounds_of(outcome);
  return std::move(outcome.point);
}

void TuneFits::report(std::size_t candidate, std::size_t fold) {
  const std::lock_guard lock(report_mutex_);
  ++done_;
  if (observer_ != nullptr) observer_->fitted(done_, planned_, candidates_[candidate], fold);
}

}  // namespace seesaw
