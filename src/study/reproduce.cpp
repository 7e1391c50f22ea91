#include "study/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "run/lines.h"
#include "seesaw/error.h"
#include "seesaw/version.h"
#include "study/command_line.h"
#include "study/names.h"
#include "study/printed.h"
#include "study/series.h"

namespace seesaw {
namespace {

using RecordsByKey = std::map<std::string, const RunRecord*>;

std::map<std::string, Optimum> optima_of(const std::vector<RunRecord>& records) {
  std::map<std::string, Optimum> optima;
  std::map<std::string, double> bounds;
  for (const RunRecord& record : records)
    for (const TraceRow& check : record.checks) {
      double& lowest = optima[record.panel].value;
      lowest = std::min(lowest, check.primal);
      auto [bound, fresh] = bounds.try_emplace(record.panel, check.dual);
      if (!fresh) bound->second = std::max(bound->second, check.dual);
    }
  for (auto& [panel, optimum] : optima) optimum.uncertain = std::max(0.0, optimum.value - bounds[panel]);
  return optima;
}

// The suboptimality (or gap) at the end of a trial, then the passes needed to reach it: less is better.
std::pair<double, double> quality(const MethodRuns& runs, const Experiment& experiment, const Optimum& optimum) {
  Measure end{.name = experiment.y == "gap" ? "gap" : "suboptimality", .of = "", .to = {}, .after = infinity};
  if (!std::isfinite(optimum.value)) end.name = "gap";
  const double height = measured(end, runs, optimum).value;
  const Measure passes{.name = "passes", .of = end.name, .to = height, .after = {}};
  return {std::isnan(height) ? infinity : height, measured(passes, runs, optimum).value};
}

// The best trial per method and panel.
std::vector<MethodRuns> best_trials(const ExperimentPlan& plan, const StudyResult& result, const RecordsByKey& records,
                                    const std::map<std::string, Optimum>& optima) {
  std::vector<MethodRuns> best;
  for (const Trial& trial : plan.trials) {
    MethodRuns runs{trial.panel, trial.label, {}, trial.criteria, trial.tried};
    for (const std::size_t k : trial.runs)
      if (const auto found = records.find(key_of(plan.study.runs[k])); found != records.end())
        runs.runs.push_back(*found->second);
    const std::string problem = name_of_problem(plan.experiment, trial.panel);
    for (const Refused& refused : result.refused)
      if (runs.runs.empty() && refused.label == trial.label && refused.problem == problem) runs.refused = refused.why;
    const auto best_so_far = std::find_if(best.begin(), best.end(), [&](const MethodRuns& other) {
      return other.panel == runs.panel && other.label == runs.label;
    });
    const auto optimum = optima.find(trial.panel);
    const Optimum at = optimum == optima.end() ? Optimum{} : optimum->second;
    if (best_so_far == best.end()) best.push_back(std::move(runs));
    else if (quality(runs, plan.experiment, at) < quality(*best_so_far, plan.experiment, at))
      *best_so_far = std::move(runs);
  }
  return best;
}

// The curves of a [[series]] in a panel; a curve with the reason (`missing`) if the bound of a theorem does not apply.
std::vector<Curve> curves_of(const SeriesSpec& spec, const PlannedPanel& planned, const ExperimentPlan& plan,
                             const Evidence& evidence) {
  std::vector<MethodRuns> here;
  for (const MethodRuns& runs : evidence.methods)
    if (runs.panel == planned.panel.name) here.push_back(runs);
  OptionValues options = spec.options;
  if (const auto smaller = spec.smaller.find(plan.mode); smaller != spec.smaller.end())
    for (const auto& [option, value] : smaller->second) options[option] = value;
  const Settings settings = plan.experiment.settings_of(plan.mode, planned.panel);
  std::vector<Curve> curves;
  try {
    curves = make_series(spec, {planned.problem->problem, options, here, evidence.optimum(planned.panel.name),
                                settings.criteria().max_passes});
  } catch (const InvalidOption&) {
    throw;
  } catch (const Error& error) {
    curves.push_back({spec.name, {}, spec.style, {}, {}, with_options(error.what())});
  }
  for (Curve& curve : curves) curve.panel = planned.panel.name;
  return curves;
}

std::vector<Curve> curves_of(const ExperimentPlan& plan, const Evidence& evidence) {
  std::vector<Curve> curves;
  for (const PlannedPanel& planned : plan.panels)
    for (const SeriesSpec& spec : plan.experiment.series)
      if (chosen_by(spec.panels, planned.panel.name))
        for (Curve& curve : curves_of(spec, planned, plan, evidence)) curves.push_back(std::move(curve));
  return curves;
}

// The data used instead of the paper's set: "mnist-4-9 for gisette", "5000 rows of w8a". Empty: the set itself.
std::string other_data(const ExperimentPlan& plan, const PlannedPanel& planned) {
  const std::string& set = planned.panel.data;
  const std::optional<std::size_t> rows = plan.experiment.settings_of(plan.mode, planned.panel).rows;
  const bool generated = planned.used.starts_with("generated rows");  // which includes the number
  const bool cut = rows && !generated && planned.problem != nullptr && planned.problem->problem.n() == *rows;
  return fmt::format("{}{}{}", cut ? fmt::format("{} rows of ", *rows) : "",
                     cut || planned.used != set ? planned.used : "",
                     planned.used != set ? fmt::format(" for {}", set) : "");
}

DataOfPanels data_of_panels(const ExperimentPlan& plan) {
  DataOfPanels data;
  for (const PlannedPanel& planned : plan.panels)
    data[planned.panel.name] = planned.panel.ours                  ? PanelData::ours
                               : other_data(plan, planned).empty() ? PanelData::paper
                                                                   : PanelData::substituted;
  return data;
}

Json experiment_json(const ExperimentPlan& plan, const Evidence& evidence) {
  const Experiment& e = plan.experiment;
  Json panels = Json::array(), claims = Json::array(), tried = Json::array(), printed = Json::array();
  std::map<std::string, std::string> others;
  for (const PlannedPanel& planned : plan.panels) {
    panels.push_back({{"name", planned.panel.name},
                      {"data", planned.panel.data},
                      {"used", planned.used},
                      {"substitute", planned.substitute}});
    if (std::string other = other_data(plan, planned); !other.empty()) others[planned.panel.name] = std::move(other);
  }
  for (const Claim& claim : e.claims) claims.push_back({{"says", claim.says}});
  for (const MethodRuns& runs : evidence.methods)
    if (!runs.tried.empty()) tried.push_back({{"panel", runs.panel}, {"label", runs.label}, {"best", runs.tried}});
  for (const PrintedTable& table : e.printed) printed.push_back(printed_json(table, evidence, others));
  Json json = {{"type", "experiment"},
               {"experiment", e.name},
               {"paper", e.paper},
               {"figure", e.figure},
               {"title", e.title},
               {"about", e.about},
               {"x", e.x},
               {"y", e.y},
               {"columns", e.columns},
               {"differences", e.differences},
               {"panels", std::move(panels)},
               {"claims", std::move(claims)},
               {"command", fmt::format("seesaw reproduce {} --{}", shell_quoted(e.called), name_of(plan.mode))}};
  if (!tried.empty()) json["tried"] = std::move(tried);
  if (!printed.empty()) json["printed"] = std::move(printed);
  Json sweeps = Json::array();
  for (const PrintedTable& table : e.sweeps) sweeps.push_back(printed_json(table, evidence, others));
  if (!sweeps.empty()) json["sweeps"] = std::move(sweeps);
  return json;
}

Json numbers(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(finite_or_null(value));
  return json;
}

Json curve_json(const Curve& curve, const Experiment& experiment) {
  return {{"type", "series"},      {"series", curve.name},  {"experiment", experiment.name}, {"panel", curve.panel},
          {"x", numbers(curve.x)}, {"y", numbers(curve.y)}, {"style", curve.style}};
}

Json refused_json(const MethodRuns& method, const Experiment& experiment) {
  return {{"type", "refused"},     {"refused", method.label},
          {"label", method.label}, {"problem", name_of_problem(experiment, method.panel)},
          {"why", method.refused}, {"experiment", experiment.name},
          {"panel", method.panel}};
}

Json verdict_json(const ClaimVerdict& verdict, const Experiment& experiment) {
  Json json = {{"type", "verdict"},
               {"verdict", name_of(verdict.finding)},
               {"basis", name_of(verdict.basis)},
               {"experiment", experiment.name},
               {"claim", verdict.claim},
               {"measured", verdict.measured}};
  if (!verdict.figures.empty()) json["figures"] = verdict.figures;
  if (verdict.on_paper_data) json["on_paper_data"] = name_of(*verdict.on_paper_data);
  return json;
}

// The header of a run, with `hidden` if the page does not show it.
std::string marked(const std::string& header, bool hidden) {
  Json json = Json::parse(header);
  json.erase("hidden");
  if (hidden) json["hidden"] = true;
  return json.dump();
}

// The substituted and cut sets, for the end of a verdict; the panels have the details.
std::string substitutes_of(const ExperimentPlan& plan, const Claim& claim) {
  std::vector<std::string> words;
  for (const PlannedPanel& planned : plan.panels) {
    if (!chosen_by(claim.panels, planned.panel.name)) continue;
    std::string one = other_data(plan, planned);
    if (!one.empty() && !contains(words, one)) words.push_back(std::move(one));
  }
  return words.empty() ? "" : fmt::format("With {}.", fmt::join(words, ", "));
}

}  // namespace

Reproduced conclude(const ExperimentPlan& plan, const StudyResult& result) {
  RecordsByKey records;
  for (const RunRecord& record : result.records) records[record.key] = &record;
  Evidence evidence;
  evidence.optima = optima_of(result.records);
  evidence.methods = best_trials(plan, result, records, evidence.optima);
  evidence.curves = curves_of(plan, evidence);

  const DataOfPanels data = data_of_panels(plan);
  Reproduced done{plan.experiment, {}, {}, {}, {}};
  done.lines.push_back(experiment_json(plan, evidence).dump());
  const auto show = [&](const RunRecord& record) {
    done.lines.push_back(marked(record.lines.front(), false));
    done.lines.insert(done.lines.end(), record.lines.begin() + 1, record.lines.end());
    done.keys.push_back(record.key);
  };
  for (const RunRecord& record : result.records)
    if (record.reference) show(record);
  for (const MethodRuns& method : evidence.methods) {
    for (const RunRecord& run : method.runs) show(run);
    if (!method.refused.empty()) done.lines.push_back(refused_json(method, plan.experiment).dump());
  }
  for (const Curve& curve : evidence.curves)
    if (curve.missing.empty()) done.lines.push_back(curve_json(curve, plan.experiment).dump());
  for (const Claim& claim : plan.experiment.claims) {
    ClaimVerdict verdict = judge(claim, plan.experiment, evidence, data);
    const std::string substitutes = substitutes_of(plan, claim);
    if (claim.untestable.empty() && !substitutes.empty()) verdict.measured += " " + substitutes;
    done.lines.push_back(verdict_json(verdict, plan.experiment).dump());
    done.verdicts.push_back(std::move(verdict));
  }
  for (const PrintedTable& table : plan.experiment.sweeps)
    done.sweeps.push_back({table, printed_cells(table, evidence)});
  return done;
}

VerdictCounts count_verdicts(const std::vector<Reproduced>& experiments) {
  VerdictCounts counts;
  for (const Reproduced& one : experiments)
    for (const ClaimVerdict& verdict : one.verdicts) ++counts[verdict.basis][verdict.finding];
  return counts;
}

std::map<Finding, std::size_t> count_on_paper_data(const std::vector<Reproduced>& experiments) {
  std::map<Finding, std::size_t> counts;
  for (const Reproduced& one : experiments)
    for (const ClaimVerdict& verdict : one.verdicts)
      if (verdict.on_paper_data) ++counts[*verdict.on_paper_data];
  return counts;
}

std::string machine_line(Mode mode, const std::string& date) {
  const Json machine = {{"cpu", cpu()},
                        {"cores", std::thread::hardware_concurrency()},
                        {"date", date},
                        {"mode", name_of(mode)},
                        {"version", version()}};
  return Json{{"type", "machine"}, {"machine", machine}}.dump();
}

std::vector<std::string> thinned(const std::vector<std::string>& lines, std::size_t most) {
  const auto is_check = [](const std::string& line) { return type_of(line) == LineType::check; };
  std::vector<std::string> kept;
  for (std::size_t from = 0; from < lines.size();) {
    std::size_t to = from;
    while (to < lines.size() && is_check(lines[to])) ++to;
    const std::size_t checks = to - from;
    for (std::size_t k = 0; k < std::min(checks, most); ++k)
      kept.push_back(lines[checks <= most ? from + k : from + k * (checks - 1) / (most - 1)]);
    if (to < lines.size()) kept.push_back(lines[to]);
    from = to + 1;
  }
  return kept;
}

std::vector<std::string> lines_of_file(std::vector<std::string> page, const std::vector<std::string>& shown_keys,
                                       const Journal& journal) {
  const std::set<std::string> shown(shown_keys.begin(), shown_keys.end());
  for (const RunRecord& record : journal.finished()) {
    if (shown.count(record.key) > 0) continue;
    page.push_back(record.experiment.empty() ? record.lines.front() : marked(record.lines.front(), true));
    page.insert(page.end(), record.lines.begin() + 1, record.lines.end());
  }
  return page;
}

}  // namespace seesaw
