// Working sets: P over a set of features that contains the support, which is small unless l1 is small, and a proof that
// the other coefficients are 0.
//
//   papers                        here
//   lambda, n                     l1 (and lambda for the elastic net), normalized weights c_i in place of 1/n
//   theta, a dual point           y_i = phi_i'(z_i), scaled into |v_j| <= l1
//   d_j(theta)                    (l1 - |v_j|)/|a_j|_c, the priority of feature j
//
// The sets follow Johnson & Guestrin (2015) and Massias, Gramfort & Salmon (2018), the screening Ndiaye et al. (2017);
// the proximal Newton step with an inexact model is that of Lee, Sun & Saunders (2014), coordinate descent on a Gram
// matrix that of Friedman, Hastie & Tibshirani (2010), the step on a face of fixed signs that of Lee et al. (2007).
// An epoch costs a product by A^T and a problem in |W| unknowns. Nonsmooth losses are smoothed around a dual point
// that moves, as in ssn (engines/proximal_working_set.h). Needs l1 > 0.
#include "solvers/recipes/ws.h"

#include "solvers/engines/least_squares.h"
#include "solvers/engines/proximal_working_set.h"
#include "solvers/engines/working_set.h"

namespace seesaw {
namespace {

enum class Path { automatic, on, off };

struct WsOptions {
  Path path = Path::automatic;
  bool screening = true;
  void describe(OptionReader& reader) {
    reader.choice(
        "path", path, {"auto", "on", "off"},
        "start with a larger l1 and decrease it, so that the working sets grow; auto: with more than 1000 features");
    reader.on_off("screening", screening, "drop features whose coefficients are proved to be 0 while it runs");
  }
};

std::unique_ptr<Solver> make_ws(const Problem& problem, const SolverSpec& spec, const Start& start) {
  const auto options = read_options<WsOptions>(spec);
  const bool path = options.path == Path::on || (options.path == Path::automatic && problem.d() > 1000);
  const WorkingSetSpec sets{.path = path, .screen = options.screening};
  if (options.path != Path::on) {
    const auto by_rows = [&problem, sets, start] { return make_working_set(problem, sets, start); };
    if (auto by_moments = make_least_squares(problem, start, by_rows)) return by_moments;
  }
  if (problem.gamma() == 0) return make_proximal_working_set(problem, sets, start);
  return make_working_set(problem, sets, start);
}

}  // namespace

Recipe ws_recipe() {
  return {.name = "ws",
          .summary = "working sets of features for l1: proximal Newton steps on a few features, screening of the rest",
          .paper = "Johnson & Guestrin 2015; Massias, Gramfort & Salmon 2018; screening: Ndiaye et al. 2017",
          .engine = "working_set",
          .cost = "O(nnz) and a problem in the working set",
          .needs = {.curvature = Need::l1},
          .features = {.bounds = true, .l1_factors = true, .unpenalized = true},
          .exact_nonsmooth = true,
          .random = false,
          .resumable = true,
          .over_ranks = true,
          .options = list_options<WsOptions>(),
          .make = make_ws};
}

}  // namespace seesaw
