// What a pass of dual ascent costs, in units of one product z = A x of the same matrix, one thread, same run.
// Text-shaped and a9a-shaped data; SDCA without shrinking, so that every row is visited, by slope steps, and inside an
// outer loop. Times alternate and the median counts.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <string>
#include <vector>

#include "kernels/shapes.h"
#include "model/certificate.h"
#include "solvers/catalog.h"

namespace {

using namespace seesaw;
using namespace seesaw::bench;

void report(const std::string& name, const Dataset& data, const std::string& loss, double allowed,
            const SolverSpec& method = {"sdca", {{"shrink", "off"}}, 1}) {
  Objective objective;
  objective.loss = loss;
  objective.C = 1;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  std::vector<double> product, pass, check;
  std::vector<double> x(data.d(), 0.5), z(data.n());
  Certifier certifier(problem);
  for (int repetition = 0; repetition < 7; ++repetition) {
    const auto solver = make_solver(problem, method);
    solver->epoch();
    for (int k = 0; k < 5; ++k) {
      product.push_back(seconds_of([&] { multiply(data.rows, x.data(), z.data()); }));
      pass.push_back(seconds_of([&] { solver->epoch(); }));
    }
    Point point;
    solver->read(point);
    check.push_back(seconds_of([&] { certifier.certify(point); }));
  }
  const double unit = median_seconds(product), nnz = static_cast<double>(data.nnz);
  fmt::print("{:<12} {:<13} {:<8} {:>8.2f} {:>10.2f} {:>9.2f}", name, loss, method.name, 1e9 * unit / nnz,
             1e9 * median_seconds(pass) / nnz, median_seconds(pass) / unit);
  fmt::print(" {:>9} {:>11.2f}\n", allowed > 0 ? fmt::format("{:g}", allowed) : "-", median_seconds(check) / unit);
}

}  // namespace

int main() {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  fmt::print("one pass of dual ascent (no shrinking) against one product A x: ns per entry, and their ratio\n");
  fmt::print("{:<12} {:<13} {:<8} {:>8} {:>10} {:>9} {:>9} {:>11}\n", "data", "loss", "method", "A x", "pass",
             "pass/Ax", "allowed", "check/Ax");
  const Dataset census = a9a_shaped(), text = text_shaped();
  report("a9a-shaped", census, "hinge", 6);
  report("text-shaped", text, "hinge", 3);
  report("a9a-shaped", census, "logistic", 0);
  report("text-shaped", text, "logistic", 0);
  for (const char* method : {"sdca", "aspdc-i", "catr"}) {
    const OptionValues options = method == std::string("sdca") ? OptionValues{{"shrink", "off"}} : OptionValues{};
    report("a9a-shaped", census, "smooth-hinge", 0, {method, options, 1});
    report("text-shaped", text, "smooth-hinge", 0, {method, options, 1});
  }
}
