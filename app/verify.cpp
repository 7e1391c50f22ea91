// seesaw verify DATA MODEL
#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "api/verify_path.h"
#include "command.h"
#include "data_options.h"
#include "group_options.h"
#include "model/model_file.h"
#include "model/several_targets.h"
#include "model/shared_model_file.h"
#include "path_choice.h"
#include "ranks.h"
#include "seesaw/error.h"
#include "select/path_file.h"
#include "summary.h"
#include "verify/verify_groups.h"
#include "verify/verify_targets.h"

namespace seesaw::app {
namespace {

struct VerifyOptions {
  DataOptions data;
  GroupOptions groups;
  std::string model_path;
  bool json = false, quiet = false;
};

int verify_path_command(const VerifyOptions& o) {
  const Path path = read_path(o.model_path, true);
  DataOptions reading = o.data;
  reading.float32 = path.frame.single_precision;
  const LoadedData loaded = reading.load_for(path.frame, o.model_path, false);
  const Dataset& data = loaded.data;
  if (!o.quiet) fmt::print("{}{}", label_line(data), table_lines(loaded.notes));
  const PathVerification verdict = verify_path(data, path);
  const bool holds = verdict.problems.empty();
  if (!o.quiet && holds) {
    fmt::print("recomputed from {}: {} certificates of {} hold; the largest gap of a model is {:.3g} of P\n",
               data.source, verdict.certificates, counted(path.points.size(), "model"), verdict.largest_gap);
    if (verdict.uncovered.empty())
      fmt::print("for every {} in {} one of the models is {}\n", shown_parameter(path), shown(path, path.range),
                 shown_accuracy(path));
    else
      fmt::print("the intervals of the models leave {} of {} uncovered\n", counted(verdict.uncovered.size(), "part"),
                 shown(path, path.range));
  }
  for (const std::string& problem : verdict.problems) fmt::print(stderr, "seesaw: {}: {}\n", o.model_path, problem);
  if (o.json) {
    nlohmann::ordered_json json = {{"holds", holds},
                                   {"models", path.points.size()},
                                   {"certificates", verdict.certificates},
                                   {"largest_relative_gap", verdict.largest_gap},
                                   {"covered", verdict.uncovered.empty()},
                                   {"accuracy", path.tolerance.relative},
                                   {"absolute", uses_absolute(path) ? path.tolerance.absolute : 0.0},
                                   {"problems", verdict.problems}};
    fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }
  return holds ? success : bad_input;
}

int verify_command(const VerifyOptions& o) {
  const ThreadLimit threads(o.data.threads);
  if (is_path_file(o.model_path)) return is_first() ? verify_path_command(o) : success;
  StoredModel stored = open_model(o.model_path);
  const LinearModel& model = stored.model;
  if (has_group_loss(model) != o.groups.given())
    throw Error(has_group_loss(model)
                    ? fmt::format("{} has a loss of groups of rows: give --blocks as in training.", o.model_path)
                    : fmt::format("{} has no loss of groups of rows; leave out --blocks.", o.model_path));
  o.groups.check_data(o.data);
  DataOptions reading = o.data;
  reading.float32 = model.single_precision;
  reading.working_memory = [&](const DataShape& shape) { return memory_for_verifying(shape, model.outputs()); };
  const bool shared =
      reading.can_be_shared(model.table.has_value()) && !several_targets(model) && verifies_shares(model);
  if (!shared && !is_first()) return success;
  if (!shared) read_dual(stored);
  std::optional<std::uint64_t> hash;
  LoadedData loaded =
      shared ? reading.load_share_for(model, o.model_path, false, hash) : reading.load_for(model, o.model_path, false);
  Dataset& data = loaded.data;
  if (!o.quiet) fmt::print("{}{}", label_line(data), table_lines(loaded.notes));
  if (several_targets(model) && !loaded.targets)
    throw Error(
        fmt::format("{} predicts {} numbers per row: give --targets FILE, or --label-column with their columns, as "
                    "in training.",
                    o.model_path, model.outputs()));
  DualPart dual;
  if (shared && stored.has_dual()) dual = [&](const Leaves& leaves) { return read_dual(stored, *leaves.shares()); };
  const auto groups = o.groups.read(reading, data);
  const Verification verdict = groups                   ? verify_groups(data, *groups, model)
                               : several_targets(model) ? verify_targets(data, *loaded.targets, model)
                                                        : verify_taking_rows(data, model, hash, dual);
  if (!o.quiet) {
    if (std::isfinite(verdict.gap))
      fmt::print("recomputed from {}: P = {:.10g}, D = {:.10g}, gap {:.3g} ({:.3g} of P)\n", data.source,
                 verdict.primal, verdict.dual, verdict.gap, verdict.gap / verdict.primal);
    if (verdict.holds)
      fmt::print("the certificate holds: the objective is at most {:.3g} above its optimum\n", verdict.gap);
    if (verdict.holds && !verdict.classes.empty()) {
      const auto widest = std::max_element(verdict.classes.begin(), verdict.classes.end(),
                                           [](const auto& k, const auto& l) { return k.gap < l.gap; });
      const bool targets = several_targets(model);
      fmt::print("so do those of the {} {}; the largest gap is {:.3g}, of {} {}\n", verdict.classes.size(),
                 targets ? "targets" : "one-versus-rest problems", widest->gap, targets ? "target" : "class",
                 label_text(model, widest->label));
    }
  }
  for (const std::string& problem : verdict.problems) fmt::print(stderr, "seesaw: {}: {}\n", o.model_path, problem);
  if (o.json) {
    nlohmann::ordered_json json = {{"holds", verdict.holds},
                                   {"primal", verdict.primal},
                                   {"dual", verdict.dual},
                                   {"gap", verdict.gap},
                                   {"problems", verdict.problems}};
    for (const ClassCertificate& c : verdict.classes)
      json["classes"].push_back({{several_targets(model) ? "target" : "label", label_json(model, c.label)},
                                 {"primal", c.primal},
                                 {"dual", c.dual},
                                 {"gap", c.gap}});
    fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }
  return verdict.holds ? success : bad_input;
}

}  // namespace

void add_verify(Program& program) {
  auto options = std::make_shared<VerifyOptions>();
  Command& command =
      program.add_command("verify", "recompute the certificate of a model or path from the data, independently");
  options->data.declare(command);
  options->data.declare_weights(command);
  options->data.declare_targets(command);
  options->data.declare_pairs(command);
  options->groups.declare(command);
  options->data.declare_memory(command);
  command.add_option("MODEL", options->model_path, "a model of seesaw train, or a path of seesaw path").required();
  command.add_flag("--json", options->json, "the result as one line of JSON").group("Output").common();
  command.add_quiet(options->quiet, "only the exit code, and what is wrong");
  command.example("seesaw verify train.svm train.svm.model", "");
  command.note("Exit codes: 0 the certificate holds; 2 it does not, or the model belongs to other data.");
  command.runs_over_ranks();
  command.on_run([options] { return verify_command(*options); });
}

}  // namespace seesaw::app
