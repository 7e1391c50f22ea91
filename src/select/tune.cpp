#include "select/tune.h"

#include <algorithm>
#include <cmath>

#include "base/freed_memory.h"
#include "base/task_lanes.h"
#include "base/threads.h"
#include "data/extents.h"
#include "run/scaled_bounds.h"
#include "seesaw/error.h"
#include "select/tune_choice.h"
#include "select/tune_fits.h"
#include "select/tune_key.h"

namespace seesaw {
namespace {

constexpr double next_gap = 1e-2;    // from round to round, where candidates can be eliminated
constexpr int steps_after_best = 3;  // of a search: so many values in a row without a better one end it
constexpr int most_steps = 24;       // of a search, in each direction

// All rows, transformed, and the problem of each group on them.
struct Whole {
  Transform transform;
  Dataset data;
  std::vector<Problem> problems;

  Whole(const Dataset& given, const TuneRequest& request)
      : transform(fit_transform(given, request.fit.scaling, request.fit.objective.constant_feature())),
        data(apply(transform, given, request.fit.precision)) {
    for (const TuneGroup& group : request.groups) problems.push_back(problem(objective_of(request, group)));
  }
  Problem problem(const Objective& objective) const {
    return make_problem(data, with_scaled_bounds(objective, transform));
  }
  Whole(const Whole&) = delete;
  Whole& operator=(const Whole&) = delete;
};

bool classifies(const Problem& problem) { return problem.kind->target != Target::number; }

// The first C of a search. Of the l2 penalty: the power of 2 below lambda n = mean |a_i|^2, where problems are well
// conditioned. Where l1 varies: below the largest C with x = 0.
double first_of_search(const Whole& whole, const TuneRequest& request, std::size_t group) {
  const PathLine line = line_of(request, request.groups[group]);
  const Problem& problem = whole.problems[group];
  double C = 1;
  if (line.l1_per > 0) {
    Objective objective = objective_of(request, request.groups[group]);
    objective.regularizer = "l1";
    objective.lambda.reset();
    objective.l1.reset();  // by default a tenth of the smallest l1 with x = 0
    C = line.l1_per / (10 * whole.problem(objective).penalty.l1() * problem.total_weight);
  } else if (line.lambda_per > 0) {
    double sum = 0;
    for (const double square : problem.squared_row_norms()) sum += square;
    C = static_cast<double>(problem.n()) / sum;
  }
  return std::isfinite(C) && C > 0 ? std::ldexp(1.0, std::ilogb(C)) : 1;
}

class Search {
 public:
  Search(const TuneRequest& request, const Whole& whole, TuneFits& fits, TuneResult& result)
      : request_(request), whole_(whole), fits_(fits), result_(result) {}

  void run(bool bounded) {
    if (request_.values.empty()) search();
    else follow();
    if (bounded) finish_in_rounds();
    eliminated_.resize(fits_.candidates().size());
    result_.stopped = fits_.stopped();
    if (result_.stopped) return;
    collect();
    order_and_choose(result_, request_);
  }

 private:
  bool has_value(std::size_t group) const { return has_coefficient(request_, request_.groups[group]); }

  // The values given, from the strongest penalty on.
  void follow() {
    std::vector<double> values = request_.values;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (request_.coefficient != SearchedCoefficient::C) std::reverse(values.begin(), values.end());
    std::vector<std::vector<std::size_t>> of_group(request_.groups.size());
    for (std::size_t g = 0; g < of_group.size(); ++g) {
      if (!has_value(g)) of_group[g].push_back(fits_.add_candidate({g, std::nullopt}));
      else
        for (const double value : values) of_group[g].push_back(fits_.add_candidate({g, value}));
    }
    std::vector<TuneFits::ChainState> states(of_group.size() * fits_.folds());
    std::vector<TuneFits::Chain> chains;
    for (const auto& candidates : of_group)
      for (std::size_t f = 0; f < fits_.folds(); ++f) chains.push_back({f, candidates, &states[chains.size()]});
    fits_.run(chains);
  }

  // Doubles and halves C, until the metric has not improved for some steps.
  struct Direction {
    std::size_t group;
    double factor, value;                      // of C
    std::vector<TuneFits::ChainState> states;  // per fold
    int since_best = 0, steps = 0;
    std::size_t candidate = 0;
  };

  void fit_next(std::vector<Direction>& directions) {
    std::vector<TuneFits::Chain> chains;
    for (Direction& d : directions)
      for (std::size_t f = 0; f < fits_.folds(); ++f) chains.push_back({f, {d.candidate}, &d.states[f], true});
    fits_.run(chains);
  }

  void search() {
    std::vector<Direction> first;
    for (std::size_t g = 0; g < request_.groups.size(); ++g) {
      const double C = has_value(g) ? first_of_search(whole_, request_, g) : 1;
      first.push_back({g, 1, C, std::vector<TuneFits::ChainState>(fits_.folds())});
      first.back().candidate = fits_.add_candidate({g, has_value(g) ? std::optional(C) : std::nullopt});
    }
    fit_next(first);
    if (fits_.stopped()) return;
    std::vector<double> best;
    std::vector<Direction> directions;
    for (Direction& d : first) {
      best.push_back(goodness(fits_.mean(d.candidate)));
      if (!has_value(d.group)) continue;
      std::vector<TuneFits::ChainState> downward;
      for (const TuneFits::ChainState& state : d.states) downward.push_back(state.branch());
      directions.push_back({d.group, 2, d.value, std::move(d.states)});
      if (!(line_of(request_, request_.groups[d.group]).l1_per > 0))
        directions.push_back({d.group, 0.5, d.value, std::move(downward)});
    }
    while (!directions.empty()) {
      for (Direction& d : directions) d.candidate = fits_.add_candidate({d.group, d.value *= d.factor});
      fit_next(directions);
      if (fits_.stopped()) return;
      const std::vector<double> before = best;
      for (Direction& d : directions) {
        const double now = goodness(fits_.mean(d.candidate));
        d.since_best = now > before[d.group] ? 0 : d.since_best + 1;
        best[d.group] = std::max(best[d.group], now);
        ++d.steps;
      }
      std::erase_if(directions,
                    [](const Direction& d) { return d.since_best >= steps_after_best || d.steps >= most_steps; });
    }
  }

  double goodness(double value) const { return goodness_of(*result_.metrics[0], value); }

  // Bounds of what the first metric will be, as goodness.
  Interval goodness_bounds(std::size_t candidate) const {
    Interval sum{0, 0};
    for (const TuneFit& fit : fits_.of(candidate)) {
      Interval one = fit.bounds.value_or(Interval{-infinity, infinity});
      if (fit.complete) one = {goodness(fit.result.values[0]), goodness(fit.result.values[0])};
      else if (!result_.metrics[0]->higher_is_better) one = {-one.hi, -one.lo};
      sum.lo += one.lo;
      sum.hi += one.hi;
    }
    const auto count = static_cast<double>(fits_.folds());
    return {sum.lo / count, sum.hi / count};
  }

  bool is_open(std::size_t candidate) const {
    const auto& fits = fits_.of(candidate);
    return std::any_of(fits.begin(), fits.end(), [](const TuneFit& fit) { return !fit.complete; });
  }

  // Fits that stopped at their first bounds go on, round by round; candidates that cannot win do not. Without elimination
  // the rounds are the same, so that the fits are.
  void finish_in_rounds() {
    eliminated_.assign(fits_.candidates().size(), false);
    while (!fits_.stopped()) {
      if (request_.eliminate) eliminate();
      std::vector<TuneFits::Place> open;
      for (std::size_t c = 0; c < fits_.candidates().size(); ++c)
        for (std::size_t f = 0; f < fits_.folds(); ++f)
          if (!eliminated_[c] && !fits_.of(c)[f].complete) open.push_back({c, f});
      if (open.empty()) return;
      fits_.continue_at(open, next_gap);
    }
  }

  std::vector<TuneFits::Place> places_of(const std::vector<std::size_t>& candidates) const {
    std::vector<TuneFits::Place> places;
    for (const std::size_t c : candidates)
      for (std::size_t f = 0; f < fits_.folds(); ++f) places.push_back({c, f});
    return places;
  }

  // Bounds are computed where they can decide: of the candidate that is the best by the points reached, then of those
  // whose points are worse than the worst that a candidate can become.
  void eliminate() {
    std::vector<std::size_t> left;
    std::vector<double> now;
    for (std::size_t c = 0; c < fits_.candidates().size(); ++c)
      if (!eliminated_[c]) {
        left.push_back(c);
        now.push_back(goodness(fits_.mean(c)));
      }
    fits_.bound(places_of({left[static_cast<std::size_t>(std::max_element(now.begin(), now.end()) - now.begin())]}));
    double best = -infinity;
    for (const std::size_t c : left) best = std::max(best, goodness_bounds(c).lo);
    std::vector<std::size_t> behind;
    for (std::size_t k = 0; k < left.size(); ++k)
      if (is_open(left[k]) && now[k] < best) behind.push_back(left[k]);
    fits_.bound(places_of(behind));
    for (const std::size_t c : behind)
      if (goodness_bounds(c).hi < best) eliminated_[c] = true;
  }

  void collect() {
    double passes_of_complete = 0;
    std::size_t complete = 0;
    for (std::size_t c = 0; c < fits_.candidates().size(); ++c)
      for (const TuneFit& fit : fits_.of(c)) {
        ++result_.work.fits;
        result_.work.passes += fit.result.passes;
        if (!fit.complete) continue;
        passes_of_complete += fit.result.passes;
        ++complete;
      }
    const double usual = complete > 0 ? passes_of_complete / static_cast<double>(complete) : 0;
    for (std::size_t c = 0; c < fits_.candidates().size(); ++c) {
      CandidateResult one;
      one.candidate = fits_.candidates()[c];
      one.eliminated = eliminated_[c] != 0;
      if (one.eliminated) {
        const Interval bounds = goodness_bounds(c);
        one.bounds = result_.metrics[0]->higher_is_better ? bounds : Interval{-bounds.hi, -bounds.lo};
      }
      for (TuneFit& fit : fits_.of(c)) {
        if (!fit.complete) {
          ++result_.work.stopped;
          result_.work.saved_passes += std::max(0.0, usual - fit.result.passes);
        }
        one.folds.push_back(std::move(fit.result));
      }
      result_.candidates.push_back(std::move(one));
    }
  }

  const TuneRequest& request_;
  const Whole& whole_;
  TuneFits& fits_;
  TuneResult& result_;
  std::vector<char> eliminated_;
};

}  // namespace

TuneResult tune(const Dataset& data, const Folds& folds, const TuneRequest& request, TuneObserver* observer,
                TuneStore* store, const StopPredicate& should_stop) {
  validate(request);
  if (extents_of(data.rows) == nullptr) keep_freed_memory();
  const Whole whole(data, request);
  TuneResult result;
  result.total_weight = whole.problems[0].total_weight;
  result.classification = classifies(whole.problems[0]);
  for (const std::string& name : request.metrics) result.metrics.push_back(&metric_named(name));
  if (result.metrics.empty()) result.metrics.push_back(&standard_metric(result.classification));
  std::vector<std::vector<double>> labels;
  for (const Problem& problem : whole.problems) {
    if (classifies(problem) != result.classification)
      throw Error("losses of classification and of regression cannot be compared; choose one kind of `loss`.");
    for (const Metric* metric : result.metrics) require_defined(*metric, *problem.kind);
    labels.push_back(problem.labels);
  }
  const bool bounded = result.metrics[0]->bounded && request.choose == Choice::best && !request.values.empty();
  TuneFits fits(data, folds, request, labels, result.metrics, bounded, should_stop);
  fits.report_to(observer);
  if (store != nullptr) fits.keep_in(store, identity_of(data, folds, request, result.metrics));
  Search(request, whole, fits, result).run(bounded);
  return result;
}

std::vector<double> out_of_fold_scores(const Dataset& data, const Folds& folds, const TuneRequest& request,
                                       const Candidate& candidate, const StopPredicate& should_stop) {
  std::vector<double> all;
  std::vector<std::vector<double>> scores(folds.validated());
  std::atomic<bool> stopped = false;
  std::size_t outputs = 1;
  const FoldRows in_folds(data, folds);
  TaskLanes lanes(std::max<std::size_t>(1, std::min(available_threads(), scores.size())));
  lanes.run(scores.size(), [&](std::size_t f) {
    const FoldData rows = prepare_fold(in_folds, f + folds.first_validated(), request.fit);
    const FoldProblem fold(rows, request, request.groups[candidate.group], {});
    const Problem problem = fold.at(candidate.value);
    const Outcome outcome = solve({problem, request.fit.solver, request.fit.criteria, request.fit.scaling}, {},
                                  [&] { return lanes.failed() || (should_stop && should_stop()); });
    if (outcome.termination == Termination::interrupted) stopped = true;
    scores[f] = fold.scores(outcome.point);
    if (f == 0) outputs = problem.outputs();
  });
  if (stopped) return all;
  all.assign(data.n() * outputs, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t f = 0; f < scores.size(); ++f) {
    const std::vector<std::uint32_t> rows = folds.validation(f + folds.first_validated());
    for (std::size_t k = 0; k < rows.size(); ++k)
      std::copy_n(&scores[f][k * outputs], outputs, &all[rows[k] * outputs]);
  }
  return all;
}

}  // namespace seesaw
