// A named method: its paper, requirements, options, and assembly on an engine.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/problem.h"
#include "solvers/costs.h"
#include "solvers/options.h"
#include "solvers/solver.h"

namespace seesaw {

struct SolverSpec {
  std::string name;
  OptionValues options;
  std::uint64_t seed = 1;
  Costs costs = {};  // of the machine; with the requested relative gap the input of `auto`
  double gap = 1e-4;
};

// The source of strong convexity or smoothness that a method needs to converge or to be certified.
enum class Need { nothing, lambda, lambda_or_strongly_convex_loss, lambda_or_smooth_loss, penalty_or_smooth_loss, l1 };

struct Needs {
  Need curvature = Need::nothing;
  bool smooth_loss = false;     // gamma > 0
  bool nonsmooth_loss = false;  // gamma = 0
  bool quadratic_dual = false;  // phi* is piecewise quadratic: every scalar loss except the logistic one
  bool no_l1 = false;           // l1 = 0: l2 alone, or no penalty
  std::string of_numbers = {};  // in words: what `unsupported_reason` checks in the data
};

// Which penalties of single features (model/penalty/penalty.h) the engine of a method takes. Factors f_j > 0 of l2 alone
// or l1 alone need none of these: a change of variables makes the penalty uniform (scaled_problem.h).
struct FeaturePenalties {
  bool bounds = false;       // lo_j <= x_j <= hi_j
  bool l1_factors = false;   // factors of an elastic net: l1 differs by feature
  bool unpenalized = false;  // f_j = 0, with a smooth loss
};

struct Recipe {
  std::string name;
  std::string summary;  // one line
  std::string paper;    // citation, with the algorithm's number
  std::string engine;   // docs/solvers/<engine>.md
  std::string cost;     // of one step
  Needs needs;
  FeaturePenalties features = {};
  bool block_losses = false;     // also supports losses of all classes (softmax, multiclass-hinge)
  bool exact_nonsmooth = false;  // solves nonsmooth losses without smoothing
  bool random = true;            // depends on the seed
  bool resumable = false;        // its state can be saved and restored (Solver::serialize)
  bool over_ranks = false;       // runs on several processes (base/ranks.h)
  std::vector<OptionInfo> options;
  std::string instead = {};  // for methods that may diverge: the alternative to suggest
  // An unmet requirement that depends on the data: the end of "NAME needs ...", or nullopt.
  std::optional<std::string> (*unsupported_reason)(const Problem&) = nullptr;
  // A message to show before it runs on this problem: the end of "NAME ...", or nullopt.
  std::optional<std::string> (*message)(const Problem&, const SolverSpec&) = nullptr;
  // Of `auto`: the selected method and the reason, the end of "NAME ...".
  std::optional<std::string> (*choice)(const Problem&, const SolverSpec&) = nullptr;
  std::unique_ptr<Solver> (*make)(const Problem&, const SolverSpec&, const Start&);
};

// The options of a method are a struct of defaults with describe(OptionReader&).
template <class Options>
Options read_options(const SolverSpec& spec) {
  OptionReader reader(spec.options);
  Options options;
  options.describe(reader);
  reader.finish(spec.name);
  return options;
}
template <class Options>
std::vector<OptionInfo> list_options() {
  const OptionValues none;
  OptionReader reader(none);
  Options options;
  options.describe(reader);
  return reader.described();
}

// Throws InvalidOption if one of `names` is given and would be ignored. `why`: "it needs --sampling adaptive".
void refuse_given(const SolverSpec& spec, std::initializer_list<const char*> names, const std::string& why);

std::string describe(const Needs& needs);  // "lambda > 0, a smooth loss", or "nothing"

// Why the method does not support the problem, or nullopt. A problem without data is checked by its kind only.
std::optional<std::string> missing(const Recipe& recipe, const Problem& problem);
// The same with the options of the method: a number given as `mu` replaces the strong convexity of the loss and the data,
// so that a smooth loss is enough.
std::optional<std::string> missing(const Recipe& recipe, const Problem& problem, const SolverSpec& spec);

}  // namespace seesaw
