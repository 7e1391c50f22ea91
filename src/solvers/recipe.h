// A named method: who wrote it, what it needs, which options it has, and how to assemble it on an engine.
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
  Costs costs = {};  // of this machine, and the relative gap asked for: what `auto` decides by
  double gap = 1e-4;
};

// Where the curvature may come from that a method lives on: otherwise it does not converge, or nothing can be proved.
enum class Need { nothing, lambda, lambda_or_strongly_convex_loss, lambda_or_smooth_loss, penalty_or_smooth_loss, l1 };

struct Needs {
  Need curvature = Need::nothing;
  bool smooth_loss = false;     // gamma > 0
  bool nonsmooth_loss = false;  // gamma = 0
  bool quadratic_dual = false;  // phi* is quadratic between kinks: every loss of one score but the logistic
  bool no_l1 = false;           // l1 = 0: l2 alone, or no penalty
  std::string of_numbers = {};  // what `lacks` checks of the numbers in the data, in words
};

// Which penalties of single features (model/penalty/penalty.h) the engine of a method takes. Factors f_j > 0 of l2 alone
// or l1 alone need none of these: a change of variables makes the penalty uniform (scaled_solver.h).
struct FeaturePenalties {
  bool bounds = false;       // lo_j <= x_j <= hi_j
  bool l1_factors = false;   // factors of an elastic net: l1 differs by feature
  bool unpenalized = false;  // f_j = 0
};

struct Recipe {
  std::string name;
  std::string summary;  // one line
  std::string paper;    // citation, with the algorithm's number
  std::string engine;   // docs/solvers/<engine>.md
  std::string cost;     // of one step
  Needs needs;
  FeaturePenalties features = {};
  bool block_losses = false;     // solves losses that score all classes at once, too
  bool exact_nonsmooth = false;  // takes nonsmooth losses as they are; otherwise they are smoothed, more and more
  bool random = true;            // draws rows at random, so that the seed matters
  std::vector<OptionInfo> options;
  std::string instead = {};  // where it may diverge: what to use then, and why
  // What it needs that depends on the numbers in the data: the end of "NAME needs ...", or nothing.
  std::optional<std::string> (*unsupported_reason)(const Problem&) = nullptr;
  // What a user should know before it runs on this problem: the end of "NAME ...", or nothing.
  std::optional<std::string> (*message)(const Problem&, const SolverSpec&) = nullptr;
  // Of a method that chooses: what it chose and why, as the end of "NAME ...".
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

// Throws InvalidOption where one of `names` is given: it would be ignored. `why`: "it goes with --sampling adaptive".
void refuse_given(const SolverSpec& spec, std::initializer_list<const char*> names, const std::string& why);

std::string describe(const Needs& needs);  // "lambda > 0, a smooth loss", or "nothing special"

// Why the method cannot solve the problem, or nothing where it can. A problem without data is judged by its kind alone.
std::optional<std::string> missing(const Recipe& recipe, const Problem& problem);

}  // namespace seesaw
