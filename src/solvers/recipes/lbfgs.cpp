// L-BFGS on P, with an exact line search on the scores.
//
//   paper (Nocedal 1980; Liu & Nocedal 1989)      here
//   m, pairs (s_k, y_k)                           `memory-pairs`, s = t d and the change of the gradient
//   H_k^0 = (s.y/|y|^2) I                         the same
//   Wolfe conditions                              the minimum along d, to a tenth of the initial derivative: P(x + t d)
//                                                 costs O(n), since the scores along the line are z + t A d
//
// One iteration costs one product by A, one by A^T and 8 m d multiplications, and is one pass. Smooth losses and softmax;
// l2, or no penalty if the data determines x.
#include "solvers/recipes/lbfgs.h"

#include <fmt/format.h>

#include "model/penalty/unpenalized.h"
#include "solvers/engines/lbfgs.h"

namespace seesaw {
namespace {

struct LbfgsOptions {
  std::size_t memory_pairs = LbfgsSpec{}.pairs;
  double flat = LbfgsSpec{}.flat;
  void describe(OptionReader& reader) {
    reader.count("memory-pairs", memory_pairs,
                 "pairs of steps and gradient changes that the approximation of the Hessian is made of");
    reader.number("flat", flat, between_0_and_1, "experiment");
  }
};

std::optional<std::string> unsupported_reason(const Problem& problem) {
  if (problem.block_loss && !unpenalized_features(problem.penalty, problem.d()).empty())
    return "a scalar loss where a penalty factor is 0";
  return std::nullopt;
}

std::unique_ptr<Solver> make(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<LbfgsOptions>(spec);
  return make_lbfgs(problem, {.pairs = options.memory_pairs, .flat = options.flat}, start);
}

}  // namespace

Recipe lbfgs_recipe() {
  return {.name = "lbfgs",
          .summary = "L-BFGS on P: quasi-Newton steps from the last gradients, exact line search on the scores",
          .paper = "Nocedal 1980; Liu & Nocedal 1989",
          .engine = "lbfgs",
          .cost = "O(nnz + m d)",
          .needs = {.curvature = Need::lambda, .smooth_loss = true, .no_l1 = true},
          .features = {.unpenalized = true},
          .block_losses = true,
          .random = false,
          .options = list_options<LbfgsOptions>(),
          .unsupported_reason = unsupported_reason,
          .make = make};
}

}  // namespace seesaw
