// Newton's method on P, with a linear solver that depends on the data: an assembled Hessian and its Cholesky factor (few
// features), or conjugate gradients with Hessian-vector products, preconditioned by the Hessian of a sample of the rows,
// by the diagonal, or by the exact block of the features with the largest diagonal.
//
//   paper                                                       here
//   truncated Newton, forcing terms (Dembo & Steihaug 1983)     eta of |H p + g| <= eta |g|
//   trust region Newton for linear models (Lin et al. 2008)     H p as A^T (W (A p)), here in one pass over the rows
//   sub-sampled Hessians (Byrd et al. 2011; Roosta & Mahoney)   as a preconditioner: the steps are exact
//   iterative sketching of samples (Daneshmand et al. 2016)     the start on samples of growing size
//
// Softmax has its own engine (block_newton.h): all unknowns of all classes in one step, by conjugate gradients.
//
// A step costs an assembly, O(sum r_i^2) or O(n d^2), and O(d^3); or some products, O(nnz) each. Losses with curvature;
// l2, or no penalty if the data determines x.
#include "solvers/recipes/newton.h"

#include <fmt/format.h>

#include "model/penalty/unpenalized.h"
#include "seesaw/error.h"
#include "solvers/engines/block_newton.h"
#include "solvers/engines/least_squares.h"
#include "solvers/engines/newton.h"
#include "solvers/parts/newton/newton_plan.h"

namespace seesaw {
namespace {

enum class System { automatic, cholesky, sampled, diagonal, block };
enum class Begin { automatic, plain, sampled };
enum class Preconditioner { by_size, whole, classes, diagonal };

struct NewtonOptions {
  System system = System::automatic;
  Begin start = Begin::automatic;
  Preconditioner preconditioner = Preconditioner::by_size;
  void describe(OptionReader& reader) {
    reader.choice("system", system, {"auto", "cholesky", "sampled", "diagonal", "block"},
                  "how the linear system of a step is solved: by a Cholesky factor of the Hessian, or by conjugate "
                  "gradients preconditioned by the Hessian of a sample, the diagonal, or a block of the Hessian");
    reader.choice("start", start, {"auto", "plain", "sampled"},
                  "whether the first steps are taken on samples of the rows");
    reader.choice("preconditioner", preconditioner, {"auto", "whole", "classes", "diagonal"},
                  "softmax: the preconditioner of conjugate gradients: the whole Hessian, the block of each class, or "
                  "the diagonal; auto: by the number of features and classes");
  }
};

constexpr std::size_t max_unknowns_without_penalty = 4000;  // limit of the certificate

std::optional<std::string> newton_unsupported(const Problem& problem) {
  const bool unpenalized = !unpenalized_features(problem.penalty, problem.d()).empty();
  if (unpenalized && problem.is_block()) return "a scalar loss where a penalty factor is 0";
  if (problem.penalty.l2() > 0) return std::nullopt;
  const std::size_t unknowns = problem.d() + (problem.free_intercept() ? 1 : 0);
  if (unknowns > max_unknowns_without_penalty)
    return fmt::format("lambda > 0 if there are more than {} features", max_unknowns_without_penalty);
  if (problem.all_rows() < unknowns) return "lambda > 0 if there are fewer rows than unknowns";
  return std::nullopt;
}

std::unique_ptr<Solver> make_for_softmax(const Problem& problem, const NewtonOptions& options, const Start& start) {
  BlockNewtonSpec engine;
  if (options.preconditioner != Preconditioner::by_size)
    engine.blocks = static_cast<ClassBlocks>(static_cast<int>(options.preconditioner) - 1);
  return make_block_newton(problem, engine, start);
}

std::unique_ptr<Solver> make_of_rows(const Problem& problem, const NewtonOptions& options, const Costs& costs,
                                     const Start& start) {
  NewtonPlan plan{SystemKind::cholesky, false, 0};
  if (options.system == System::automatic || options.start == Begin::automatic)
    plan = plan_newton(newton_facts(problem), costs);
  if (options.system != System::automatic) {
    plan.system = static_cast<SystemKind>(static_cast<int>(options.system) - 1);
    plan.sampled_start = plan.sampled_start && plan.system == SystemKind::cholesky;
  }
  if (options.start != Begin::automatic) plan.sampled_start = options.start == Begin::sampled;
  return make_newton(problem, {.system = plan.system, .sampled_start = plan.sampled_start}, start);
}

std::unique_ptr<Solver> make_newton(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<NewtonOptions>(spec);
  if (problem.is_block()) {
    refuse_given(spec, {"system", "start"}, "it needs a scalar loss; softmax has `preconditioner`");
    return make_for_softmax(problem, options, start);
  }
  refuse_given(spec, {"preconditioner"}, "it needs the loss softmax; scalar losses have `system`");
  const auto by_rows = [&problem, options, costs = spec.costs, start] {
    return make_of_rows(problem, options, costs, start);
  };
  if (options.system == System::automatic)
    if (auto by_moments = make_least_squares(problem, start, by_rows)) return by_moments;
  return by_rows();
}

}  // namespace

Recipe newton_recipe() {
  return {.name = "newton",
          .summary = "Newton's method on P: an assembled and factored Hessian, or preconditioned conjugate gradients",
          .paper = "Dembo & Steihaug 1983; Lin, Weng & Keerthi 2008; Byrd et al. 2011 (sampled Hessians)",
          .engine = "newton",
          .cost = "O(sum r_i^2 + d^3), or O(nnz) per product",
          .needs = {.smooth_loss = true,
                    .no_l1 = true,
                    .of_numbers = "without a penalty at most as many unknowns as rows, and at most 4000"},
          .features = {.unpenalized = true},
          .block_losses = true,
          .random = false,
          .resumable = true,
          .over_ranks = true,
          .options = list_options<NewtonOptions>(),
          .unsupported_reason = newton_unsupported,
          .make = make_newton};
}

}  // namespace seesaw
