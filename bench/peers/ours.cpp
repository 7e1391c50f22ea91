// Our fit() in process, on data read once. Requests and answers are JSON lines:
//   {"solver": "sdca", "loss": "hinge", "lambda": 1e-4, "l1": 0, "gap": 1e-6, "cap": 2, "centred": false}
//   {"status": "converged", "method": "sdca", "primal": 0.35, "dual": 0.35, "passes": 20, "cpu": 0.1, "wall": 0.1,
//   "first": 0.11, "hash": 0.01, "solve": 0.08, "check": 0.01}
//   {"unsupported": "hinge is not smooth ..."}
// "cpu" is the whole fit, the fastest of some: setup of the problem, every certificate, the model. As `Data` does for users
// of the library, the hash of the data is computed once, after reading ("hash"), and what fits need to know of the data
// alone (model/kept_facts.h) in the first fit, whose time is "first". No intercept, one thread.
// "centred": labels minus their mean.
//
// usage: peers_ours DATA
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <csignal>
#include <iostream>
#include <numeric>

#include "data/readers/read.h"
#include "data/synthetic.h"
#include "peers/capped.h"
#include "run/fit.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"

namespace {

using namespace seesaw;
using namespace seesaw::bench;

Dataset centred(Dataset data) {
  const double mean = std::accumulate(data.labels.begin(), data.labels.end(), 0.0) / static_cast<double>(data.n());
  for (double& label : data.labels) label -= mean;
  return data;
}

FitSpec spec_of(const Json& request, std::uint64_t data_hash, std::shared_ptr<KeptFacts> facts) {
  FitSpec spec;
  spec.data_hash = data_hash;
  spec.facts = std::move(facts);
  spec.objective.loss = request.at("loss");
  spec.objective.intercept = Intercept::none;
  const double lambda = request.at("lambda"), l1 = request.at("l1");
  if (lambda > 0) spec.objective.lambda = lambda;
  if (l1 > 0) spec.objective.l1 = l1;
  spec.objective.regularizer = l1 == 0 ? "l2" : lambda == 0 ? "l1" : "elastic-net";
  spec.solver.name = request.at("solver");
  spec.criteria.gap = request.at("gap");
  spec.criteria.max_passes = infinity;
  return spec;
}

struct Hashed {
  Dataset data;
  double hash_seconds = 0;
  std::uint64_t hash = timed_hash();

 private:
  std::uint64_t timed_hash() {
    std::uint64_t result = 0;
    hash_seconds = seconds_of([&] { result = content_hash(data); }).cpu;
    return result;
  }
};

Json answer(const Hashed& set, const Json& request) {
  const FitSpec spec = spec_of(request, set.hash, std::make_shared<KeptFacts>());
  double first = 0;  // CPU seconds of the first fit
  const double cap = request.at("cap");
  try {
    // At the cap the run is interrupted and certified; an epoch or a setup in progress may take the same time again.
    return quickest(2 * cap + 1, request, [&] {
      const double end = seconds_on(CLOCK_THREAD_CPUTIME_ID) + cap;
      const StopPredicate late = [&] { return seconds_on(CLOCK_THREAD_CPUTIME_ID) > end; };
      Fit result;
      const Seconds seconds = seconds_of([&] { result = fit(set.data, spec, nullptr, {}, late); });
      const Outcome& outcome = result.outcome;
      if (first == 0) first = seconds.cpu;
      return Json{{"status", name_of(outcome.termination)},
                  {"method", outcome.method},
                  {"primal", outcome.certificate.primal},
                  {"dual", outcome.certificate.dual},
                  {"passes", outcome.last.passes},
                  {"cpu", seconds.cpu},
                  {"first", first},
                  {"hash", set.hash_seconds},
                  {"wall", seconds.wall},
                  {"solve", outcome.last.solve_seconds},
                  {"check", outcome.last.check_seconds}};
    });
  } catch (const Unsupported& error) {
    return {{"unsupported", error.what()}};
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

// Work done once per process, such as measuring the machine, is done before the first request.
void warm_up() {
  SynthOptions small;
  small.n = 200;
  small.d = 10;
  FitSpec spec;
  spec.solver.name = default_solver;
  fit(synthesize("decay", small), spec);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: {} DATA\n", arguments[0]);
    return 2;
  }
  try {
    const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
    const Hashed plain{read_dataset(arguments[1])};
    const Hashed with_centred_labels{centred(plain.data)};
    warm_up();
    for (std::string line; std::getline(std::cin, line);) {
      const Json request = Json::parse(line);
      const Hashed& set = request.value("centred", false) ? with_centred_labels : plain;
      fmt::print("{}\n", in_child([&] { return answer(set, request); }).dump());
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", arguments[0], error.what());
    return 2;
  }
}
