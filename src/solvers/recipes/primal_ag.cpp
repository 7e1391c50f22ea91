// Primal AG: Nesterov's accelerated gradient, the batch method that Wang & Xiao 2017 compare with.
//
//   paper              here
//   L_f, eta           |C^(1/2) A|^2/gamma and its inverse
//   mu                 lambda, or lambda + delta times the smallest eigenvalue of A^T C A
//
// One iteration costs two products by A and is one pass. Smooth losses, nonsmooth ones by smoothing; any penalty, or
// none: without known strong convexity by increasing momentum. The restart is not in the paper: the data usually adds
// curvature to lambda.
#include "solvers/recipes/primal_ag.h"

#include <fmt/format.h>

#include "seesaw/error.h"
#include "solvers/engines/accelerated_gradient.h"
#include "solvers/parts/steps/data_curvature.h"
#include "solvers/parts/steps/step_rule.h"

namespace seesaw {
namespace {

enum class Mu { lambda, data };

struct PrimalAgOptions {
  Mu mu = Mu::lambda;
  bool restart = true;
  void describe(OptionReader& reader) {
    reader.choice("mu", mu, {"lambda", "data"},
                  "the strong convexity that determines the momentum: lambda, or lambda plus that of the squared loss "
                  "on the data");
    reader.on_off("restart", restart, "set the momentum to 0 in steps where it goes against the gradient");
  }
};

std::unique_ptr<Solver> make(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<PrimalAgOptions>(spec);
  double mu = problem.penalty.l2();
  if (options.mu == Mu::data) {
    const double delta = delta_of(problem.scalar().loss);
    if (delta == 0)
      throw InvalidOption(
          "mu", "data",
          fmt::format("the loss {} is not strongly convex, so the data adds nothing; omit it", problem.kind->name));
    if (const auto reason = data_curvature_unsupported(problem))
      throw InvalidOption("mu", "data", "it needs " + *reason + "; omit it");
    mu += delta * data_curvature(problem, RowFacts(problem).bias_entry);
  }
  return make_accelerated_gradient(problem, {.mu = mu, .restart = options.restart}, start);
}

}  // namespace

Recipe primal_ag_recipe() {
  return {.name = "primal-ag",
          .summary = "Nesterov's accelerated gradient on P: full gradient, proximal step, momentum",
          .paper = "Nesterov 2004; Beck & Teboulle 2009 (FISTA); restart: O'Donoghue & Candes 2015",
          .engine = "accelerated_gradient",
          .cost = "O(nnz)",
          .needs = {.curvature = Need::penalty_or_smooth_loss},
          .random = false,
          .options = list_options<PrimalAgOptions>(),
          .make = make};
}

}  // namespace seesaw
