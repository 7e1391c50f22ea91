#include "fit_lines.h"

#include <fmt/format.h>

#include "busy.h"
#include "describe_facts.h"
#include "model/coefficients.h"
#include "model/describe_objective.h"
#include "ranks.h"
#include "report/page.h"
#include "seesaw/error.h"
#include "summary.h"

namespace seesaw::app {
namespace {

constexpr std::size_t coefficients_shown = 30;

Json coefficients(const LinearModel& model, std::size_t first_feature) {
  const Scaling scaling = model.transform.scaling;
  Json list = Json::array();
  for (const Coefficient& one : largest_coefficients(model, coefficients_shown)) {
    Json json = {{"feature", one.feature + first_feature}};
    if (!one.name.empty()) json["name"] = one.name;
    if (one.label) json["class"] = *one.label;
    json["value"] = finite_or_null(one.value);
    if (scaling != Scaling::none && scaling != Scaling::rows) json["unscaled"] = finite_or_null(one.unscaled);
    list.push_back(std::move(json));
  }
  return list;
}

// Of the threads of this process, or of all processes.
void add_processor_times(Json& json) {
  const std::vector<ThreadTime> times = thread_times();
  if (ranks() == nullptr) {
    for (const ThreadTime& one : times) json["threads"].push_back({{"role", one.role}, {"cpu", one.cpu}});
    return;
  }
  struct RankTime {
    double cpu = 0, sent = 0;
  };
  RankTime own{0, static_cast<double>(ranks()->counts().bytes)};
  for (const ThreadTime& one : times) own.cpu += one.cpu;
  for (const RankTime& one : ranks()->gather(own)) json["ranks"].push_back({{"cpu", one.cpu}, {"sent", one.sent}});
}

}  // namespace

FitLines::FitLines(FitCommand command, const Dataset& data)
    : command_(std::move(command)),
      data_(data),
      writer_([this](const std::string& line) { put(line); }, [this](const RunInfo& info) { return about(info); }) {
  if (!command_.trace_path.empty() && command_.writes) trace_.emplace(command_.trace_path);
  if (command_.report_path.empty()) return;
  facts_ = measure(data);  // two passes over the data
  facts_json_ = facts_as_json(*facts_, data);
}

void FitLines::put(const std::string& line) {
  if (trace_) trace_->put(line);
  if (!command_.report_path.empty()) kept_ += line + '\n';
}

Json FitLines::about(const RunInfo& info) const {
  const Problem& problem = info.problem;
  Json json = {{"objective", describe_objective(problem)},
               {"equivalents", equivalents_of(problem, info.scaling, info.factor)},
               {"deviations", command_.deviations},
               {"command", command_.line},
               {"model", command_.model_path}};
  if (!facts_) return json;
  json["facts"] = facts_json_;
  json["advice"] = advice(*facts_, {.lambda = problem.penalty.l2(),
                                    .scaled = info.scaling != Scaling::none,
                                    .counts_labels = !problem.labels.empty() && problem.class_weights.empty(),
                                    .problem = &problem,
                                    .gap = info.criteria.gap});
  return json;
}

bool FitLines::finish(const Fit& fit, const Timing& timing) {
  Json more = {{"seconds", seconds_of(fit.outcome, timing)}, {"nonzeros", nonzeros(fit.model)}};
  if (Json disk = disk_of(data_); !disk.is_null()) more["disk"] = std::move(disk);
  add_processor_times(more);
  if (fit.proved_zero) more["proved_zero"] = *fit.proved_zero;
  if (const std::string instead = what_to_use_instead(fit); !instead.empty()) more["instead"] = instead;
  more["intercepts"] = Json::array();
  for (const double intercept : intercepts(fit.model)) more["intercepts"].push_back(finite_or_null(intercept));
  more["coefficients"] = coefficients(fit.model, command_.first_feature);
  writer_.finish(fit.outcome, more);

  const bool traced = !trace_ || trace_->complete();
  if (!traced) fmt::print(stderr, "seesaw: the trace {} could not be written to its end.\n", command_.trace_path);
  if (command_.report_path.empty() || !command_.writes) return traced;
  try {
    write_page(command_.report_path, kept_);
    return traced;
  } catch (const Error& error) {
    fmt::print(stderr, "seesaw: {} The model is written, its page is not.\n", error.what());
    return false;
  }
}

}  // namespace seesaw::app
