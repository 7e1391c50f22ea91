// Constructed records for the tests of claims.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "study/claims.h"

namespace seesaw::test {

// A run of P = 1 + above[k] after 10 k passes, with a gap twice as high; P* = 1.
inline RunRecord run_of(const std::vector<double>& above, const std::string& status = "converged") {
  RunRecord run;
  run.status = status;
  for (std::size_t k = 0; k < above.size(); ++k) {
    TraceRow row;
    row.passes = 10 * static_cast<double>(k);
    row.solve_seconds = row.passes / 100;
    row.entry_passes = 2 * row.passes;
    row.primal = row.latest_primal = 1 + above[k];
    row.gap = 2 * above[k];
    run.checks.push_back(row);
  }
  return run;
}

inline const std::vector<double> quick = {1, 1e-2, 1e-4, 1e-6, 1e-8}, slow = {1, 1e-1, 1e-2, 1e-3, 1e-4};

struct Setting {
  Experiment experiment;
  Evidence evidence;

  explicit Setting(const std::vector<std::string>& panels = {"one"}) {
    for (const std::string& name : panels) {
      experiment.panels.push_back({name, "set", {}});
      evidence.optima[name] = {1, 1e-12};
    }
  }
  Setting& runs(const std::string& panel, const std::string& label, std::vector<RunRecord> seeds) {
    evidence.methods.push_back({panel, label, std::move(seeds), Criteria{.gap = 0, .gap_abs = 1e-12}});
    return *this;
  }
  ClaimVerdict judged(const Claim& claim) const { return judge(claim, experiment, evidence); }
};

inline Claim faster(double factor = 1, const char* measure = "passes") {
  Claim claim;
  claim.says = "a is faster than b";
  claim.measure = {.name = measure, .of = "suboptimality", .to = 1e-4, .after = {}};
  claim.methods = {"a"};
  claim.against = {"b"};
  claim.at_most = factor;
  return claim;
}

}  // namespace seesaw::test
