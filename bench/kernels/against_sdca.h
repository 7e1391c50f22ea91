// The cost of a pass of a method, in units of a pass of SDCA without shrinking over the same data with the same loss and
// penalty in the same run. Runs alternate; medians are reported.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/shapes.h"
#include "solvers/catalog.h"

namespace seesaw::bench {

struct Line {
  std::string method;
  double allowed = 0;  // times SDCA; 0: no limit
};

inline void print_head(const std::string& family) {
  fmt::print("one pass of a {} method against one of SDCA (no shrinking): ns per entry, and their ratio\n", family);
  fmt::print("{:<13} {:<13} {:>8} {:>9} {:>9} {:>7} {:>9}\n", "method", "loss", "l1", "SDCA", "pass", "ratio",
             "allowed");
}

inline void compare_with_sdca(const Dataset& data, const std::string& loss, double l1, const std::vector<Line>& lines,
                              int repetitions = 15) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = 1 / static_cast<double>(data.n());
  if (l1 > 0) objective.l1 = l1;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  const auto make = [&](const std::string& name, const OptionValues& options) {
    auto solver = make_solver(problem, {name, options, 1});
    for (int k = 0; k < std::min(repetitions, 3); ++k) solver->epoch();
    return solver;
  };
  const auto sdca = make("sdca", {{"shrink", "off"}, {"extrapolate", "off"}});
  for (const Line& line : lines) {
    const auto solver = make(line.method, {});
    std::vector<double> unit, pass;
    for (int k = 0; k < repetitions; ++k) {
      unit.push_back(seconds_of([&] { sdca->epoch(); }));
      const double passes = solver->work().passes, seconds = seconds_of([&] { solver->epoch(); });
      pass.push_back(seconds / (solver->work().passes - passes));  // an epoch may be several passes
    }
    const double sdca_seconds = median_seconds(unit), seconds = median_seconds(pass),
                 ns = 1e9 / static_cast<double>(data.nnz);
    fmt::print("{:<13} {:<13} {:>8.0e} {:>9.2f} {:>9.2f} {:>7.2f} {:>9}\n", line.method, loss, l1, ns * sdca_seconds,
               ns * seconds, seconds / sdca_seconds, line.allowed > 0 ? fmt::format("{:g}", line.allowed) : "-");
  }
}

}  // namespace seesaw::bench
