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
#include "solvers/named_number.h"
#include "solvers/parts/dual/lanes.h"
#include "solvers/parts/dual/mixed_groups.h"

namespace seesaw {
namespace {

enum class LaneChoice { automatic, off, two, three, four, eight, sixteen };
constexpr std::size_t numbers_of_lanes[] = {automatic_lanes, 1, 2, 3, 4, 8, 16};

enum class GroupChoice { automatic, off, eight, sixteen, thirty_two, sixty_four, more, most };
constexpr std::size_t numbers_of_groups[] = {0, 0, 8, 16, 32, 64, 128, 256};

enum class AverageFrom { half, number };
enum class LogisticStep { exact, printed, quarter };

struct SdcaOptions : DualAscentOptions {
  LaneChoice lane_choice = LaneChoice::off;
  AverageFrom average_from = AverageFrom::half;
  LogisticStep logistic_step = LogisticStep::exact;
  GroupChoice group_choice = GroupChoice::automatic;
  bool faces = true;

  SdcaOptions() { storage = WorkingStorage::automatic; }
  void describe(OptionReader& reader) {
    describe_draw(reader, draw);
    reader.on_off("shrink", shrink,
                  "skip dual variables at a bound until the others are solved (needs draws by permutation)");
    reader.choice("average", average.over, {"off", "on", "steps"},
                  "report the mean of the points after each pass (on) or before each step (steps) instead of the last "
                  "point");
    reader.choice("average-from", average_from, {"half", number_name},
                  "passes that the mean leaves out (T0); half: the first half");
    reader.choice("logistic-step", logistic_step, {"exact", "printed", "quarter"},
                  "step of the logistic loss: exact, or a bound of it, a residual divided by max(1, 1/4 + q) or by "
                  "1 + q/4");
    reader.on_off("extrapolate", extrapolate,
                  "every 25 passes, a line search along the direction of these passes (l2; not for logistic, softmax)");
    reader.on_off(
        "faces", faces,
        "steps on all rows with several classes in use together, by conjugate gradients (multiclass-hinge, l2)");
    reader.choice(
        "storage", storage, {"auto", "compact", "exact"},
        "a copy of the rows with 16-bit columns and floats while its precision suffices: for large data after "
        "twelve passes, from the start, or never");
    reader.choice(
        "lanes", lane_choice, {"auto", "off", "2", "3", "4", "8", "16"},
        "parts of a pass that run in parallel, each on its own copy of x, joined by a line search (l2, draws by "
        "permutation); auto: 2 for large, well conditioned data, else off");
    reader.choice("groups", group_choice, {"auto", "off", "8", "16", "32", "64", "128", "256"},
                  "visit the rows by this many groups, drawn in every sweep, of which four are in memory, instead of "
                  "in one random order; auto: for rows on disk the fewest that the memory permits, else off");
  }
};

std::size_t number_of_groups(const Problem& problem, const SdcaOptions& options) {
  const Extents* const extents = extents_of(problem.data->rows);
  const std::size_t given = numbers_of_groups[static_cast<std::size_t>(options.group_choice)];
  if (extents == nullptr) return given;
  if (options.group_choice == GroupChoice::off)
    throw InvalidOption("groups", "off", "the rows are on disk; omit it, or use more memory");
  const std::size_t fewest = groups_within_memory(*extents);
  if (given > 0 && given < fewest)
    throw InvalidOption("groups", fmt::format("{}", given),
                        fmt::format("four of them are not in memory at a time; choose {} or more", fewest));
  return given > 0 ? given : fewest;
}

const char* why_no_groups(const Problem& problem, const DualAscentOptions& options) {
  if (problem.is_block()) return "it needs a scalar loss; omit it";
  if (options.draw == Draw::iid) return "it needs `draw` permutation";
  if (options.lanes > 1) return "it needs `lanes` off";
  if (options.average.over != Average::off) return "it needs `average` off";
  if (options.storage == WorkingStorage::compact) return "it needs `storage` exact";
  return nullptr;
}

const char* why_no_lanes(const Problem& problem, const DualAscentOptions& options) {
  if (problem.is_block()) return "it needs a scalar loss; omit it";
  if (problem.penalty.l1() > 0 || !problem.penalty.uniform()) return "it needs an l2 penalty; omit it";
  if (options.draw == Draw::iid) return "it needs `draw` permutation";
  if (options.average.over == Average::steps) return "it needs `average` off or on";
  if (options.step != RowStep::exact) return "it needs `logistic-step` exact";
  return nullptr;
}

// Steps on faces are for the multiclass hinge with l2.
bool has_faces(const Problem& problem) {
  return problem.is_block() && std::holds_alternative<MulticlassHinge>(problem.block().loss) &&
         problem.penalty.l1() == 0 && problem.penalty.uniform();
}

// The mean, and the step of the logistic loss.
void set_details(SdcaOptions& options, const Problem& problem, const SolverSpec& spec) {
  if (options.average.over == Average::off) refuse_given(spec, {"average-from"}, "it needs `average` on or steps");
  options.average.from = given_number(spec, "average-from");
  if (options.average.over == Average::steps) {
    if (spec.options.contains("extrapolate") && options.extrapolate)
      throw InvalidOption("extrapolate", "on", "it needs `average` off or on");
    options.extrapolate = false;
  }
  if (options.logistic_step == LogisticStep::exact) return;
  if (problem.is_block() || !std::holds_alternative<Logistic>(problem.scalar().loss))
    refuse_given(spec, {"logistic-step"}, "it needs the loss logistic; omit it");
  options.step = options.logistic_step == LogisticStep::printed ? RowStep::printed : RowStep::quarter;
}

std::optional<std::string> message(const Problem& problem, const SolverSpec& spec) {
  if (extents_of(problem.data->rows) == nullptr) return std::nullopt;
  return fmt::format("visits the rows by {} random groups, four of them in memory at a time",
                     number_of_groups(problem, read_options<SdcaOptions>(name_numbers(spec, {"average-from"}))));
}

std::unique_ptr<Solver> make_sdca(const Problem& problem, const SolverSpec& spec, const Start& start) {
  auto options = read_options<SdcaOptions>(name_numbers(spec, {"average-from"}));
  if (options.draw == Draw::iid) {
    if (spec.options.contains("shrink") && options.shrink)
      throw InvalidOption("shrink", "on", "it needs `draw` permutation");
    options.shrink = false;
    if (!spec.options.contains("extrapolate")) options.extrapolate = false;
    if (!spec.options.contains("faces")) options.faces = false;
  }
  set_details(options, problem, spec);
  options.lanes = numbers_of_lanes[static_cast<std::size_t>(options.lane_choice)];
  if (const char* const why = why_no_lanes(problem, options)) {
    if (options.lanes > 1) throw InvalidOption("lanes", fmt::format("{}", options.lanes), why);
    options.lanes = 1;
  }
  options.groups = number_of_groups(problem, options);
  if (options.groups > 0) {
    if (options.lane_choice == LaneChoice::automatic) options.lanes = 1;
    if (const char* const why = why_no_groups(problem, options))
      throw InvalidOption("groups", fmt::format("{}", options.groups), why);
    options.storage = WorkingStorage::exact;
  }
  if (options.faces && !has_faces(problem))
    refuse_given(spec, {"faces"}, "it needs the loss multiclass-hinge and an l2 penalty; omit it");
  if (problem.is_block()) {
    if (const auto given = spec.options.find("average"); given != spec.options.end())
      throw InvalidOption(
          "average", given->second,
          fmt::format("it needs a scalar loss, and {} is a loss of all classes; omit it", problem.kind->name));
    if (options.storage == WorkingStorage::compact)
      throw InvalidOption(
          "storage", "compact",
          fmt::format("it needs a scalar loss, and {} is a loss of all classes; omit it", problem.kind->name));
    return make_block_dual_ascent(problem,
                                  {.draw = options.draw,
                                   .extrapolate = options.extrapolate,
                                   .shrink = options.shrink,
                                   .faces = options.faces,
                                   .gap = spec.gap,
                                   .seed = spec.seed},
                                  start);
  }
  options.seed = spec.seed;
  options.gap = spec.gap;
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
          .message = message,
          .make = make_sdca};
}

}  // namespace seesaw
