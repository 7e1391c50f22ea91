#include "tune_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/losses/loss.h"
#include "seesaw/error.h"
#include "select/calibrate.h"
#include "solvers/catalog.h"
#include "summary.h"
#include "value_list.h"

namespace seesaw::app {
namespace {

std::vector<TuneGroup> groups_of(const TuneOptions& o) {
  const std::vector<std::string> any = {""};
  std::vector<TuneGroup> groups;
  std::set<std::string> used;
  for (const std::string& loss : o.losses.empty() ? any : o.losses) {
    const std::optional<double> parameter = o.objective.parameter_of(loss.empty() ? "logistic" : loss);
    if (parameter) used.emplace(loss_kind(loss).parameter.name);
    for (const std::string& penalty : o.penalties.empty() ? any : o.penalties) {
      const bool mixed = !o.mixes.empty() && (penalty.empty() || penalty == "elastic-net");
      if (!mixed) groups.push_back({loss, penalty, parameter, std::nullopt});
      else
        for (const double mix : o.mixes) groups.push_back({loss, penalty, parameter, mix});
    }
  }
  for (const auto& given : o.objective.loss_parameters)
    if (used.count(given.first) == 0)
      throw Error(fmt::format("none of the losses has a parameter --{}; leave it out.", given.first));
  if (!o.mixes.empty() && std::none_of(groups.begin(), groups.end(), [](const TuneGroup& g) { return g.mix; }))
    throw Error("--mix belongs to --reg elastic-net; add that penalty, or leave out --mix.");
  return groups;
}

}  // namespace

TuneRequest TuneOptions::request() const {
  const TuneOptions& o = *this;
  TuneRequest request;
  FitSpec& spec = request.fit;
  spec.objective = o.objective.treatment();
  spec.scaling = o.objective.scaling();
  spec.precision = o.data.float32 ? Precision::single : Precision::exact;
  spec.solver = o.solver;
  if (o.gap) spec.criteria.gap = *o.gap;
  if (o.max_passes) spec.criteria.max_passes = *o.max_passes;
  request.groups = groups_of(o);
  request.metrics = o.metrics;
  request.choose = o.choose == "best" ? Choice::best : Choice::one_se;
  request.eliminate = o.eliminate == "on";
  if (o.C && o.lambda) throw Error("--C and --lambda set the same coefficient; give one of them.");
  if (o.C) request.values = read_values(*o.C, "C");
  if (o.lambda) {
    request.coefficient = SearchedCoefficient::lambda;
    request.values = read_values(*o.lambda, "lambda");
  }
  if (o.l1) {
    const std::vector<double> values = read_values(*o.l1, "l1");
    if (values.size() == 1) {
      spec.objective.l1 = values[0];
    } else if (o.C || o.lambda) {
      throw Error(
          "one coefficient is searched: give a list of --C, --lambda or --l1, and one number for --l1 at most.");
    } else {
      request.coefficient = SearchedCoefficient::l1;
      request.values = values;
    }
  }
  validate(request);
  if (!o.calibrate.empty())
    for (const TuneGroup& group : request.groups)
      require_calibrated(loss_kind(group.loss.empty() ? "logistic" : group.loss));
  return request;
}

Folds TuneOptions::folds_of(const Dataset& rows, const TuneRequest& request) const {
  if (!fold_file.empty()) return read_folds(fold_file, rows.n(), forward);
  if (forward) throw Error("--forward needs --fold-file FILE, which has the order of the folds.");
  const std::string& loss = request.groups[0].loss;
  const bool numbers = !loss.empty() && loss_kind(loss).target == Target::number;
  return numbers ? shuffled_folds(rows.n(), folds, solver.seed) : stratified_folds(rows.labels, folds, solver.seed);
}

std::string TuneOptions::describe(const Folds& division, bool numbers) const {
  if (!fold_file.empty())
    return fmt::format("{} from {}{}", counted(division.count, "fold"), fold_file,
                       division.forward ? ", each validated by a model of those before it" : "");
  return fmt::format("{}{}, seed {}", counted(division.count, "fold"), numbers ? "" : ", stratified by label",
                     solver.seed);
}

namespace {

void declare_validation(Command& command, TuneOptions& o) {
  const char* group = "Cross-validation";
  command.add_option("--folds", o.folds, "folds, stratified by label, by --seed").standard("5").group(group).common();
  command.add_option("--fold-file", o.fold_file, "fold of each row, a word per line; -: only train")
      .placeholder("FILE")
      .group(group)
      .common();
  command.add_flag("--forward", o.forward, "time: validate each fold of --fold-file by a model of the folds before it")
      .group(group);
  std::vector<std::string> names;
  for (const Metric& metric : metrics()) names.emplace_back(metric.name);
  command.add_option("--metric", o.metrics, "what is measured on the folds; the first one decides")
      .list(',')
      .one_of(names)
      .placeholder("NAME,...")
      .standard("accuracy; regression: rmse")
      .group(group)
      .common();
  command.add_option("--choose", o.choose, "the best, or the strongest penalty within one standard error of it")
      .one_of({"best", "one-se"})
      .standard("best")
      .group(group)
      .common();
  command
      .add_option(
          "--eliminate", o.eliminate,
          "stop long fits of candidates that provably cannot win; the choice is the same (accuracies and errors of "
          "--choose best)")
      .one_of({"on", "off"})
      .standard("on")
      .group(group);
  command.add_option("--calibrate", o.calibrate, "probabilities by validation scores")
      .one_of({"sigmoid", "isotonic"})
      .group(group)
      .common();
}

void declare_candidates(Command& command, TuneOptions& o) {
  const char* group = "Objective";
  command.add_option("--C", o.C, "LIBLINEAR's cost: A,B,..., A:B (doubled) or A:B:COUNT, as 2^-10:1")
      .placeholder("VALUES")
      .standard("found by doubling")
      .group(group)
      .common();
  command.add_option("--lambda", o.lambda, "values of the coefficient of |x|^2 / 2")
      .placeholder("VALUES")
      .group(group)
      .common();
  command.add_option("--l1", o.l1, "values of the coefficient of |x|_1, or one that is kept")
      .placeholder("VALUES")
      .group(group)
      .common();
  command.add_option("--mix", o.mixes, "elastic net: l1 = MIX tau, lambda = (1 - MIX) tau, for each MIX")
      .list(',')
      .placeholder("NUMBER,...")
      .group(group);
}

}  // namespace

void TuneOptions::declare(Command& command) {
  data.declare(command);
  data.declare_weights(command);
  data.declare_table(command);
  command.add_option("MODEL", model_path, "file for the model, trained on all rows").standard("name of DATA + .model");
  declare_validation(command, *this);
  objective.declare_losses(command, losses, penalties);
  declare_candidates(command, *this);
  objective.declare_treatment(command);
  objective.declare_feature_penalties(command);
  std::vector<std::string> names;
  for (const Recipe& recipe : catalog()) names.push_back(recipe.name);
  solver.name = default_solver;
  command.add_option("--solver", solver.name, "method of each fit; see seesaw solvers")
      .one_of(names)
      .standard(solver.name)
      .group("Method");
  command.add_option("--seed", solver.seed, "seed of the folds and of the fits")
      .not_negative()
      .standard("1")
      .group("Method")
      .common();
  command.add_option("--gap", gap, "tolerance of each fit: gap <= this * P")
      .standard("1e-4")
      .group("Stopping")
      .common();
  command.add_option("--max-passes", max_passes, "passes of each fit").standard("10000").group("Stopping");
  command.add_option("--report", report_path, "write an HTML page about the search and the model")
      .placeholder("FILE")
      .group("Output")
      .common();
  command
      .add_option("--jsonl", jsonl_path,
                  "keep the results of finished fits, a JSON line for each loss, penalty and fold, or fit; they are "
                  "not repeated")
      .placeholder("FILE")
      .group("Output");
  command.add_flag("--json", json, "end standard output with one line of JSON").group("Output");
  command.add_quiet(quiet, "no progress line, table and summary");
}

}  // namespace seesaw::app
