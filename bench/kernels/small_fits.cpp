// Where the time of a small fit goes: 1000 x 20 dense data in memory, one thread, microseconds of CPU time, the least of
// many repetitions. The phases are measured one by one. `fit` is the whole function as for users of the library, who have the
// hash and the facts of the data (model/kept_facts.h) from the first fit on it; `first` is a first fit, with both.
//
// usage: bench_small_fits [LOSS PENALTY INTERCEPT REPETITIONS]    one of them, for a profile
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <string>
#include <vector>

#include "kernels/shapes.h"
#include "model/rigorous/optimum_region.h"
#include "model/rigorous/rigorous_certificate.h"
#include "run/fit.h"
#include "solvers/catalog.h"

namespace {

using namespace seesaw;
using namespace seesaw::bench;

constexpr int standard_repetitions = 200;

double microseconds(const std::function<void()>& work, int repetitions = standard_repetitions) {
  return 1e6 * least_cpu_seconds(work, repetitions);
}

void report(const Dataset& data, const char* loss, const char* penalty, Intercept intercept,
            int repetitions = standard_repetitions) {
  FitSpec spec;
  spec.objective.loss = loss;
  spec.objective.regularizer = penalty;
  spec.objective.intercept = intercept;
  if (std::string_view(penalty) == "l2") spec.objective.C = 1;
  spec.solver.name = "auto";
  spec.criteria.gap = 1e-4;
  Fit fitted;
  const double first = microseconds([&] { fitted = fit(data, spec); });
  spec.data_hash = content_hash(data);
  spec.facts = std::make_shared<KeptFacts>();
  const double whole = microseconds([&] { fitted = fit(data, spec); }, repetitions);
  if (repetitions != standard_repetitions) return fmt::print("{:.1f}\n", whole);
  const double hash = microseconds([&] { content_hash(data); });
  const double problem_time = microseconds([&] { make_problem(data, spec.objective); });
  const Problem problem = make_problem(data, spec.objective);
  SolverSpec solver = spec.solver;
  solver.gap = spec.criteria.gap;
  const double construction = microseconds([&] { make_solver(problem, solver, {}); });
  const Point point{fitted.model.x, fitted.model.intercept, fitted.model.y};
  Point other = point;
  const double check = microseconds([&] {
    other = point;
    Certifier(problem).certify(other, 1e-8);
  });
  Certifier certifier(problem);
  const double proof = microseconds([&] {
    other = point;
    RigorousCertifier(problem).prove(other, 1e-7 * fitted.outcome.certificate.primal, certifier);
  });
  RigorousCertifier rigorous(problem);
  other = point;
  rigorous.prove(other, 1e-7 * fitted.outcome.certificate.primal, certifier);
  const double region =
      microseconds([&] { optimum_region(problem, point, fitted.outcome.certificate, rigorous.products()); });
  fmt::print(
      "{:<14} {:<5} {:<5} fit {:>7.1f} (first {:>7.1f}): hash {:>6.1f}, problem {:>6.1f}, method {:>6.1f}, check "
      "{:>6.1f} x {}, proof "
      "{:>6.1f}, region {:>6.1f}; {} in {:.3g} passes\n",
      loss, penalty, name_of(intercept), whole, first, hash, problem_time, construction, check,
      fitted.outcome.trace.size(), proof, region, fitted.outcome.method, fitted.outcome.last.passes);
}

}  // namespace

int main(int count, char** arguments) {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  SynthOptions options;
  options.n = 1000;
  options.d = 20;
  const Dataset data = synthesize("factors", options);
  options.task = Task::regression;
  const Dataset numbers = synthesize("factors", options);
  if (count == 5) {
    const std::string_view loss = arguments[1];
    const bool number = loss == "squared" || loss == "huber";
    report(number ? numbers : data, arguments[1], arguments[2],
           arguments[3] == std::string_view("free") ? Intercept::free : Intercept::none, std::stoi(arguments[4]));
    return 0;
  }
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    for (const char* loss : {"logistic", "hinge", "squared-hinge"}) report(data, loss, "l2", intercept);
    for (const char* loss : {"squared", "huber"}) report(numbers, loss, "l2", intercept);
    report(numbers, "squared", "l1", intercept);
    report(data, "logistic", "l1", intercept);
  }
}
