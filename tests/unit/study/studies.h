// A small problem and the runs of a small study on it.
#pragma once

#include <memory>

#include "study/study.h"
#include "support/problems.h"

namespace seesaw::test {

inline Objective objective_of(const std::string& loss, double lambda) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = lambda;
  return objective;
}

inline PreparedData prepared_of(Dataset data, const std::string& source = "some folder/some.svm") {
  data.source = source;
  return prepare(std::move(data), Scaling::none, false);
}

inline std::shared_ptr<const StudyProblem> problem_of(const Objective& objective) {
  return make_study_problem(prepared_of(random_data(40, 5, Target::sign, 3)), objective);
}

inline std::vector<Competitor> competitors_of(const std::vector<std::string>& names) {
  std::vector<Competitor> all;
  for (const std::string& name : names) all.push_back(competitor(name));
  return all;
}

// A run with these passes and gaps, P = 1.
inline RunRecord record_of(const std::vector<std::pair<double, double>>& checks) {
  RunRecord record;
  for (const auto& [passes, gap] : checks) {
    TraceRow row;
    row.passes = passes;
    row.solve_seconds = passes / 10;
    row.entry_passes = 2 * passes;
    row.primal = 1;
    row.gap = gap;
    record.checks.push_back(row);
  }
  return record;
}

}  // namespace seesaw::test
