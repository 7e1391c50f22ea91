#include "study/experiment.h"

#include <algorithm>

#include "data/transform.h"
#include "seesaw/error.h"
#include "study/names.h"

namespace seesaw {
namespace {

template <class Value>
void replace(std::optional<Value>& base, const std::optional<Value>& override_by) {
  if (override_by) base = override_by;
}

constexpr double default_passes = 100;
constexpr std::size_t default_seeds = 1;

// Lowers a limit. `standard`: its default.
template <class Value>
void lower(std::optional<Value>& limit, const std::optional<Value>& to, const std::optional<Value>& standard = {}) {
  if (!to) return;
  if (!limit) limit = standard;
  limit = limit ? std::min(*limit, *to) : *to;
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
  Criteria criteria{.gap = 0, .gap_abs = 1e-12, .max_passes = default_passes, .check_every = check_every.value_or(1)};
  if (gap || gap_abs) {
    criteria.gap = gap.value_or(0);
    criteria.gap_abs = gap_abs.value_or(0);
  }
  criteria.choose_limits(max_passes, time);
  return criteria;
}

Settings overlaid(Settings base, const Settings& overrides) {
  replace(base.loss, overrides.loss);
  replace(base.reg, overrides.reg);
  replace(base.intercept, overrides.intercept);
  replace(base.scale, overrides.scale);
  replace(base.loss_parameter, overrides.loss_parameter);
  replace(base.lambda, overrides.lambda);
  replace(base.l1, overrides.l1);
  replace(base.C, overrides.C);
  replace(base.gap, overrides.gap);
  replace(base.gap_abs, overrides.gap_abs);
  replace(base.max_passes, overrides.max_passes);
  replace(base.time, overrides.time);
  replace(base.check_every, overrides.check_every);
  replace(base.seeds, overrides.seeds);
  replace(base.rows, overrides.rows);
  return base;
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
  lower(all.seeds, less.seeds, std::optional(default_seeds));
  lower(all.rows, less.rows);
  if (!all.time) lower(all.max_passes, less.max_passes, std::optional(default_passes));
  else lower(all.max_passes, less.max_passes);  // with a time limit there is no default limit of passes
  lower(all.time, less.time);
  less.seeds.reset();
  less.rows.reset();
  less.max_passes.reset();
  less.time.reset();
  return overlaid(std::move(all), less);
}

}  // namespace seesaw
