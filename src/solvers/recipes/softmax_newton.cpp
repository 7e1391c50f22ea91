// Newton's method for softmax: all weights of all classes in one step, by preconditioned conjugate gradients (truncated
// Newton, Dembo & Steihaug 1983; for regularized linear models Lin, Weng & Keerthi 2008).
//
//   papers             here
//   f, g, H            P, its gradient, its second derivative: softmax_hessian.h
//   eta_k              min(1/4, sqrt(|g|/|g_0|)), but not below what the gap that is wanted allows
//   C                  1/(lambda n)
//
// A CG step costs two products by A with K numbers a row; memory 8 vectors of d K numbers and the preconditioner. Needs
// softmax and an l2 penalty.
#include "solvers/recipes/softmax_newton.h"

#include "solvers/engines/block_newton.h"

namespace seesaw {
namespace {

enum class Preconditioner { by_size, whole, classes, diagonal };

struct SoftmaxNewtonOptions {
  Preconditioner preconditioner = Preconditioner::by_size;
  void describe(OptionReader& reader) {
    reader.choice(
        "preconditioner", preconditioner, {"auto", "whole", "classes", "diagonal"},
        "the part of the Hessian that conjugate gradients are helped by: all of it, the block of each class, or "
        "its diagonal; auto: by the number of features and classes");
  }
};

std::unique_ptr<Solver> make(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<SoftmaxNewtonOptions>(spec);
  BlockNewtonSpec engine;
  if (options.preconditioner == Preconditioner::whole) engine.blocks = ClassBlocks::whole;
  if (options.preconditioner == Preconditioner::classes) engine.blocks = ClassBlocks::classes;
  if (options.preconditioner == Preconditioner::diagonal) engine.blocks = ClassBlocks::diagonal;
  return make_block_newton(problem, engine, start);
}

}  // namespace

Recipe softmax_newton_recipe() {
  return {.name = "softmax-newton",
          .summary = "Newton's method for softmax, all classes at once, by preconditioned conjugate gradients",
          .paper = "Dembo & Steihaug 1983; Lin, Weng & Keerthi 2008 (JMLR 9)",
          .engine = "block_newton",
          .cost = "O(K nnz) a step of conjugate gradients",
          .needs = {.curvature = Need::lambda, .smooth_loss = true, .no_l1 = true},
          .block_losses = true,
          .scalar_losses = false,
          .random = false,
          .options = list_options<SoftmaxNewtonOptions>(),
          .make = make};
}

}  // namespace seesaw
