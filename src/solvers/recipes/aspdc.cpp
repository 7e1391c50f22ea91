// ASPDC and ASPDC-i (Liang et al. 2022): dual ascent by derivative steps, alone (Algorithm 1) and inside an outer loop
// (Algorithm 2 as printed, Algorithm 3 as implemented).
//
//   paper              here
//   w, alpha_i         x, y_i
//   lambda, kappa      the same; their rows have norm 1, ours R: kappa + lambda = K R^2/(gamma n)
//   w tilde            the center of the outer term
//   eta, xi_s          the same (parts/dual/proximal_point.h)
//
// The derivative step is SDCA's exact step over-relaxed by up to 1 + 1/c: like every over-relaxation it converges for
// factors below 2, that is for c = lambda n gamma/R^2 > 1. The paper proves it for c >= 4. Despite their names neither
// algorithm has momentum; it is an option of ASPDC-i.
//
// One step costs O(nnz(a_i)). lambda > 0. ASPDC: a smooth loss; ASPDC-i smooths nonsmooth ones.
#include "solvers/recipes/aspdc.h"

#include <fmt/format.h>

#include "solvers/parts/dual/conditioning.h"
#include "solvers/recipes/outer_loop_options.h"

namespace seesaw {
namespace {

std::unique_ptr<DualAscent> derivative_ascent(const Problem& problem, Draw draw, std::uint64_t seed,
                                              const Start& start) {
  return make_dual_ascent(
      problem, {.draw = draw, .shrink = false, .extrapolate = false, .step = RowStep::derivative, .seed = seed}, start);
}

struct AspdcOptions {
  Draw draw = Draw::permutation;

  void describe(OptionReader& reader) { describe_draw(reader, draw); }
};

std::optional<std::string> conditioning_unsupported(const Problem& problem) {
  const double c = conditioning(problem);
  if (c > 1) return std::nullopt;
  return fmt::format("c = lambda n gamma/R^2 > 1, and here c = {:.3g} (use `lambda` above {:.3g}, or aspdc-i)", c,
                     problem.penalty.l2() / c);
}

std::optional<std::string> conditioning_message(const Problem& problem, const SolverSpec&) {
  const double c = conditioning(problem);
  if (!(c > 1 && c < 4)) return std::nullopt;
  return fmt::format("is proved to converge only for c = lambda n gamma/R^2 >= 4, and here c = {:.3g}; sdca is faster",
                     c);
}

std::unique_ptr<Solver> make_aspdc(const Problem& problem, const SolverSpec& spec, const Start& start) {
  return derivative_ascent(problem, read_options<AspdcOptions>(spec).draw, spec.seed, start);
}

constexpr OptionReader::Allowed above_one = {"a number above 1", [](double v) { return v > 1; }};

struct AspdcInnerOptions : OuterLoopOptions {
  AspdcInnerOptions() { loop = {.K = 4, .momentum = false, .mu = 0.5}; }

  void describe(OptionReader& reader) {
    OuterLoopOptions::describe(reader, above_one);
    reader.choice(
        "schedule", loop.schedule, {"fixed", "precision"},
        "when the center moves: after a fixed number of inner passes (Algorithm 3), or at a precision (Algorithm 2)");
  }
};

std::unique_ptr<Solver> make_aspdc_i(const Problem& problem, const SolverSpec& spec, const Start& start) {
  auto options = read_options<AspdcInnerOptions>(spec);
  // A smoothed loss makes kappa large; without momentum the center then moves slowly.
  if (!spec.options.contains("momentum")) options.loop.momentum = problem.gamma() == 0;
  refuse_restart_without_momentum(options.loop, spec);
  if (const auto given = spec.options.find("inner-passes");
      given != spec.options.end() && options.loop.schedule == Schedule::precision)
    throw InvalidOption("inner-passes", given->second, "it needs `schedule` fixed");
  return std::make_unique<ProximalPoint>(problem, options.loop,
                                         derivative_ascent(problem, options.draw, spec.seed, start), start);
}

}  // namespace

Recipe aspdc_recipe() {
  return {.name = "aspdc",
          .summary = "dual ascent by derivative steps y_i = phi_i'(a_i.x): over-relaxed SDCA, for large lambda",
          .paper = "Liang et al. 2022 (Electronics 11), Algorithm 1",
          .engine = "dual_ascent",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda, .smooth_loss = true, .of_numbers = "c = lambda n gamma/R^2 > 1"},
          .options = list_options<AspdcOptions>(),
          .instead = "sdca, whose steps are exact, or aspdc-i",
          .unsupported_reason = conditioning_unsupported,
          .message = conditioning_message,
          .make = make_aspdc};
}

Recipe aspdc_i_recipe() {
  return {.name = "aspdc-i",
          .summary = "derivative steps inside an outer proximal point loop, for small lambda",
          .paper = "Liang et al. 2022 (Electronics 11), Algorithm 3; Algorithm 2 by `schedule` precision",
          .engine = "dual_ascent",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .options = list_options<AspdcInnerOptions>(),
          .make = make_aspdc_i};
}

}  // namespace seesaw
