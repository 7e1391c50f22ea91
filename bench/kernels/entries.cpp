// The cost of a step on a single entry in ns, one thread: text-shaped and a9a-shaped data, entries drawn among the
// nonzeros. A step is limited by memory latency, so the cost of a random read from an array of the size of the steps'
// working set (data twice, rows and columns) is shown for comparison. The time of a period without steps (two products
// with A) is subtracted. Runs alternate; medians are reported.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "base/rng.h"
#include "kernels/shapes.h"
#include "solvers/catalog.h"

namespace {

using namespace seesaw;
using namespace seesaw::bench;

// CPU seconds of this thread: other processes do not count.
double cpu_seconds_of(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

// Reads at addresses independent of earlier reads: as many in parallel as the machine can.
double random_read_seconds(std::size_t bytes, std::size_t reads) {
  static std::vector<double> array;
  if (array.size() != bytes / sizeof(double)) array.assign(bytes / sizeof(double), 1.0);
  static double sum = 0;
  Rng rng(1);
  const double seconds = cpu_seconds_of([&] {
    const auto size = static_cast<std::uint32_t>(array.size());
    for (std::size_t k = 0; k < reads; ++k) sum += array[rng.below(size)];
  });
  return sum > 0 ? seconds / static_cast<double>(reads) : 0;
}

void report(const std::string& name, const Dataset& data, const std::string& loss, double l1, double allowed) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = 1 / static_cast<double>(data.n());
  if (l1 > 0) objective.l1 = l1;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  const auto make = [&](const char* length) {
    auto solver = make_solver(problem, {"spd1-vr", {{"epoch-length", length}}, 1});
    solver->epoch();
    return solver;
  };
  const auto whole = make("0.25"), without_steps = make("1e-12");
  const std::size_t bytes = 2 * data.bytes() + 64 * (data.n() + data.d());
  std::vector<double> period, snapshot, read;
  for (int k = 0; k < 15; ++k) {
    period.push_back(cpu_seconds_of([&] { whole->epoch(); }));
    snapshot.push_back(cpu_seconds_of([&] { without_steps->epoch(); }));
    read.push_back(random_read_seconds(bytes, data.nnz / 4));
  }
  const double ns = 1e9 * (median_seconds(period) - median_seconds(snapshot)) / (0.25 * static_cast<double>(data.nnz));
  fmt::print("{:<12} {:<13} {:>6.0e} {:>9.1f} {:>9} {:>12.1f} {:>9.1f}\n", name, loss, l1, ns,
             allowed > 0 ? fmt::format("{:g}", allowed) : "-", 1e9 * median_seconds(read),
             ns / (1e9 * median_seconds(read)));
}

}  // namespace

int main() {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  fmt::print("one step of spd1-vr among the nonzeros: ns, and in units of a random read\n");
  fmt::print("{:<12} {:<13} {:>6} {:>9} {:>9} {:>12} {:>9}\n", "data", "loss", "l1", "step", "allowed", "random read",
             "x read");
  const Dataset census = a9a_shaped(), text = text_shaped();
  for (const char* loss : {"smooth-hinge", "squared", "hinge"}) {
    report("a9a-shaped", census, loss, 0, 100);
    report("text-shaped", text, loss, 0, 100);
  }
  report("text-shaped", text, "smooth-hinge", 1e-5, 100);
  report("text-shaped", text, "logistic", 0, 0);
}
