// What a pass of the primal gradient methods costs, in units of an unshrunk pass of SDCA over the same data with the
// same penalty, one thread, same run. Text-shaped data (Zipf columns, 75 entries a row); katyusha with l1 moves all
// columns in every step, so that it is timed on data of fewer rows. Times alternate, the median counts.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <string>
#include <vector>

#include "kernels/shapes.h"
#include "solvers/catalog.h"

namespace {

using namespace seesaw;
using namespace seesaw::bench;

struct Line {
  std::string method;
  double allowed;  // times SDCA; 0: no figure to keep
};

void report(const Dataset& data, const std::string& loss, double l1, int repetitions, const std::vector<Line>& lines) {
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
      pass.push_back(seconds / (solver->work().passes - passes));
    }
    const double sdca_seconds = median_seconds(unit), seconds = median_seconds(pass),
                 ns = 1e9 / static_cast<double>(data.nnz);
    fmt::print("{:<9} {:<13} {:>8.0e} {:>9.2f} {:>9.2f} {:>7.2f} {:>9}\n", line.method, loss, l1, ns * sdca_seconds,
               ns * seconds, seconds / sdca_seconds, line.allowed > 0 ? fmt::format("{:g}", line.allowed) : "-");
  }
}

}  // namespace

int main() {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  fmt::print(
      "one pass of a primal gradient method against one of SDCA (no shrinking): ns per entry, and their ratio\n");
  fmt::print("{:<9} {:<13} {:>8} {:>9} {:>9} {:>7} {:>9}\n", "method", "loss", "l1", "SDCA", "pass", "ratio",
             "allowed");
  const Dataset text = text_shaped();
  for (const char* loss : {"smooth-hinge", "logistic"})
    for (const double l1 : {0.0, 1e-7, 1e-5}) {
      report(text, loss, l1, 9, {{"sag", 0}, {"saga", 4}, {"svrg", 4}});
      if (l1 == 0) report(text, loss, 0, 9, {{"katyusha", 0}});
    }
  SynthOptions options;
  options.n = 1000;
  options.d = 40000;
  report(synthesize("text", options), "smooth-hinge", 1e-5, 1, {{"katyusha", 0}});
}
