// Primal AG: Nesterov's accelerated gradient, the batch method that Wang & Xiao 2017 compare with.
//
//   paper              here
//   L_f, eta           |C^(1/2) A|^2/gamma and its inverse
//   mu                 lambda, lambda + delta times the smallest eigenvalue of A^T C A, or a given number
//
// One iteration costs two products by A and is one pass. Smooth losses, nonsmooth ones by smoothing; any penalty, or
// none: without known strong convexity by increasing momentum. The restart is not in the paper: the data usually adds
// curvature to lambda.
#include "solvers/recipes/primal_ag.h"

#include "solvers/engines/accelerated_gradient.h"
#include "solvers/named_number.h"
#include "solvers/parts/steps/step_rule.h"
#include "solvers/parts/steps/strong_convexity.h"

namespace seesaw {
namespace {

struct PrimalAgOptions {
  StrongConvexity mu;
  bool restart = true;
  void describe(OptionReader& reader) {
    mu.describe(reader, "momentum");
    reader.on_off("restart", restart, "set the momentum to 0 in steps where it goes against the gradient");
  }
};

std::unique_ptr<Solver> make_primal_ag(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<PrimalAgOptions>(name_numbers(spec, {"mu"}));
  const double mu = options.mu.value(problem, spec, RowFacts(problem).bias_entry);
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
          .make = make_primal_ag};
}

}  // namespace seesaw
