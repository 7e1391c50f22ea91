// The enumerations of the interface, each with its name as the command line and the files write it. X_of(name) throws
// InvalidOption for a name that does not exist.
#pragma once

#include <string>
#include <string_view>

namespace seesaw {

// b of a.x + b: absent; the weight of an appended constant feature, penalized like any other; or free of any penalty.
enum class Intercept { none, penalized, free };
Intercept intercept_of(std::string_view name);
std::string_view name_of(Intercept intercept);

// Of the features before training; the model stores it and applies it in prediction.
// rows: each row to norm 1. max: all values divided by the largest row norm. columns_max: each column divided by its
// largest |value|. columns_std: by its standard deviation, without centring.
enum class Scaling { none, rows, max, columns_max, columns_std };
Scaling scaling_of(std::string_view name);
std::string_view name_of(Scaling scaling);

// exact: values are stored as float only where that changes none of them. single: all values are rounded to float.
enum class Precision { exact, single };

// Why training ended. Of a stalled run, neither P nor D improved for many passes. labels_settled: all labels of the rows
// given for it are proved to be those of the optimal model.
enum class Termination { converged, pass_limit, time_limit, interrupted, stalled, diverged, labels_settled };
std::string_view name_of(Termination termination);

enum class LossName {
  hinge,
  smooth_hinge,
  squared_hinge,
  logistic,
  squared,
  absolute,
  quantile,
  huber,
  epsilon_insensitive,
  squared_epsilon_insensitive,
  softmax,
  multiclass_hinge
};
LossName loss_of(std::string_view name);
std::string_view name_of(LossName name);

// automatic: as the coefficients imply; l2 if there are none.
enum class PenaltyName { automatic, l2, l1, elastic_net, none };
PenaltyName penalty_of(std::string_view name);
std::string_view name_of(PenaltyName name);

}  // namespace seesaw
