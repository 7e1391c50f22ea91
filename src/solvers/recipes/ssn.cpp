// SSN: semismooth Newton inside a proximal point method on the dual, for nonsmooth losses (Li, Sun & Toh 2018 for the
// lasso, Yin & Li 2019 for support vector machines; exact line search as in Mangasarian 2002).
//
//   papers                    here
//   sigma_k                   1/gamma, in the stage k
//   the multiplier of stage k y0
//   generalized Jacobian      H, of the free rows
//
// A Newton step costs a product with the working set, an update of H by the rows that entered or left the free set, and a
// Cholesky factorization of size min(d, free rows). The number of steps depends little on lambda, so this method suits
// large C. Hinge, absolute, quantile, epsilon-insensitive; l2.
#include "solvers/recipes/ssn.h"

#include <fmt/format.h>

#include "solvers/engines/semismooth_newton.h"
#include "solvers/parts/newton/face_system.h"

namespace seesaw {
namespace {

struct SsnOptions {
  double factor = 0.3;
  bool working_set = true;
  void describe(OptionReader& reader) {
    reader.number("factor", factor, between_0_and_1,
                  "the smoothing of a stage, relative to that of the previous stage");
    reader.on_off("working-set", working_set,
                  "Newton steps use only the rows close to the nonsmooth points of their losses");
  }
};

std::optional<std::string> ssn_unsupported(const Problem& problem) {
  constexpr std::size_t limit = FaceSystem::most_unknowns;
  if (problem.d() <= limit || problem.all_rows() <= limit) return std::nullopt;
  return fmt::format("at most {} features or at most {} rows, and here there are {} and {}", limit, limit, problem.d(),
                     problem.all_rows());
}

std::unique_ptr<Solver> make_ssn(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<SsnOptions>(spec);
  return make_semismooth_newton(
      problem, {.factor = options.factor, .working_set = options.working_set, .seed = spec.seed}, start);
}

}  // namespace

Recipe ssn_recipe() {
  return {.name = "ssn",
          .summary = "semismooth Newton with proximal smoothing, for nonsmooth losses and few features or rows",
          .paper = "Li, Sun & Toh 2018; Yin & Li 2019; exact line search: Mangasarian 2002",
          .engine = "semismooth_newton",
          .cost = "O(nnz of the working set + min(d, free rows)^3)",
          .needs = {.curvature = Need::lambda,
                    .nonsmooth_loss = true,
                    .no_l1 = true,
                    .of_numbers = fmt::format("d or n at most {}", FaceSystem::most_unknowns)},
          .exact_nonsmooth = true,
          .resumable = true,
          .over_ranks = true,
          .options = list_options<SsnOptions>(),
          .unsupported_reason = ssn_unsupported,
          .make = make_ssn};
}

}  // namespace seesaw
