#include "study/curve_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "study/measures.h"

namespace seesaw {
namespace {

struct Quantity {
  const char* name;
  double (*of)(const TraceRow&);
};

constexpr Quantity quantities[] = {
    {"gap", [](const TraceRow& row) { return row.gap; }},
    {"relative_gap", [](const TraceRow& row) { return row.gap / row.primal; }},
    {"primal", [](const TraceRow& row) { return row.primal; }},
    {"dual", [](const TraceRow& row) { return row.dual; }},
    {"entry_passes", [](const TraceRow& row) { return row.entry_passes; }},
    {"seconds", [](const TraceRow& row) { return row.solve_seconds; }},
};

using Checks = std::vector<TraceRow>;

// The checks of a run, divided where the passes begin again: the classes of one-versus-rest.
std::vector<Checks> classes_of(const RunRecord& run) {
  std::vector<Checks> classes;
  for (const TraceRow& check : run.checks) {
    if (classes.empty() || check.passes < classes.back().back().passes) classes.emplace_back();
    classes.back().push_back(check);
  }
  return classes;
}

// Of sorted values, by linear interpolation between the order statistics.
double quantile(const std::vector<double>& sorted, double fraction) {
  const double at = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

Curve curve_of(const Checks& checks, const Quantity& quantity) {
  Curve curve;
  for (const TraceRow& check : checks) {
    curve.x.push_back(check.passes);
    curve.y.push_back(quantity.of(check));
  }
  return curve;
}

std::string quoted_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

void add_rows(std::string& text, const std::string& head, const std::vector<Checks>& seeds) {
  std::set<double> passes;
  for (const Checks& checks : seeds)
    for (const TraceRow& check : checks) passes.insert(check.passes);
  for (const Quantity& quantity : quantities) {
    std::vector<Curve> curves;
    for (const Checks& checks : seeds) curves.push_back(curve_of(checks, quantity));
    for (const double at : passes) {
      std::vector<double> values;
      for (const Curve& curve : curves)
        if (const double value = interpolate(curve, std::min(at, curve.x.back())); std::isfinite(value))
          values.push_back(value);
      if (values.empty()) continue;
      std::sort(values.begin(), values.end());
      const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
      text += fmt::format("{},{},{},{},{},{}", head, quantity.name, at, values.size(), mean, quantile(values, 0.5));
      for (const double fraction : {0.1, 0.25, 0.75, 0.9}) text += fmt::format(",{}", quantile(values, fraction));
      text += "\n";
    }
  }
}

}  // namespace

std::string curves_csv(const std::vector<RunRecord>& records) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<Checks>> seeds;  // by "problem,method"
  for (const RunRecord& run : records) {
    if (run.reference) continue;
    const std::vector<Checks> classes = classes_of(run);
    for (std::size_t k = 0; k < classes.size(); ++k) {
      std::string problem = run.panel.empty() ? run.problem : fmt::format("{}, {}", run.experiment, run.panel);
      if (classes.size() > 1) problem += fmt::format(", class {}", k + 1);
      const std::string head = quoted_cell(problem) + "," + quoted_cell(run.label);
      if (seeds.count(head) == 0) order.push_back(head);
      seeds[head].push_back(classes[k]);
    }
  }
  std::string text = "problem,method,quantity,passes,seeds,mean,median,q10,q25,q75,q90\n";
  for (const std::string& head : order) add_rows(text, head, seeds[head]);
  return text;
}

}  // namespace seesaw
