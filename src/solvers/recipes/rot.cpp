// Rotation of few rows with many features into as many dimensions as there are rows, where Newton's method is cheap.
// That the solution lies in the span of the rows is the representer theorem (Kimeldorf & Wahba 1971); that P, D and y
// stay what they are under a rotation of the features is why the reduction costs no exactness (Hastie & Tibshirani
// 2004, for l2-penalized models by the singular value decomposition; here by the Cholesky factor, which is cheaper).
//
//   paper              here
//   X = R Q^T          A = L Q^T with A A^T = L L^T, so that Q^T = L^-1 A is never made
//   theta* = Q^T beta  u
//
// Smooth losses go to Newton, nonsmooth ones to the semismooth Newton method. Needs lambda > 0, no l1 (it is not invariant
// to rotation), and few rows: memory 2 n^2, time n^2 nnz/n / 2 + n^3 an iteration inside.
#include "solvers/recipes/rot.h"

#include <fmt/format.h>

#include "solvers/catalog.h"
#include "solvers/engines/rotation.h"

namespace seesaw {
namespace {

constexpr std::size_t most_rows = 3000;

// The method for the n x n problem.
std::string inner_method(const Problem& problem) { return problem.gamma() > 0 ? "newton" : "ssn"; }

struct RotOptions {
  void describe(OptionReader&) {}
};

std::optional<std::string> unsupported_reason(const Problem& problem) {
  if (problem.n() <= most_rows) return std::nullopt;
  return fmt::format("at most {} rows, and here there are {}", most_rows, problem.n());
}

std::optional<std::string> message(const Problem& problem, const SolverSpec&) {
  if (2 * problem.n() < problem.d()) return std::nullopt;
  return fmt::format(
      "works in as many dimensions as there are rows, {}, and pays where that is less than half of the "
      "features, here {}",
      problem.n(), problem.d());
}

std::unique_ptr<Solver> make(const Problem& problem, const SolverSpec& spec, const Start& start) {
  read_options<RotOptions>(spec);
  const auto inside = [seed = spec.seed](const Problem& rotated, const Start& begin) {
    return make_solver(rotated, {.name = inner_method(rotated), .options = {}, .seed = seed}, begin);
  };
  return make_rotation(problem, inside, start);
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
          .unsupported_reason = unsupported_reason,
          .message = message,
          .make = make};
}

}  // namespace seesaw
