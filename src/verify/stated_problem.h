// The problem that a model's claim is about: the transformed rows, their targets and their weights.
#pragma once

#include <cstddef>
#include <vector>

#include "base/cancel.h"
#include "data/dataset.h"
#include "model/linear_model.h"
#include "verify/losses.h"
#include "verify/verify.h"

namespace seesaw::verifier {

// P = sum_i (s_i / total) phi_i(z_i) + g(x),  g(x) = sum_j f_j (lambda/2 x_j^2 + l1 |x_j|), lower_j <= x_j <= upper_j. The
// rows are transformed by the same function as in training, so that the values are bitwise identical; the claim is about
// the transformed doubles.
//
// Several processes: rows, labels, weights and y are those of this one; total, n and everything of the size of the features
// are the same on all.
struct StatedProblem {
  // dual: the dual variables of the rows that the leaves have; none: model.y.
  // own: null, or `raw` itself, whose rows may be taken.
  StatedProblem(const Dataset& raw, const LinearModel& of, const DualPart& dual = {}, Dataset* own = nullptr);

  const LinearModel& model;
  const LossInfo& loss;
  const double t;                  // the loss's parameter
  const std::size_t outputs;       // K
  Dataset data;                    // transformed
  std::size_t n;                   // rows of all processes
  std::size_t first_row;           // of this process
  std::vector<double> own_y;       // where it is not that of the model
  const double* y;                 // K dual variables per row
  std::vector<double> x;           // K weights per column of `data`
  std::vector<double> target;      // b_i: the label, or -1 / +1 (K = 1); otherwise unused
  std::vector<std::size_t> group;  // classification: the index of the row's label; regression: all 0
  std::size_t groups = 1;
  std::vector<Ball> weight;  // s_i; empty if all are 1
  Ball total;                // sum s_i
  CancelPoll poll;           // of the thread that states the problem; passes over the rows call it

  // The last dual_image() (verify/passes.h): the bounds and the region of the optimum use the same. Of one thread.
  struct Image {
    std::size_t first = 0, last = 0;
    std::vector<Ball> values = {};
  };
  mutable Image image;

  // Per column of `data`, the constant feature included; empty: all 1, or no bounds.
  std::vector<double> factor, lower, upper;

  double factor_of(std::size_t j) const { return factor.empty() ? 1 : factor[j]; }
  double lower_of(std::size_t j) const { return lower.empty() ? -inf : lower[j]; }
  double upper_of(std::size_t j) const { return upper.empty() ? inf : upper[j]; }
  Ball weight_of(std::size_t i) const { return weight.empty() ? Ball(1) : weight[i]; }
  bool free_intercept() const { return model.objective.intercept == Intercept::free; }
};

}  // namespace seesaw::verifier
