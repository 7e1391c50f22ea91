// Models for a range of C, lambda or l1, such that for every value in it one of them is within a given accuracy of the
// optimum, with a proof (docs/paths.md).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seesaw/training.h"

namespace seesaw {

struct ValueRange {
  double low = 0, high = 0;
};

// At most one range, of two numbers above 0. None: 100 values as glmnet chooses them. What varies, and what is kept:
//     C or lambda                  lambda (l2)
//     lambda, and penalty.l1       lambda, with l1 kept
//     C or lambda, and mix         tau, with l1 = mix tau and lambda = (1 - mix) tau
//     l1, or C with PenaltyName::l1, and penalty.lambda if it is given      l1, with lambda kept
struct PathSpec {
  std::optional<ValueRange> C = {}, lambda = {}, l1 = {};
  std::optional<double> mix = {};  // in (0, 1)
  double accuracy = 1e-3;          // for every value in the range a model has gap <= accuracy times the optimum
  std::size_t points = 0;          // fit so many values, equally spaced in the logarithm; 0: as many as cover the range
};

// One model of a path. Values are of ModelPath::parameter().
struct PathEntry {
  double value = 0;                       // where the model has its certificate
  std::optional<ValueRange> covers = {};  // nothing: its gap is above the accuracy
  DualityGap certificate = {};
  bool combined = false;  // a convex combination of two fits
  std::string status = {};
  double passes = 0, seconds = 0;
};

// The model that covers a value, and what is proved about it there: P - P* <= gap.
struct CoveringModel {
  std::size_t index = 0;
  double primal = 0, dual = 0, gap = 0;
};

struct PathState;

// Immutable; copies share it. All members may be called from several threads at once.
class ModelPath {
 public:
  static ModelPath load(const std::string& path);  // and PATH.dual; throws Error
  void save(const std::string& path) const;        // and PATH.dual

  std::string parameter() const;  // C, lambda or l1: as the range was given
  ValueRange range() const;
  double accuracy() const;
  const std::vector<PathEntry>& entries() const;  // from the strongest penalty to the weakest
  std::vector<ValueRange> uncovered() const;      // parts of the range that no model covers
  // Every fit converged, and all of the range is covered or all values of the grid are there.
  bool complete() const;

  Model model(std::size_t index) const;  // with its certificate at entries()[index].value
  // The same weights at the ends of what the model covers: the two certificates that prove the interval.
  Model model_at_low(std::size_t index) const;
  Model model_at_high(std::size_t index) const;
  // Of the models that cover the value, that of the smallest bound; nothing if none does.
  std::optional<CoveringModel> covering(double value) const;

 private:
  friend struct Access;
  explicit ModelPath(std::shared_ptr<const PathState> state) : state_(std::move(state)) {}
  std::shared_ptr<const PathState> state_;
};

struct PathResult {
  ModelPath path;
  Termination status = Termination::converged;  // interrupted, time_limit, or why a fit did not converge
  double seconds = 0;
};

// `training`: as of train(), without penalty.C and warm_start; penalty.lambda and penalty.l1 are coefficients that are
// kept; `gap` is that of each fit (default accuracy/20, with `points` 1e-6), `seconds` of the whole path. Throws as
// train() does.
PathResult train_path(const Data& data, const Training& training, const PathSpec& spec);

// Recomputes every certificate from the data, independently of the training code, and checks that the intervals meet.
// primal, dual and gap are those of the model with the largest relative gap.
VerifyResult verify(const Data& data, const ModelPath& path);

}  // namespace seesaw
