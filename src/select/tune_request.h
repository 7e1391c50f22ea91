// Cross-validation as requested: groups of candidates that differ in one coefficient, the values of that coefficient, and
// the metrics.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/fit.h"
#include "select/folds.h"
#include "select/metrics.h"
#include "select/path_line.h"

namespace seesaw {

// The coefficient that is chosen. C is kept from fold to fold (lambda or l1 = 1 / (C sum of weights) of the training rows),
// lambda and l1 as they are.
enum class SearchedCoefficient { C, lambda, l1 };
std::string_view name_of(SearchedCoefficient coefficient);

enum class Choice { best, one_se };

struct TuneGroup {
  std::string loss, regularizer;  // empty: as in training
  std::optional<double> loss_parameter = {};
  std::optional<double> mix = {};  // elastic net: l1 = mix tau, lambda = (1 - mix) tau
};

struct TuneRequest {
  FitSpec fit;  // the objective: what all candidates share, and coefficients that are kept
  std::vector<TuneGroup> groups = {};
  SearchedCoefficient coefficient = SearchedCoefficient::C;
  std::vector<double> values = {};        // empty: C is doubled until the curve turns
  std::vector<std::string> metrics = {};  // the first one decides; empty: accuracy or rmse
  Choice choose = Choice::best;
  std::vector<std::string> classes = {};  // for messages: the text of the labels 0, 1, ... of a table; empty: numbers
  bool eliminate = true;                  // stop candidates that cannot win, where the metric has bounds
};

struct Candidate {
  std::size_t group = 0;
  std::optional<double> value = {};  // of the coefficient; nothing without a penalty
};

void validate(const TuneRequest& request);  // what can be checked without data

// Objective and line of coefficients of a group; throws Error where its penalty does not have the coefficient.
Objective objective_of(const TuneRequest& request, const TuneGroup& group);
PathLine line_of(const TuneRequest& request, const TuneGroup& group);
bool has_coefficient(const TuneRequest& request, const TuneGroup& group);  // false: no penalty

// The parameter t of the line, on data with this sum of weights.
double parameter_at(const TuneRequest& request, double value, double total_weight);

// What `train` is given for a candidate, on data with this sum of weights.
Objective chosen_objective(const TuneRequest& request, const Candidate& candidate, double total_weight);

}  // namespace seesaw
