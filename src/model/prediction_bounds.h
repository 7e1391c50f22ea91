// What the certificate of a model proves about the optimal model: intervals of its scores, labels, probabilities and
// weights (docs/intervals.md). Every rounding error is included. The score of a row is that of its transformed values as
// doubles, which define the problem.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/linear_model.h"
#include "model/rigorous/bounded.h"

namespace seesaw {

// Scores of rows over a region of weights and intercepts.
class ScoreRegion {
 public:
  // `centre`: `outputs` numbers per column of the rows. `factors`: of the penalty, per column; empty: all 1. `joint`: one
  // radius for the weights of all outputs.
  ScoreRegion(const Rows& rows, const std::vector<double>& centre, const OptimumBounds& bounds,
              const std::vector<double>& factors, std::size_t outputs, bool joint);

  std::size_t rows() const { return reach_.size(); }
  Interval score(std::size_t i, std::size_t k) const;
  Interval difference(std::size_t i, std::size_t j, std::size_t k) const;  // score j less score k
  // The index of the label, 0 or 1 for one output, where all models of the region agree on it.
  std::optional<std::size_t> label(std::size_t i) const;

 private:
  std::size_t outputs_;
  bool joint_;
  std::vector<double> radius_;
  std::vector<Interval> intercept_;
  std::vector<rigorous::Bounded<double>> centre_scores_;
  std::vector<double> reach_;  // |a_i|, from above
};

// Why a model has no bounds of the optimum: a sentence; empty where it has them.
std::string no_bounds_reason(const LinearModel& model);

class PredictionBounds {
 public:
  // The data as decision_values() takes it. Throws Error where the model has no bounds.
  PredictionBounds(const LinearModel& model, const Dataset& data);

  Interval score(std::size_t i, std::size_t k = 0) const { return region_.score(i, k); }
  // The label of the optimal model, where it is proved; nothing in regression.
  std::optional<double> label(std::size_t i) const;
  // Of each of model.labels; the model must have probabilities.
  std::vector<Interval> probabilities(std::size_t i) const;

 private:
  const LinearModel& model_;
  ScoreRegion region_;
};

// Why a model has no bounds of the optimal weights: empty where it has bounds of the optimum or proved signs.
std::string no_weight_bounds_reason(const LinearModel& model);

// Of the optimal weights in units of the data (rows scaled: of the scaled rows), outputs() per feature. A weight that is
// proved to be 0 has [0, 0], also where the model's own is not 0 yet.
std::vector<Interval> weight_bounds(const LinearModel& model);
// Of the optimal intercepts, free or penalized, one per output.
std::vector<Interval> intercept_bounds(const LinearModel& model);

}  // namespace seesaw
