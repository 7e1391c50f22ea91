// What to minimize, how, and when to stop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "seesaw/model.h"

namespace seesaw {

// Empty: logistic if the data has two labels; otherwise it must be chosen.
struct LossSpec {
  LossSpec() = default;
  LossSpec(LossName loss) : name(name_of(loss)) {}
  LossSpec(LossName loss, double value) : name(name_of(loss)), parameter(value) {}
  std::string name = {};                 // of losses(); an unknown one is an InvalidOption in train()
  std::optional<double> parameter = {};  // gamma, epsilon, quantile or huber; default: LossInfo::parameter_default
};

// sum_j f_j ((lambda/2) x_j^2 + l1 |x_j|) with lower_j <= x_j <= upper_j. C is LIBLINEAR's: lambda (or l1, with
// PenaltyName::l1) = 1 / (C sum of weights). Default: lambda = 1 / sum of weights; for l1, a tenth of the smallest l1
// that gives x = 0.
struct PenaltySpec {
  PenaltyName name = PenaltyName::automatic;
  std::optional<double> lambda = {}, l1 = {}, C = {};
  // One number per feature of the data, or none. The constant feature of a penalized intercept is not among them: its
  // factor is 1, and it has no bounds. A wrong size is a ShapeError, a number that is not allowed an InvalidArray.
  std::vector<double> factors = {};            // f_j >= 0 of the scaled features, not rescaled; 0: unpenalized
  std::vector<double> lower = {}, upper = {};  // of weights(): lower <= 0 <= upper; may be infinite
  bool nonnegative = false;                    // no lower bound is below 0
};

// Of the best point so far. At a check the values are new; between checks (is_check = false) only `seconds` is.
struct Progress {
  double passes = 0, primal = 0, dual = 0, gap = 0;
  double seconds = 0;  // since train() was called
  bool is_check = true;
  std::optional<double> class_label = {};  // one-versus-rest: the class of these values
};

struct Training {
  LossSpec loss = {};
  PenaltySpec penalty = {};
  Intercept intercept = Intercept::free;
  double intercept_scaling = 1;                 // Intercept::penalized: the value of the constant feature, > 0
  std::map<double, double> class_weights = {};  // label -> weight > 0; 1 for labels that are not named
  bool balanced = false;                        // class weights such that all classes have the same total weight
  // The group of each row, for the losses "group-norm" and "group-max-hinge" (docs/blocks.md): any numbers, equal within a
  // group. Weights of the data are then equal within a group; penalty factors, bounds, class weights, options of the method
  // and a warm start are refused.
  std::vector<std::int64_t> blocks = {};
  Scaling scaling = Scaling::none;
  Precision precision = Precision::exact;

  std::string solver = {};                                 // of methods(); empty: auto
  std::map<std::string, std::string> solver_options = {};  // of MethodInfo::options
  std::uint64_t seed = 1;
  std::optional<Model> warm_start = {};  // of data with the same features; used as a start, never trusted

  std::optional<double> gap = {};         // converged when gap <= this * P; default 1e-4; 0: off
  std::optional<double> gap_abs = {};     // converged when gap <= this; given alone, it turns `gap` off
  std::optional<double> max_passes = {};  // default 10000; no limit if only `seconds` is given
  std::optional<double> seconds = {};     // of solving and checking; default: no limit
  double check_every = 0;                 // passes between checks of the gap; 0: automatic

  // At most this many threads; 0: as many as with_threads() allows, all cores by default. The result does not depend on
  // it.
  unsigned threads = 0;
  // Polled within epochs too, every few milliseconds. Training then ends with the best point and its certificate.
  std::stop_token stop = {};
  // Called at every check, and in long epochs about every `progress_interval` seconds; false ends training. Calls do not
  // overlap, but may come from any of the threads of this training. An exception ends training and is rethrown by
  // train().
  std::function<bool(const Progress&)> observer = {};
  double progress_interval = 0.5;
  bool keep_lines = false;  // fill TrainingResult::lines
};

// One check of the gap. P, D and gap are those of the best points so far.
struct TracePoint {
  double passes = 0, entry_passes = 0;  // entry_passes: entries of the data read / their number
  double solve_seconds = 0, check_seconds = 0;
  double primal = 0, dual = 0, gap = 0;
  std::size_t nonzeros = 0;                // of x at this check
  std::optional<double> class_label = {};  // one-versus-rest: the class of these values
};

struct TrainingResult {
  Model model;
  Termination status = Termination::converged;
  std::string method;  // the method used; of `auto`: those it selected, in order
  double passes = 0, entry_passes = 0;
  double seconds = 0;                           // wall time of train()
  double solve_seconds = 0, check_seconds = 0;  // of which; one-versus-rest: summed over the classes
  std::vector<TracePoint> trace = {};
  std::vector<std::string> messages = {};  // whole sentences: what `auto` changed
  std::optional<std::size_t> proved_zero =
      {};                  // l1 > 0, smooth losses: features proved to have weight 0 at the optimum
  std::string lines = {};  // Training::keep_lines: the run as JSON lines (docs/formats.md), what a trace file has
};

// Trains a model. May be called from several threads at once, on the same data too. Throws InvalidOption, Unsupported or
// Error before the first epoch; after that it returns a model with a certificate, whatever happens.
TrainingResult train(const Data& data, const Training& training = {});

// Runs body() with at most `threads` threads for everything this library does in it: reading, training, prediction,
// verification; 0: all cores. Concurrent calls from different threads do not affect each other.
void with_threads(unsigned threads, const std::function<void()>& body);

}  // namespace seesaw
