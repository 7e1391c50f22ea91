#include "study/experiment.h"

#include <algorithm>

#include "data/transform.h"
#include "seesaw/error.h"
#include "study/names.h"

namespace seesaw {
namespace {

template <class Value>
void replace(std::optional<Value>& below, const std::optional<Value>& above) {
  if (above) below = above;
}

constexpr double passes_unless_said = 100;
constexpr std::size_t seeds_unless_said = 1;

// `standard`: what holds where nothing is said.
template <class Value>
void lower(std::optional<Value>& below, const std::optional<Value>& above, const std::optional<Value>& standard = {}) {
  if (!above) return;
  if (!below) below = standard;
  below = below ? std::min(*below, *above) : *above;
}

}  // namespace

std::string_view name_of(Mode mode) {
  switch (mode) {
    case Mode::test:
      return "test";
    case Mode::quick:
      return "quick";
    case Mode::full:
      break;
  }
  return "full";
}

bool Settings::changes_problem() const {
  return loss || reg || intercept || scale || loss_parameter || lambda || l1 || C || rows;
}

Objective Settings::objective() const {
  Objective objective;
  objective.loss = loss.value_or("");
  objective.loss_parameter = loss_parameter;
  objective.regularizer = reg.value_or("");
  objective.lambda = lambda;
  objective.l1 = l1;
  objective.C = C;
  objective.intercept = intercept_of(intercept.value_or("none"));
  return objective;
}

Criteria Settings::criteria() const {
  Criteria criteria{
      .gap = 0, .gap_abs = 1e-12, .max_passes = passes_unless_said, .check_every = check_every.value_or(1)};
  if (gap || gap_abs) {
    criteria.gap = gap.value_or(0);
    criteria.gap_abs = gap_abs.value_or(0);
  }
  criteria.choose_limits(max_passes, time);
  return criteria;
}

Settings overlaid(Settings below, const Settings& above) {
  replace(below.loss, above.loss);
  replace(below.reg, above.reg);
  replace(below.intercept, above.intercept);
  replace(below.scale, above.scale);
  replace(below.loss_parameter, above.loss_parameter);
  replace(below.lambda, above.lambda);
  replace(below.l1, above.l1);
  replace(below.C, above.C);
  replace(below.gap, above.gap);
  replace(below.gap_abs, above.gap_abs);
  replace(below.max_passes, above.max_passes);
  replace(below.time, above.time);
  replace(below.check_every, above.check_every);
  replace(below.seeds, above.seeds);
  replace(below.rows, above.rows);
  return below;
}

std::vector<Panel> Experiment::panels_in(Mode mode) const {
  const auto reduction = reductions.find(mode);
  if (reduction == reductions.end()) return panels;
  std::vector<Panel> some;
  for (const Panel& panel : panels)
    if (chosen_by(reduction->second.panels, panel.name)) some.push_back(panel);
  return some;
}

std::vector<Method> Experiment::methods_in(Mode mode, const Panel& panel) const {
  const auto reduction = reductions.find(mode);
  std::vector<Method> some;
  for (const Method& method : methods)
    if (chosen_by(method.panels, panel.name) &&
        (reduction == reductions.end() || chosen_by(reduction->second.methods, method.label)))
      some.push_back(method);
  return some;
}

Settings Experiment::settings_of(Mode mode, const Panel& panel, const Method* method) const {
  Settings all = overlaid(settings, panel.settings);
  if (method != nullptr) all = overlaid(std::move(all), method->settings);
  const auto reduction = reductions.find(mode);
  if (reduction == reductions.end()) return all;
  Settings less = reduction->second.settings;
  lower(all.seeds, less.seeds, std::optional(seeds_unless_said));
  lower(all.rows, less.rows);
  if (!all.time) lower(all.max_passes, less.max_passes, std::optional(passes_unless_said));
  else lower(all.max_passes, less.max_passes);  // time alone sets no limit of passes
  lower(all.time, less.time);
  less.seeds.reset();
  less.rows.reset();
  less.max_passes.reset();
  less.time.reset();
  return overlaid(std::move(all), less);
}

}  // namespace seesaw
