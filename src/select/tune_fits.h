// The fits of a cross-validation: for each candidate and fold the model, its metrics, and the bounds of the metric at its
// end. Chains of fits run in parallel; what is fitted in which order is decided by the caller (tune.cpp).
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/task_lanes.h"
#include "run/continued_run.h"
#include "select/fold_problem.h"

namespace seesaw {

// A fit of a candidate on a fold, as far as it has come.
struct TuneFit {
  FoldResult result;
  bool complete = false;
  double gap = 0;                       // relative: the tolerance it was solved to
  Point point = {};                     // where it goes on, unless complete
  std::vector<Bounds> proved = {};      // of the point, unless complete: of the problem, or of each class
  std::optional<Interval> bounds = {};  // of the first metric at the end of the fit, unless complete: see bound()
  std::string key = {};                 // of its result in the store, where it is kept alone
};

class TuneFits {
 public:
  // `labels`: of all rows, per group. `bounded`: fits of many passes stop first where bounds of the metric begin to decide.
  // Where one method follows all values (run/continued_run.h), a fit takes fewer passes than its bounds: none stops.
  TuneFits(const Dataset& data, const Folds& folds, const TuneRequest& request,
           const std::vector<std::vector<double>>& labels, const std::vector<const Metric*>& metrics, bool bounded,
           const StopPredicate& should_stop);
  void report_to(TuneObserver* observer) { observer_ = observer; }
  void keep_in(TuneStore* store, std::string identity);

  std::size_t add_candidate(const Candidate& candidate);
  const std::vector<Candidate>& candidates() const { return candidates_; }
  std::vector<TuneFit>& of(std::size_t candidate) { return fits_[candidate]; }  // per fold
  const std::vector<TuneFit>& of(std::size_t candidate) const { return fits_[candidate]; }
  std::size_t folds() const { return fold_data_.size(); }
  double mean(std::size_t candidate) const;  // of the first metric

  // Where the next fit of a group on a fold starts: the point of the last one, and the method that continues there
  // (run/continued_run.h). Empty: from zero.
  struct Follower {
    Problem problem;  // with the penalty of the last fit
    std::unique_ptr<ContinuedRun> run;
  };
  // A fit whose result was in the store, and so without its point.
  struct Skipped {
    std::size_t candidate;
    bool ends_follower = false;  // the next fit has a method of its own
  };
  struct ChainState {
    Point last = {};
    std::vector<double> measured = {};  // the metrics of `last`; empty: not known
    std::unique_ptr<Follower> follower = {};
    std::vector<Skipped> skipped = {};               // since `last`; fitted before a fit that is not in the store
    std::vector<std::optional<double>> values = {};  // of a search: those fitted so far
    // Where another direction begins: from the same point, with a method of its own.
    ChainState branch() const;
  };
  // Fits of one group on one fold, one after the other, each from the state before.
  struct Chain {
    std::size_t fold;
    std::vector<std::size_t> candidates;
    ChainState* state;
    bool search = false;  // one candidate, chosen by the results before; its result is kept alone
  };
  void run(const std::vector<Chain>& chains);

  struct Place {
    std::size_t candidate, fold;
  };
  void continue_at(const std::vector<Place>& places, double gap_factor);  // each from its own point
  void bound(const std::vector<Place>& places);  // sets `bounds` of fits that are not complete and have none

  bool stopped() const { return stopped_; }

 private:
  template <class Task>
  void in_lanes(std::size_t tasks, const Task& task);
  bool should_stop_now();
  bool take_from_store(const Chain& chain, const std::string& key);
  void run_chain(const Chain& chain);
  void run_in_search(const Chain& chain);
  // The fit of a candidate from the state of its chain; `last` of the chain: the candidate whose penalty is the weakest.
  void follow(TuneFit& one, std::size_t candidate, std::size_t last, std::size_t fold, ChainState& state);
  void make_follower(std::size_t candidate, std::size_t last, std::size_t fold, ChainState& state);
  // `measured`: the metrics of `start`, where they are known.
  Point fit(TuneFit& one, const FoldProblem& fold, const Problem& problem, const Point& start, double gap,
            ContinuedRun* run = nullptr, const std::vector<double>& measured = {});
  void report(std::size_t candidate, std::size_t fold);
  const FoldProblem& problem_of(std::size_t candidate, std::size_t fold) const {
    return problems_[fold * request_.groups.size() + candidates_[candidate].group];
  }

  const TuneRequest& request_;
  const std::vector<const Metric*>& metrics_;
  const bool bounded_;
  const StopPredicate& should_stop_;
  TuneObserver* observer_ = nullptr;
  TuneStore* store_ = nullptr;
  std::string identity_;
  std::vector<std::unique_ptr<const FoldData>> fold_data_;
  std::vector<FoldProblem> problems_;  // [fold][group]
  std::vector<Candidate> candidates_;
  std::vector<std::vector<TuneFit>> fits_;  // [candidate][fold]
  std::size_t planned_ = 0, done_ = 0;
  TaskLanes* lanes_ = nullptr;
  std::atomic<bool> stopped_ = false;
  std::mutex stop_mutex_, report_mutex_;
};

}  // namespace seesaw
