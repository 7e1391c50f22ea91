// SAGA (Defazio, Bach & Lacoste-Julien 2014) and SAG (Schmidt, Le Roux & Bach 2017): a table of derivatives.
//
//   papers            here
//   f_i'(phi_i)       y_i a_i: linear models need one number per row
//   1/n sum f_i'      s = sum_i c_i y_i a_i, weights c_i in place of 1/n
//   gamma, alpha      eta = step/L, L = max_i n c_i |a_i|^2/gamma + lambda; h(x), and in SAG lambda too, by its prox
//
// One step costs O(nnz(a_i)); memory O(n + d). Smooth losses, nonsmooth ones by smoothing; lambda may be 0 if the loss is
// smooth.
#include "solvers/recipes/saga.h"

#include "solvers/engines/gradient_table.h"

namespace seesaw {
namespace {

// SAGA: the step 1/3 is that of its theory; a random permutation per pass needs between half of and as many passes as
// draws with replacement (measured). SAG: proved for 1/16; its authors use 1. It needs draws with replacement: with
// permutations its bias accumulates, and it diverges even with a third of the step (measured).
template <Direction which>
struct TableOptions : GradientTableSpec {
  TableOptions() {
    direction = which;
    step = which == Direction::saga ? 0.333 : 1;
    draw = which == Direction::saga ? Draw::permutation : Draw::iid;
  }

  void describe(OptionReader& reader) {
    describe_draw(reader, draw);
    reader.number("step", step, above_zero,
                  "step size in units of 1/L, L the largest smoothness constant of a row's term");
  }
};

template <Direction which>
std::unique_ptr<Solver> make_saga(const Problem& problem, const SolverSpec& spec, const Start& start) {
  auto options = read_options<TableOptions<which>>(spec);
  if (which == Direction::saga && problem.gamma() == 0 && !spec.options.contains("step")) options.step = 0.5;
  options.seed = spec.seed;
  return make_gradient_table(problem, options, start);
}

std::optional<std::string> warn_of_permutation(const Problem&, const SolverSpec& spec) {
  const auto draw = spec.options.find("draw");
  if (draw == spec.options.end() || draw->second != "permutation") return std::nullopt;
  return "may not converge with `draw` permutation: its steps are biased, and with permutations the bias accumulates";
}

}  // namespace

Recipe saga_recipe() {
  return {.name = "saga",
          .summary = "incremental gradient with a table of derivatives, unbiased; lambda may be 0",
          .paper = "Defazio, Bach & Lacoste-Julien 2014 (NIPS 27), section 2",
          .engine = "gradient_table",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda_or_smooth_loss},
          .features = {.bounds = true, .l1_factors = true},
          .options = list_options<TableOptions<Direction::saga>>(),
          .make = make_saga<Direction::saga>};
}

Recipe sag_recipe() {
  return {.name = "sag",
          .summary = "stochastic average gradient: a table of derivatives, steps along their mean; lambda may be 0",
          .paper = "Schmidt, Le Roux & Bach 2017 (Math. Program. 162), Algorithm 1",
          .engine = "gradient_table",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda_or_smooth_loss},
          .options = list_options<TableOptions<Direction::sag>>(),
          .instead = "saga, or a smaller `step`",
          .message = warn_of_permutation,
          .make = make_saga<Direction::sag>};
}

}  // namespace seesaw
