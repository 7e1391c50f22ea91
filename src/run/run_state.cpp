#include "run/run_state.h"

#include <mutex>
#include <set>

namespace seesaw {
namespace {

// Names of diagnostics are static (solvers/solver.h): those of a file are kept until the program ends.
std::string_view kept_name(const std::string& name) {
  static std::mutex mutex;
  static std::set<std::string> names;
  const std::lock_guard lock(mutex);
  return *names.insert(name).first;
}

void serialize(Archive& archive, std::vector<Diagnostic>& diagnostics) {
  std::string names;  // one per line
  std::vector<double> values;
  for (const Diagnostic& one : diagnostics) {
    names.append(one.name).append("\n");
    values.push_back(one.value);
  }
  archive.text("names", names);
  archive.array("values", values);
  if (archive.saving()) return;
  diagnostics.clear();
  std::size_t begin = 0;
  for (const double value : values) {
    const std::size_t end = names.find('\n', begin);
    diagnostics.push_back({kept_name(names.substr(begin, end - begin)), value});
    begin = end + 1;
  }
}

void serialize(Archive& archive, TraceRow& row) {
  archive.numbers("row", row.primal, row.dual, row.gap, row.passes, row.entry_passes, row.solve_seconds,
                  row.check_seconds, row.latest_primal, row.latest_dual, row.nonzeros, row.dual_point);
  serialize(archive, row.diagnostics);
}

void serialize(Archive& archive, std::optional<OptimumBounds>& optimum) {
  std::vector<double> ends;  // of the intercepts
  bool known = optimum.has_value();
  archive.numbers("optimum", known);
  if (!known) return optimum.reset();
  if (!optimum) optimum.emplace();
  for (const Interval& one : optimum->intercept) ends.insert(ends.end(), {one.lo, one.hi});
  archive.array("centre", optimum->centre);
  archive.array("radius", optimum->radius);
  archive.array("ends", ends);
  optimum->intercept.clear();
  for (std::size_t k = 0; k + 1 < ends.size(); k += 2) optimum->intercept.push_back({ends[k], ends[k + 1]});
}

}  // namespace

void serialize(Archive& archive, Bounds& bounds) { archive.numbers("bounds", bounds.primal, bounds.dual, bounds.gap); }

void serialize(Archive& archive, Certificate& certificate) {
  serialize(archive, static_cast<Bounds&>(certificate));
  archive.numbers("certificate", certificate.dual_point, certificate.guaranteed);
  archive.optional("distance", certificate.distance_bound);
}

void serialize(Archive& archive, Point& point, std::size_t outputs) {
  archive.array("x", point.x);
  archive.array("intercept", point.intercept);
  archive.rows("y", point.y, outputs);
}

void serialize(Archive& archive, std::vector<TraceRow>& trace) {
  std::size_t rows = trace.size();
  archive.numbers("trace", rows);
  trace.resize(rows);
  for (TraceRow& row : trace) serialize(archive, row);
}

void serialize(Archive& archive, Outcome& outcome, std::size_t outputs) {
  serialize(archive, outcome.point, outputs);
  serialize(archive, outcome.certificate);
  serialize(archive, outcome.optimum);
  archive.numbers("termination", outcome.termination);
  archive.text("method", outcome.method);
  serialize(archive, outcome.last);
  serialize(archive, outcome.trace);
}

}  // namespace seesaw
