#include "study/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/milestones.h"

namespace seesaw {

double interpolate(const Curve& curve, double x) {
  const auto& xs = curve.x;
  if (xs.empty() || !(x >= xs.front()) || !(x <= xs.back())) return NAN;
  const std::size_t right = static_cast<std::size_t>(std::lower_bound(xs.begin(), xs.end(), x) - xs.begin());
  if (xs[right] == x) return curve.y[right];
  const double fraction = (x - xs[right - 1]) / (xs[right] - xs[right - 1]);
  const double from = curve.y[right - 1], to = curve.y[right];
  if (from > 0 && to > 0) return std::exp(std::lerp(std::log(from), std::log(to), fraction));
  return std::lerp(from, to, fraction);
}

const MethodRuns* Evidence::find(const std::string& panel, const std::string& label) const {
  for (const MethodRuns& one : methods)
    if (one.panel == panel && one.label == label) return &one;
  return nullptr;
}

const Curve* Evidence::curve(const std::string& panel, const std::string& name) const {
  for (const Curve& one : curves)
    if (one.panel == panel && one.name == name) return &one;
  return nullptr;
}

Optimum Evidence::optimum(const std::string& panel) const {
  const auto found = optima.find(panel);
  return found == optima.end() ? Optimum{} : found->second;
}

const std::vector<std::string>& comparing_measures() {
  static const std::vector<std::string> names = {"passes", "seconds",          "entries",         "suboptimality",
                                                 "gap",    "seconds-per-pass", "entries-per-pass"};
  return names;
}

const std::vector<std::string>& claim_measures() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = comparing_measures();
    for (const char* more : {"linear", "bound", "share-below", "minimum", "printed"}) all.emplace_back(more);
    return all;
  }();
  return names;
}

bool measures_work(const Measure& m) { return m.name == "passes" || m.name == "seconds" || m.name == "entries"; }
bool measures_height(const Measure& m) { return m.name == "suboptimality" || m.name == "gap"; }

bool measures_time(const Measure& m) { return m.name == "seconds" || m.name == "seconds-per-pass"; }

bool needs_optimum(const Measure& m) {
  if (measures_height(m)) return m.name == "suboptimality";
  return (measures_work(m) || m.name == "linear" || m.name == "bound") && m.of == "suboptimality";
}

double height(const TraceRow& check, const Measure& measure, const Optimum& optimum) {
  const bool above_optimum = needs_optimum(measure);
  const double value = above_optimum ? check.latest_primal - optimum.value : check.gap;
  if (std::isnan(value)) return infinity;
  return measure.relative ? value / (above_optimum ? optimum.value : check.primal) : value;
}

double resolution(const RunRecord& run, const Criteria& criteria, const Measure& measure, const Optimum& optimum) {
  const double primal = run.checks.empty() ? infinity : run.checks.back().primal;
  double finest = std::max(criteria.gap_abs, criteria.gap * primal);
  if (needs_optimum(measure)) finest = std::max(finest, optimum.uncertain);
  return measure.relative ? finest / primal : finest;
}

namespace {

double cost(const Measure& measure, const TraceRow& check) {
  if (measure.name == "seconds") return check.solve_seconds;
  return measure.name == "entries" ? check.entry_passes : check.passes;
}

}  // namespace

Figure measured(const Measure& measure, const RunRecord& run, const Criteria& criteria, const Optimum& optimum) {
  if (run.checks.empty()) return {};
  const TraceRow& last = run.checks.back();
  const bool limited = run.status.ends_with("-limit");
  if (measure.name == "seconds-per-pass") return {last.passes > 0 ? last.solve_seconds / last.passes : infinity};
  if (measure.name == "entries-per-pass") return {last.passes > 0 ? last.entry_passes / last.passes : infinity};
  if (measure.to_end && run.status == "diverged") return {};
  if (measure.to_end) {  // the first check from which on it is reached: curves need not be monotone
    const auto above = std::find_if(run.checks.rbegin(), run.checks.rend(), [&](const TraceRow& check) {
      return height(check, measure, optimum) > *measure.to;
    });
    return {above == run.checks.rbegin() ? infinity : cost(measure, *above.base())};
  }
  if (measures_work(measure)) {
    for (const TraceRow& check : run.checks)
      if (height(check, measure, optimum) <= *measure.to) return {cost(measure, check)};
    return {infinity, limited ? cost(measure, last) : infinity};
  }
  if (run.status == "diverged") return {};
  if (limited && std::isfinite(*measure.after) && last.passes < *measure.after * (1 - 1e-9)) return {NAN};
  double value = infinity;
  for (const TraceRow& check : run.checks)
    if (check.passes <= *measure.after * (1 + 1e-9)) value = height(check, measure, optimum);
  const double finest = resolution(run, criteria, measure, optimum);
  Figure figure{std::max(value, finest)};
  figure.at_resolution = value <= finest;
  return figure;
}

Figure measured(const Measure& measure, const MethodRuns& method, const Optimum& optimum) {
  if (method.runs.empty()) return {NAN};
  std::vector<double> values, above;
  std::size_t at_resolution = 0;
  for (const RunRecord& run : method.runs) {
    const Figure one = measured(measure, run, method.criteria, optimum);
    if (std::isnan(one.value)) return {NAN};
    values.push_back(one.value);
    above.push_back(std::min(one.value, one.above));
    at_resolution += one.at_resolution ? 1 : 0;
  }
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  const double low = values[last / 4], high = values[last - last / 4];
  return {median(std::move(values)), median(std::move(above)), low, high, 2 * at_resolution > method.runs.size()};
}

std::string in_words(const Measure& m) {
  const std::string relative = m.relative ? "relative " : "";
  if (m.to_end) return fmt::format("{}{} at the end of the figure, and passes to the higher one", relative, m.of);
  if (measures_work(m)) return fmt::format("{} to {}{} {:.0e}", m.name, relative, m.of, *m.to);
  if (measures_height(m))
    return std::isinf(*m.after) ? fmt::format("{}{} at the end of the figure", relative, m.name)
                                : fmt::format("{}{} after {:g} passes", relative, m.name, *m.after);
  return m.name == "seconds-per-pass" ? "seconds per pass" : "entries used per pass, divided by the non-zeros";
}

std::string number_in_words(const Measure& m, double value) {
  if (std::isnan(value)) return measures_height(m) ? "not run that far" : "not run";
  if (std::isinf(value)) return measures_work(m) ? "not reached" : "diverged";
  if (measures_height(m)) return fmt::format("{:.1e}", value);
  if (m.name == "seconds-per-pass") return fmt::format("{:.2e} s", value);
  if (m.name == "seconds") return fmt::format("{:.3g} s", value);
  return fmt::format("{:.4g}", value);
}

std::string in_words(const Measure& measure, const Figure& figure) {
  std::string number = number_in_words(measure, figure.value);
  if (!measures_time(measure) || !(figure.low < figure.high) || std::isinf(figure.high)) return number;
  const auto plain = [&](double value) {
    std::string text = number_in_words(measure, value);
    return text.substr(0, text.size() - 2);  // without the unit
  };
  return fmt::format("{} ({} to {})", number, plain(figure.low), plain(figure.high));
}

}  // namespace seesaw
