#include "summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "busy.h"
#include "model/describe_objective.h"
#include "model/groups/group_losses.h"
#include "model/several_targets.h"
#include "model/table_labels.h"
#include "solvers/catalog.h"

namespace seesaw::app {
namespace {

std::string with_commas(std::size_t count) {  // 4,812
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string how_it_ended(const Outcome& outcome, const Criteria& criteria) {
  const double passes = outcome.last.passes;
  const double seconds = outcome.last.solve_seconds + outcome.last.check_seconds;
  const std::string_view before = outcome.last.settled && criteria.gap == 0 && criteria.gap_abs == 0
                                      ? "before all labels were settled"
                                      : "before the gap reached the tolerance";
  switch (outcome.termination) {
    case Termination::converged:
      return fmt::format("converged in {:.4g} passes, {:.3g} s{}", passes, seconds,
                         outcome.method.empty() ? "" : fmt::format(", by {}", outcome.method));
    case Termination::labels_settled:
      return fmt::format("no label can change any more: stopped after {:.4g} passes, {:.3g} s{}", passes, seconds,
                         outcome.method.empty() ? "" : fmt::format(", by {}", outcome.method));
    case Termination::pass_limit:
      return fmt::format("stopped by --max-passes {:g} {} ({:.3g} s)", criteria.max_passes, before, seconds);
    case Termination::time_limit:
      return fmt::format("stopped by --time {:g} {} ({:.4g} passes)", criteria.seconds, before, passes);
    case Termination::interrupted:
      return fmt::format("interrupted after {:.4g} passes, {:.3g} s, {}", passes, seconds, before);
    case Termination::stalled:
      if (!outcome.certificate.guaranteed)
        return fmt::format("ended after {:.4g} passes, {:.3g} s: the gap cannot be guaranteed", passes, seconds);
      return fmt::format("stalled after {:.4g} passes, {:.3g} s: the gap no longer falls", passes, seconds);
    case Termination::diverged:
      return fmt::format("diverged after {:.4g} passes; the best point seen is kept", passes);
  }
  return {};
}

// Class labels are mostly whole numbers, each with several rows; this is a guess.
bool look_like_numbers(const Problem& problem) {
  return problem.all_rows() < 3 * problem.labels.size() ||
         std::any_of(problem.labels.begin(), problem.labels.end(), [](double b) { return b != std::trunc(b); });
}

std::string which_targets(const std::vector<ClassCertificate>& targets, const Criteria& criteria) {
  const auto met = std::count_if(targets.begin(), targets.end(), [&](const ClassCertificate& one) {
    return one.gap <= criteria.target_gap(one.primal);
  });
  return fmt::format("{} of {} targets have converged", met, targets.size());
}

std::string which_classes(const std::vector<ClassCertificate>& classes, const Criteria& criteria) {
  std::vector<double> open;
  for (const ClassCertificate& one : classes)
    if (!(one.gap <= std::max(criteria.gap * one.primal, criteria.gap_abs))) open.push_back(one.label);
  if (open.size() == classes.size()) return "no class has converged";
  constexpr std::size_t shown = 10;
  return fmt::format("{} of {} classes have converged, not those of the labels {}{}", classes.size() - open.size(),
                     classes.size(), fmt::join(open.begin(), open.begin() + std::min(shown, open.size()), ", "),
                     open.size() > shown ? ", ..." : "");
}

}  // namespace

std::string what_to_use_instead(const Fit& fit) {
  const Termination end = fit.outcome.termination;
  const std::string& instead = recipe_named(fit.model.solver).instead;
  if ((end != Termination::diverged && end != Termination::stalled) || instead.empty()) return {};
  return fmt::format("{} can fail on some data; use {}", fit.model.solver, instead);
}

std::string label_line(const Dataset& data) {
  if (data.label_column.empty()) return {};
  return fmt::format("label: {} (--label-column chooses another)\n", data.label_column);
}

std::string describe_data(const Dataset& data, double read_seconds) {
  std::string text = fmt::format("{}: {} rows x {} features, {} entries, {} {}, read in {:.2g} s", data.source,
                                 data.all_rows(), data.d(), data.nnz, data.dense() ? "dense" : "sparse",
                                 data.single_precision() ? "float" : "double", read_seconds);
  if (const std::string label = label_line(data); !label.empty()) text += "\n" + label.substr(0, label.size() - 1);
  return text;
}

std::string table_lines(const std::vector<std::string>& notes) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, notes.size()); ++k) text += "  " + notes[k] + "\n";
  if (notes.size() > most) text += fmt::format("  and {} more\n", notes.size() - most);
  return text;
}

std::string label_text(const LinearModel& model, double label) {
  const std::string text = label_name(model.table ? model.table->label.classes : std::vector<std::string>(), label);
  if (text.find_first_of(" \t\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

Json label_json(const LinearModel& model, double label) {
  if (!model.table || model.table->label.classes.empty()) return label;
  return label_name(model.table->label.classes, label);
}

std::vector<std::string> equivalents_of(const Problem& problem, Scaling scaling, double factor) {
  Transform transform;
  transform.constant_feature = problem.intercept == Intercept::penalized;
  transform.constant_value = problem.intercept_scaling;
  transform.scaling = scaling;
  transform.factor = factor;
  return equivalents(problem, transform);
}

std::string describe_problem(const Problem& problem, Scaling scaling, double factor) {
  std::string text = describe_objective(problem);
  if (scaling != Scaling::none)
    text += fmt::format("\na_i and x are those of the data as scaled by --scale {}", name_of(scaling));
  for (const std::string& line : equivalents_of(problem, scaling, factor)) text += "\n  as in " + line;
  if (problem.outputs() > 1 && look_like_numbers(problem))
    text += fmt::format(
        "\nnote: {} different labels in {} rows are taken for classes; if they are numbers to be predicted, choose "
        "a regression loss such as --loss squared",
        problem.labels.size(), problem.all_rows());
  return text;
}

std::string describe_calibration(const Calibration& calibration) {
  const ScoreMap& map = calibration.outputs[0];
  const bool sigmoid = calibration.method == CalibrationMethod::sigmoid;
  if (calibration.outputs.size() > 1)
    return fmt::format("calibrated, {} per class, divided by their sum",
                       sigmoid ? "a sigmoid" : "an isotonic function");
  if (sigmoid)
    return fmt::format("calibrated, sigmoid p = 1 / (1 + exp({:.6g} z {} {:.6g})) of the score z", map.a,
                       map.b < 0 ? "-" : "+", std::abs(map.b));
  return fmt::format("calibrated, isotonic function of the score through {} points", map.scores.size());
}

std::string describe_outcome(const Fit& fit, const Criteria& criteria) {
  const Certificate& c = fit.outcome.certificate;
  std::string text = how_it_ended(fit.outcome, criteria) + "\n";
  if (const std::string instead = what_to_use_instead(fit); !instead.empty()) text += instead + "\n";
  if (!std::isfinite(c.gap))
    return text +
           "certificate: none: P or D is beyond the range of doubles; scale the data, or the labels of a regression";
  text += fmt::format("certificate: P = {:.10g} from above, D = {:.10g} from below, gap {:.3g} ({:.3g} of P)", c.primal,
                      c.dual, c.gap, c.relative_gap());
  if (!c.guaranteed)
    text += fmt::format("\n{}: the lower bound of the optimum is not guaranteed",
                        fit.model.objective.penalty_factors.empty() ? "no penalty" : "features without a penalty");
  else if (c.dual > 0 && c.gap < 1e-5 * c.dual)
    text += fmt::format("\nso the objective is optimal to within {:.1g} (relative)", c.gap / c.dual);
  else if (c.dual > 0 && c.gap < 10 * c.dual)
    text += fmt::format("\nso the objective is at most {:.3g} % above the optimum", 100 * c.gap / c.dual);
  else text += fmt::format("\nso the objective is at most {:.3g} above the optimum", c.gap);
  if (!fit.outcome.classes.empty())
    text += fmt::format(", summed over {} {}", fit.outcome.classes.size(),
                        several_targets(fit.model) ? "targets" : "one-versus-rest problems");
  if (c.distance_bound) text += fmt::format(", and |x - x*| <= {:.3g}", *c.distance_bound);
  if (fit.proved_zero)
    text += fmt::format("\nfeatures proved zero: {} of {}", with_commas(*fit.proved_zero),
                        with_commas(fit.model.x.size() / fit.model.outputs()));
  if (const auto& settled = fit.outcome.last.settled)
    text += fmt::format("\nlabels settled: {} of {}", with_commas(settled->met), with_commas(settled->of));
  if (!fit.outcome.classes.empty() && fit.outcome.termination != Termination::converged)
    text += "\n" + (several_targets(fit.model) ? which_targets : which_classes)(fit.outcome.classes, criteria);
  return text;
}

Json seconds_of(const Outcome& outcome, const Timing& timing) {
  return {{"read", timing.read},
          {"solve", outcome.last.solve_seconds},
          {"check", outcome.last.check_seconds},
          {"total", timing.total}};
}

std::size_t nonzeros(const LinearModel& model) {
  return static_cast<std::size_t>(std::count_if(model.x.begin(), model.x.end(), [](double x) { return x != 0; }));
}

double reads_of(const Extents& extents) {
  return static_cast<double>(extents.budget()->bytes_read) /
         static_cast<double>(std::max<std::size_t>(extents.file_bytes(), 1));
}

std::string reads_line(const Dataset& data) {
  const Extents* const extents = extents_of(data.rows);
  if (extents == nullptr) return {};
  const double megabytes = static_cast<double>(extents->budget()->bytes_read) / 1e6,
               seconds = static_cast<double>(extents->budget()->read_nanoseconds) * 1e-9;
  return fmt::format("the file was read {:.1f} times, {:.0f} MB at {:.0f} MB/s\n", reads_of(*extents), megabytes,
                     megabytes / std::max(seconds, 1e-9));
}

std::string json_line(const Dataset& data, const Fit& fit, const Timing& timing, int threads) {
  const LinearModel& model = fit.model;
  const Outcome& outcome = fit.outcome;
  const Certificate& c = outcome.certificate;
  Json json = {{"status", name_of(outcome.termination)},
               {"solver", model.solver},
               {"method", outcome.method.empty() ? model.solver : outcome.method},
               {"loss", model.objective.loss},
               {"regularizer", Penalty(model.objective.lambda, model.objective.l1).name()},
               {"lambda", model.objective.lambda},
               {"l1", model.objective.l1},
               {"intercept", name_of(model.objective.intercept)},
               {"n", data.all_rows()},
               {"d", data.d()},
               {"nnz", data.nnz},
               {"label_column", data.label_column},
               {"primal", finite_or_null(c.primal)},
               {"dual", finite_or_null(c.dual)},
               {"gap", finite_or_null(c.gap)},
               {"relative_gap", finite_or_null(c.relative_gap())},
               {"distance_bound", finite_or_null(c.distance_bound.value_or(NAN))},
               {"passes", outcome.last.passes},
               {"entry_passes", outcome.last.entry_passes},
               {"seconds", seconds_of(outcome, timing)},
               {"nonzeros", nonzeros(model)},
               {"seed", model.seed},
               {"threads", threads}};
  if (Json disk = disk_of(data); !disk.is_null()) json["disk"] = std::move(disk);
  if (data.label_column.empty()) json.erase("label_column");
  if (!c.guaranteed) json["guaranteed"] = false;
  if (fit.proved_zero) json["proved_zero"] = *fit.proved_zero;
  if (const auto& settled = outcome.last.settled) json["settled"] = {{"rows", settled->met}, {"of", settled->of}};
  if (group_loss_kind(model.objective.loss) != nullptr) json["groups"] = model.objective.loss_parameter;
  const bool targets = several_targets(model);
  if (targets) json["targets"] = model.outputs();
  else if (model.outputs() > 1) json["labels"] = model.labels;
  for (const ClassCertificate& one : model.classes)
    json["classes"].push_back({{targets ? "target" : "label", one.label},
                               {"primal", finite_or_null(one.primal)},
                               {"dual", finite_or_null(one.dual)},
                               {"gap", finite_or_null(one.gap)}});
  return json.dump();
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace seesaw::app
