#include "run/lines.h"

#include <cmath>

#include "base/threads.h"
#include "seesaw/version.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

constexpr int trace_version = 3;  // 3: lines have a type, checks have diagnostics

std::string dumped(Json json, const Json& more = Json::object()) {
  json.update(more);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);  // bytes that are not UTF-8 become U+FFFD
}

void add(Json& json, const Bounds& bounds) {
  json["primal"] = finite_or_null(bounds.primal);
  json["dual"] = finite_or_null(bounds.dual);
  json["gap"] = finite_or_null(bounds.gap);
}

}  // namespace

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string header_line(const RunInfo& info, const Json& more) {
  const Problem& p = info.problem;
  const bool constant_feature = p.intercept == Intercept::penalized;  // appended to the features of the data
  Json json = {{"type", "header"},
               {"trace", trace_version},
               {"version", version()},
               {"compiler", compiler()},
               {"cpu", cpu()},
               {"threads", available_threads()},
               {"data", p.data->source},
               {"n", p.all_rows()},
               {"d", p.d() - (constant_feature ? 1 : 0)},
               {"nnz", p.data->nnz},
               {"loss", p.kind->name},
               {"loss_parameter", finite_or_null(p.kind->parameter.name.empty() ? NAN : p.loss_parameter)},
               {"regularizer", p.penalty.name()},
               {"lambda", p.penalty.l2()},
               {"l1", p.penalty.l1()},
               {"intercept", name_of(p.intercept)},
               {"intercept_scaling", p.intercept_scaling},
               {"one_versus_rest", p.is_one_versus_rest()},
               {"labels", p.labels},
               {"solver", info.solver.name},
               {"family", family_of(recipe_named(info.solver.name))},
               {"options", info.solver.options},
               {"seed", info.solver.seed},
               {"gap", info.criteria.gap},
               {"gap_abs", info.criteria.gap_abs},
               {"max_passes", finite_or_null(info.criteria.max_passes)},
               {"seconds_limit", finite_or_null(info.criteria.seconds)},
               {"scale", name_of(info.scaling)}};
  if (!info.remark.empty()) json["remark"] = info.remark;
  if (!info.choice.empty()) json["choice"] = info.choice;
  return dumped(std::move(json), more);
}

std::string check_line(const TraceRow& row) {
  Json json = {{"type", "check"},
               {"passes", row.passes},
               {"entry_passes", row.entry_passes},
               {"solve_seconds", row.solve_seconds},
               {"check_seconds", row.check_seconds}};
  add(json, row);
  json["latest_primal"] = finite_or_null(row.latest_primal);
  json["latest_dual"] = finite_or_null(row.latest_dual);
  json["nonzeros"] = row.nonzeros;
  json["dual_point"] = name_of(row.dual_point);
  for (const Diagnostic& one : row.diagnostics) json["diagnostics"][std::string(one.name)] = finite_or_null(one.value);
  if (row.settled) json["settled"] = {{"rows", row.settled->met}, {"of", row.settled->of}};
  if (row.of_class) json["class"] = row.of_class->label;
  return json.dump();
}

std::string message_line(const std::string& sentence) { return dumped({{"type", "message"}, {"message", sentence}}); }

std::string end_line(const Outcome& outcome, const Json& more) {
  const Certificate& c = outcome.certificate;
  Json json = {{"type", "end"}, {"status", name_of(outcome.termination)}};
  add(json, c);
  json["distance_bound"] = finite_or_null(c.distance_bound.value_or(NAN));
  json["passes"] = outcome.last.passes;
  json["entry_passes"] = outcome.last.entry_passes;
  if (!c.guaranteed) json["guaranteed"] = false;
  if (!outcome.method.empty()) json["method"] = outcome.method;
  for (const ClassCertificate& one : outcome.classes) {
    Json of_class = {{"label", one.label}};
    add(of_class, one);
    json["classes"].push_back(std::move(of_class));
  }
  return dumped(std::move(json), more);
}

std::string refused_line(const std::string& method, const std::string& why, const Json& more) {
  return dumped({{"type", "refused"},
                 {"refused", method},
                 {"label", method},
                 {"family", family_of(recipe_named(method))},
                 {"why", why}},
                more);
}

}  // namespace seesaw
