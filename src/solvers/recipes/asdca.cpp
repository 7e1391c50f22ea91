// SDCA inside an accelerated outer loop: `asdca` (Shalev-Shwartz & Zhang 2016) and `catr`, Catalyst (Lin, Mairal &
// Harchaoui 2015) with restart, which is ours.
//
//   paper                     here
//   alpha_i                   -y_i
//   kappa                     K R^2/(gamma n) - lambda, theirs for K = 1
//   eta, beta (ASDCA)         h = sqrt(mu/(mu + kappa)), beta = (1-h)/(1+h), with mu = lambda/2
//   q, alpha_k (Catalyst)     the same with mu = lambda: alpha_k = sqrt(q) throughout
//   y_k (Catalyst)            the center of the outer term
//
// Both papers solve each problem of the outer loop to an increasing precision; m = 2 passes are sufficient. Restart is by
// the gradient (O'Donoghue & Candes): momentum computed from lambda is too large if the data adds curvature.
//
// One step costs O(nnz(a_i)). lambda > 0; nonsmooth losses are smoothed.
#include "solvers/recipes/asdca.h"

#include "solvers/recipes/outer_loop_options.h"

namespace seesaw {
namespace {

struct AsdcaOptions : OuterLoopOptions {
  AsdcaOptions() { loop = {.mu = 0.5, .restart = false}; }
  void describe(OptionReader& reader) { OuterLoopOptions::describe(reader, above_zero); }
};

struct CatrOptions : OuterLoopOptions {
  void describe(OptionReader& reader) { OuterLoopOptions::describe(reader, above_zero); }
};

template <class Options>
std::unique_ptr<Solver> make_asdca(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<Options>(spec);
  refuse_restart_without_momentum(options.loop, spec);
  auto inner = make_dual_ascent(
      problem, {.draw = options.draw, .shrink = false, .extrapolate = false, .seed = spec.seed}, start);
  return std::make_unique<ProximalPoint>(problem, options.loop, std::move(inner), start);
}

}  // namespace

Recipe asdca_recipe() {
  return {.name = "asdca",
          .summary = "accelerated SDCA: an outer proximal point loop with momentum",
          .paper = "Shalev-Shwartz & Zhang 2016 (Math. Programming 155), with a fixed number of inner passes",
          .engine = "dual_ascent",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .options = list_options<AsdcaOptions>(),
          .make = make_asdca<AsdcaOptions>};
}

Recipe catr_recipe() {
  return {.name = "catr",
          .summary = "accelerated (Catalyst) dual coordinate ascent with restarts, for small lambda",
          .paper = "Lin, Mairal & Harchaoui 2015 (NIPS), Algorithm 1 over SDCA; the restart is ours",
          .engine = "dual_ascent",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .options = list_options<CatrOptions>(),
          .make = make_asdca<CatrOptions>};
}

}  // namespace seesaw
