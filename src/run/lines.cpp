#include "run/lines.h"

#include <cmath>

#include "base/threads.h"
#include "seesaw/version.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

std::string dumped(Json json, const Json& more) {
  json.update(more);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);  // bytes that are not UTF-8 become U+FFFD
}

}  // namespace

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string header_line(const RunInfo& info, const Json& more) {
  const Problem& p = info.problem;
  const bool constant_feature = p.intercept == Intercept::penalized;  // appended, not of the data
  Json json = {{"trace", 2},
               {"version", version()},
               {"compiler", compiler()},
               {"cpu", cpu()},
               {"threads", threads_at_hand()},
               {"data", p.data->source},
               {"n", p.n()},
               {"d", p.d() - (constant_feature ? 1 : 0)},
               {"nnz", p.data->nnz},
               {"loss", p.kind->name},
               {"loss_parameter", finite_or_null(p.kind->parameter.name.empty() ? NAN : p.loss_parameter)},
               {"regularizer", p.penalty.name()},
               {"lambda", p.penalty.l2()},
               {"l1", p.penalty.l1()},
               {"intercept", name_of(p.intercept)},
               {"one_versus_rest", p.one_versus_rest},
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
  if (const auto remark = remark_on(p, info.solver)) json["remark"] = *remark;
  if (const auto choice = choice_on(p, info.solver)) json["choice"] = *choice;
  return dumped(std::move(json), more);
}

std::string check_line(const TraceRow& row) {
  Json json = {{"passes", row.passes},
               {"entry_passes", row.entry_passes},
               {"solve_seconds", row.solve_seconds},
               {"check_seconds", row.check_seconds},
               {"primal", finite_or_null(row.primal)},
               {"dual", finite_or_null(row.dual)},
               {"gap", finite_or_null(row.gap)},
               {"latest_primal", finite_or_null(row.latest_primal)},
               {"latest_dual", finite_or_null(row.latest_dual)},
               {"nonzeros", row.nonzeros},
               {"dual_point", name_of(row.dual_point)}};
  if (row.of_class) json["class"] = row.of_class->label;
  return json.dump();
}

std::string news_line(const std::string& sentence) { return dumped({{"news", sentence}}, Json::object()); }

std::string end_line(const Outcome& outcome, const Json& more) {
  const Certificate& c = outcome.certificate;
  Json json = {{"status", name_of(outcome.termination)},
               {"primal", finite_or_null(c.primal)},
               {"dual", finite_or_null(c.dual)},
               {"gap", finite_or_null(c.gap)},
               {"distance_bound", finite_or_null(c.distance_bound.value_or(NAN))},
               {"passes", outcome.last.passes},
               {"entry_passes", outcome.last.entry_passes}};
  if (!c.guaranteed) json["guaranteed"] = false;
  if (!outcome.method.empty()) json["method"] = outcome.method;
  for (const ClassCertificate& one : outcome.classes)
    json["classes"].push_back({{"label", one.label},
                               {"primal", finite_or_null(one.primal)},
                               {"dual", finite_or_null(one.dual)},
                               {"gap", finite_or_null(one.gap)}});
  return dumped(std::move(json), more);
}

std::string refused_line(const std::string& method, const std::string& why, const Json& more) {
  return dumped({{"refused", method}, {"label", method}, {"family", family_of(recipe_named(method))}, {"why", why}},
                more);
}

}  // namespace seesaw
