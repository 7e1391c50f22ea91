// cdcg: dual coordinate descent (Hsieh et al. 2008) alternating with conjugate gradients on the face of the free
// variables, as in More and Toraldo (1991) for bound-constrained quadratic problems, with coordinate descent in place of
// gradient projection.
//
//   papers                             here
//   alpha_i (Hsieh et al.)             p_i = -b_i y_i c_i / lambda for classification losses
//   f, its face and its free set       -D, the rows whose y_i is inside its domain
//   reduced problem, CG                parts/dual/face.h
//   decrease per iteration compared    gain of D per entry of A read
//
// A pass costs O(nnz); a step of conjugate gradients two products over the free rows. l2 with lambda > 0, every scalar
// loss except the logistic one. For many sparse features and ill-conditioned problems: lambda n < mean |a_i|^2.
#include "solvers/recipes/cdcg.h"

#include "solvers/engines/dual_face.h"

namespace seesaw {
namespace {

struct CdcgOptions : DualFaceOptions {
  void describe(OptionReader& reader) {
    reader.count("burst", burst, "passes of coordinate steps between two face steps");
    reader.count("cg-steps", face.steps, "maximum number of conjugate gradient steps per face");
  }
};

std::unique_ptr<Solver> make_cdcg(const Problem& problem, const SolverSpec& spec, const Start& start) {
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
      .make = make_cdcg};
}

}  // namespace seesaw
