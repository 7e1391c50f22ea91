// Cross-validation: every candidate is fitted on the training rows of every fold and measured on the others.
//
// Scaling is fitted on the training rows of each fold. Fits of one group and fold run from the strongest penalty to the
// weakest, each from the x and y of the one before; folds and groups run in parallel. The result is the same for any
// number of threads.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "select/tune_request.h"

namespace seesaw {

struct FoldResult {
  std::vector<double> values;  // of each metric
  std::string status;          // of the fit
  double passes = 0;
  double gap = 0;            // relative
  std::size_t nonzeros = 0;  // of x
};

struct CandidateResult {
  Candidate candidate;
  std::vector<FoldResult> folds;    // of the folds that are validated
  bool eliminated = false;          // it cannot win: bounds[0] has the bounds of its mean, folds are not complete
  Interval bounds{0, 0};            // of the mean of the first metric, if eliminated
  std::vector<double> mean, error;  // of each metric: mean over the folds, standard error of the mean

  bool complete() const { return !mean.empty(); }
};

struct TuneWork {
  std::size_t fits = 0, stopped = 0;    // fits begun; of these ended early, as their candidate cannot win
  double passes = 0, saved_passes = 0;  // done; not needed, by the passes of the fits that were completed
};

struct TuneResult {
  std::vector<CandidateResult> candidates;  // by group, the strongest penalty first
  std::vector<const Metric*> metrics;
  std::size_t best = 0;    // by the first metric; of equal ones the first
  std::size_t one_se = 0;  // in the group of the best: the strongest penalty within one standard error of it
  std::size_t chosen = 0;
  double total_weight = 0;  // of all rows
  bool classification = true;
  bool stopped = false;  // interrupted: there is no choice
  TuneWork work;
};

class TuneObserver {
 public:
  virtual ~TuneObserver() = default;
  // One at a time, from any thread. `planned`: the fits planned so far.
  virtual void fitted(std::size_t /*done*/, std::size_t /*planned*/, const Candidate&, std::size_t /*fold*/) {}
};

// Results of earlier searches, by key. Called from any thread.
class TuneStore {
 public:
  virtual ~TuneStore() = default;
  virtual std::optional<std::vector<FoldResult>> find(const std::string& key) = 0;
  virtual void add(const std::string& key, const std::vector<FoldResult>& results) = 0;
};

TuneResult tune(const Dataset& data, const Folds& folds, const TuneRequest& request, TuneObserver* observer = nullptr,
                TuneStore* store = nullptr, const StopPredicate& should_stop = {});

// The scores of all rows that are validated, each by a model of this candidate that was not trained on it: outputs() per
// row, NaN for rows that are never validated. Each fit starts from zero. Empty if stopped.
std::vector<double> out_of_fold_scores(const Dataset& data, const Folds& folds, const TuneRequest& request,
                                       const Candidate& candidate, const StopPredicate& should_stop = {});

}  // namespace seesaw
