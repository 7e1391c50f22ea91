// SDCA: stochastic dual coordinate ascent (Shalev-Shwartz & Zhang 2013), with the elastic net as Prox-SDCA.
//
//   paper          here
//   alpha_i        -y_i
//   lambda n       lambda / c_i  (weights c_i in place of 1/n)
//   Delta alpha    the exact maximizer of D in y_i: dual_step with q_i = c_i |a_i|^2 / lambda
//
// For multiclass losses the exact step is on the row's block of K variables (block_dual_ascent.h).
//
// One step costs O(nnz(a_i)) (times K for blocks); memory O(n + d). Any loss; lambda > 0. The number of passes grows like
// 1/c for c = lambda n gamma/R^2 < 1.
#include "solvers/recipes/sdca.h"

#include <fmt/format.h>

#include "seesaw/error.h"
#include "solvers/engines/block_dual_ascent.h"
#include "solvers/engines/dual_ascent.h"
#include "solvers/parts/dual/lanes.h"

namespace seesaw {
namespace {

enum class LaneChoice { automatic, off, two, three, four, eight, sixteen };
constexpr std::size_t numbers_of_lanes[] = {automatic_lanes, 1, 2, 3, 4, 8, 16};

struct SdcaOptions : DualAscentOptions {
  LaneChoice lane_choice = LaneChoice::off;

  SdcaOptions() { storage = WorkingStorage::automatic; }
  void describe(OptionReader& reader) {
    describe_draw(reader, draw);
    reader.on_off("shrink", shrink,
                  "skip dual variables at a bound until the others are solved (needs draws by permutation)");
    reader.on_off("average", average, "report the mean over the last half of the passes instead of the last point");
    reader.on_off("extrapolate", extrapolate,
                  "every 25 passes, a line search along the direction of these passes (l2; not for logistic, softmax)");
    reader.choice(
        "storage", storage, {"auto", "compact", "exact"},
        "a copy of the rows with 16-bit columns and floats while its precision suffices: for large data after "
        "twelve passes, from the start, or never");
    reader.choice(
        "lanes", lane_choice, {"auto", "off", "2", "3", "4", "8", "16"},
        "parts of a pass that run in parallel, each on its own copy of x, joined by a line search (l2, draws by "
        "permutation); auto: 2 for large, well conditioned data, else off");
  }
};

const char* why_no_lanes(const Problem& problem, const DualAscentOptions& options) {
  if (problem.is_block()) return "it needs a scalar loss; omit it";
  if (problem.penalty.l1() > 0 || !problem.penalty.uniform()) return "it needs an l2 penalty; omit it";
  if (options.draw == Draw::iid) return "it needs `draw` permutation";
  return nullptr;
}

std::unique_ptr<Solver> make(const Problem& problem, const SolverSpec& spec, const Start& start) {
  auto options = read_options<SdcaOptions>(spec);
  if (options.draw == Draw::iid) {
    if (spec.options.contains("shrink") && options.shrink)
      throw InvalidOption("shrink", "on", "it needs `draw` permutation");
    options.shrink = false;
    if (!spec.options.contains("extrapolate")) options.extrapolate = false;
  }
  options.lanes = numbers_of_lanes[static_cast<std::size_t>(options.lane_choice)];
  if (const char* const why = why_no_lanes(problem, options)) {
    if (options.lanes > 1) throw InvalidOption("lanes", fmt::format("{}", options.lanes), why);
    options.lanes = 1;
  }
  if (problem.is_block()) {
    if (const auto given = spec.options.find("average"); given != spec.options.end())
      throw InvalidOption(
          "average", given->second,
          fmt::format("it needs a scalar loss, and {} is a loss of all classes; omit it", problem.kind->name));
    if (options.storage == WorkingStorage::compact)
      throw InvalidOption(
          "storage", "compact",
          fmt::format("it needs a scalar loss, and {} is a loss of all classes; omit it", problem.kind->name));
    return make_block_dual_ascent(
        problem,
        {.draw = options.draw, .extrapolate = options.extrapolate, .shrink = options.shrink, .seed = spec.seed}, start);
  }
  options.seed = spec.seed;
  return make_dual_ascent(problem, options, start);
}

}  // namespace

Recipe sdca_recipe() {
  return {.name = "sdca",
          .summary = "stochastic dual coordinate ascent: exact steps on one y_i at a time",
          .paper = "Shalev-Shwartz & Zhang 2013 (JMLR 14), Procedure SDCA; Prox-SDCA for the elastic net",
          .engine = "dual_ascent",
          .cost = "O(nnz(a_i))",
          .needs = {.curvature = Need::lambda},
          .features = {.bounds = true, .l1_factors = true},
          .block_losses = true,
          .exact_nonsmooth = true,
          .resumable = true,
          .options = list_options<SdcaOptions>(),
          .make = make};
}

}  // namespace seesaw
