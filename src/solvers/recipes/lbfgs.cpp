// L-BFGS on P, with an exact line search on the scores.
//
//   paper (Nocedal 1980; Liu & Nocedal 1989)      here
//   m, pairs (s_k, y_k)                           `memory-pairs`, s = t d and the change of the gradient
//   H_k^0 = (s.y/|y|^2) I                         the same
//   Wolfe conditions                              the minimum along d, to a tenth of the initial derivative: P(x + t d)
//                                                 costs O(n), since the scores along the line are z + t A d
//
// One iteration costs one product by A, one by A^T and 8 m d multiplications, and is one pass. Smooth losses and softmax
// with l2.
#include "solvers/recipes/lbfgs.h"

#include <algorithm>

#include "model/penalty/unpenalized.h"
#include "solvers/engines/lbfgs.h"

namespace seesaw {
namespace {

struct LbfgsOptions {
  std::size_t memory_pairs = LbfgsSpec{}.pairs;
  void describe(OptionReader& reader) {
    reader.count("memory-pairs", memory_pairs,
                 "steps, with the changes of the gradient along them, that the approximate Hessian is made of; 8 bytes "
                 "per unknown each, so that the default is lower above 671,000 unknowns, at least 10");
  }
};

// The default number of pairs: at most 256 MB, 8 bytes per unknown and pair, but not fewer than 10.
std::size_t pairs_by_size(std::size_t unknowns) {
  constexpr std::size_t most = std::size_t{1} << 25;
  return std::clamp<std::size_t>(most / std::max<std::size_t>(unknowns, 1), 10, LbfgsSpec{}.pairs);
}

std::optional<std::string> lbfgs_unsupported(const Problem& problem) {
  if (problem.is_block() && !unpenalized_features(problem.penalty, problem.d()).empty())
    return "a scalar loss where a penalty factor is 0";
  return std::nullopt;
}

std::unique_ptr<Solver> make_lbfgs(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<LbfgsOptions>(spec);
  std::size_t pairs = options.memory_pairs;
  if (!spec.options.contains("memory-pairs")) pairs = pairs_by_size(problem.d() * problem.outputs());
  return make_lbfgs(problem, {.pairs = pairs}, start);
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
          .resumable = true,
          .over_ranks = true,
          .options = list_options<LbfgsOptions>(),
          .unsupported_reason = lbfgs_unsupported,
          .make = make_lbfgs};
}

}  // namespace seesaw
