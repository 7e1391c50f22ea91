// SVRG (Johnson & Zhang 2013; with a proximal step, Xiao & Zhang 2014) and Katyusha (Allen-Zhu 2017): snapshots.
//
//   papers               here
//   w~, x~               xs, the snapshot: the last point of a period (SVRG), a weighted mean (Katyusha)
//   mu~, grad f(x~)      s = sum_i c_i y_i a_i with y_i = phi_i'(a_i.xs)
//   m                    2n steps per period, and a full gradient: 3 passes
//   tau_1, tau_2         t1 = min(sqrt(step m lambda/L), 1/2), t2 = 1/2
//   alpha, 1 + alpha s   al = step/(t1 L), th = 1 + al lambda
//
// One step costs O(nnz(a_i)); Katyusha with l1: O(d), since its three coupled points then have no closed form. Smooth
// losses, nonsmooth ones by smoothing. SVRG: lambda may be 0 if the loss is smooth; Katyusha: lambda > 0.
#include "solvers/recipes/svrg.h"

#include <fmt/format.h>

#include "solvers/engines/gradient_snapshot.h"

namespace seesaw {
namespace {

// SVRG's paper has 0.1; 1/3 takes a third of the passes on data with little curvature, and converged in all our tests. A
// smoothed loss is linear on most rows, so that L is much larger than the actual curvature: SVRG then uses 1. Katyusha's
// 1/3 is its paper's.
struct SnapshotOptions : GradientSnapshotSpec {
  SnapshotOptions() { step = 0.333; }

  void describe(OptionReader& reader) {
    describe_draw(reader, draw);
    reader.number("step", step, above_zero,
                  "step size in units of 1/L, L the largest smoothness constant of a row's term");
  }
};

template <Momentum which>
std::unique_ptr<Solver> make_svrg(const Problem& problem, const SolverSpec& spec, const Start& start) {
  auto options = read_options<SnapshotOptions>(spec);
  if (which == Momentum::none && problem.gamma() == 0 && !spec.options.contains("step")) options.step = 1;
  options.momentum = which;
  options.seed = spec.seed;
  return make_gradient_snapshot(problem, options, start);
}

std::optional<std::string> cost_of_l1(const Problem& problem, const SolverSpec&) {
  if (problem.penalty.l1() == 0) return std::nullopt;
  const double d = static_cast<double>(problem.d()),
               entries = static_cast<double>(problem.data->nnz) / static_cast<double>(problem.n());
  if (d < 4 * entries) return std::nullopt;
  return fmt::format(
      "updates all {:.0f} features in every step if l1 > 0, and a row has only {:.3g} of them: about {:.0f} times the "
      "work of saga or svrg, whose updates are deferred; the gap is checked only after periods of three passes",
      d, entries, d / entries);
}

}  // namespace

Recipe svrg_recipe() {
  return {.name = "svrg",
          .summary = "gradient steps of single rows, corrected by the full gradient at a snapshot; lambda may be 0",
          .paper = "Johnson & Zhang 2013 (NIPS 26), Figure 1, option I; Xiao & Zhang 2014 for the proximal step",
          .engine = "gradient_snapshot",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda_or_smooth_loss},
          .options = list_options<SnapshotOptions>(),
          .make = make_svrg<Momentum::none>};
}

Recipe katyusha_recipe() {
  return {.name = "katyusha",
          .summary = "accelerated variance-reduced gradient: SVRG with momentum towards the snapshot",
          .paper = "Allen-Zhu 2017 (STOC), Algorithm 1",
          .engine = "gradient_snapshot",
          .cost = "O(nnz(a_i)), with l1 O(d)",
          .needs = {.curvature = Need::lambda},
          .options = list_options<SnapshotOptions>(),
          .message = cost_of_l1,
          .make = make_svrg<Momentum::katyusha>};
}

}  // namespace seesaw
