// Rotation of few rows with many features into n dimensions, where Newton's method is cheap. The solution is in the span
// of the rows by the representer theorem (Kimeldorf & Wahba 1971). P, D and y are invariant under a rotation of the
// features, so the reduction is exact (Hastie & Tibshirani 2004, for l2-penalized models by the singular value
// decomposition; here by the Cholesky factor, which is cheaper).
//
//   paper              here
//   X = R Q^T          A = L Q^T with A A^T = L L^T, Q^T = L^-1 A is not formed
//   theta* = Q^T beta  u
//
// Smooth losses are solved by newton, nonsmooth ones by ssn. Needs lambda > 0, no l1 (it is not invariant under rotation),
// and few rows: memory 2 n^2, time n nnz / 2, and n^3 per inner iteration.
#include "solvers/recipes/rot.h"

#include <fmt/format.h>

#include "solvers/catalog.h"
#include "solvers/engines/rotation.h"

namespace seesaw {
namespace {

constexpr std::size_t max_rows = 3000;

// The method for the n x n problem.
std::string inner_method(const Problem& problem) { return problem.gamma() > 0 ? "newton" : "ssn"; }

struct RotOptions {
  void describe(OptionReader&) {}
};

std::optional<std::string> rot_unsupported(const Problem& problem) {
  if (problem.n() <= max_rows) return std::nullopt;
  return fmt::format("at most {} rows, and here there are {}", max_rows, problem.n());
}

std::optional<std::string> message(const Problem& problem, const SolverSpec&) {
  if (2 * problem.n() < problem.d()) return std::nullopt;
  return fmt::format(
      "reduces the problem to as many dimensions as there are rows, {}; this is useful for less than half as many rows "
      "as features, here {}",
      problem.n(), problem.d());
}

std::unique_ptr<Solver> make_rot(const Problem& problem, const SolverSpec& spec, const Start& start) {
  read_options<RotOptions>(spec);
  const auto make_inner = [seed = spec.seed](const Problem& rotated, const Start& begin) {
    return make_solver(rotated, {.name = inner_method(rotated), .options = {}, .seed = seed}, begin);
  };
  return make_rotation(problem, make_inner, start);
}

}  // namespace

Recipe rot_recipe() {
  return {.name = "rot",
          .summary = "few rows, many features: rotated into n dimensions, solved there, and mapped back",
          .paper = "Kimeldorf & Wahba 1971; Hastie & Tibshirani 2004 (Biostatistics 5)",
          .engine = "rotation",
          .cost = "O(n nnz) once, then that of Newton's method on n rows of n",
          .needs = {.curvature = Need::lambda, .no_l1 = true, .of_numbers = "at most 3000 rows"},
          .exact_nonsmooth = true,
          .random = false,
          .options = list_options<RotOptions>(),
          .unsupported_reason = rot_unsupported,
          .message = message,
          .make = make_rot};
}

}  // namespace seesaw
