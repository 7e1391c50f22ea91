// cdcg: dual coordinate descent (Hsieh et al. 2008) that alternates with conjugate gradients on the face of the free
// variables, as More and Toraldo (1991) do for quadratic problems with bounds with gradient projection in the place of
// coordinate descent.
//
//   papers                             here
//   alpha_i (Hsieh et al.)             p_i = -b_i y_i c_i / lambda for the losses of classes
//   f, its face and its free set       -D, the rows whose y_i is inside its domain
//   reduced problem, CG                parts/dual/face.h
//   decrease per iteration compared    gain of D per entry of A touched
//
// A pass costs O(nnz); a step of conjugate gradients two products over the free rows. l2 with lambda > 0, every loss of
// one score but the logistic. For many sparse features and lambda n below the mean |a_i|^2.
#include "solvers/recipes/cdcg.h"

#include "solvers/engines/dual_face.h"

namespace seesaw {
namespace {

struct CdcgOptions : DualFaceOptions {
  void describe(OptionReader& reader) {
    reader.count("burst", burst, "passes of coordinate steps between two steps on a face");
    reader.count("cg-steps", face.steps, "conjugate gradient steps on a face, at most");
  }
};

std::unique_ptr<Solver> make(const Problem& problem, const SolverSpec& spec, const Start& start) {
  auto options = read_options<CdcgOptions>(spec);
  options.seed = spec.seed;
  return std::make_unique<DualFace>(problem, options, start);
}

}  // namespace

Recipe cdcg_recipe() {
  return {
      .name = "cdcg",
      .summary =
          "dual coordinate descent with conjugate gradients on the face of the free rows: many features, large C",
      .paper = "Hsieh et al. 2008 (ICML), Algorithm 1, with faces as in More & Toraldo 1991 (SIAM J. Optim. 1), GPCG",
      .engine = "dual_face",
      .cost = "O(nnz(a_i)); on a face O(nnz of its rows)",
      .needs = {.curvature = Need::lambda, .quadratic_dual = true, .no_l1 = true},
      .exact_nonsmooth = true,
      .options = list_options<CdcgOptions>(),
      .make = make};
}

}  // namespace seesaw
