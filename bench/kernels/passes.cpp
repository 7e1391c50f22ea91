// The cost of a pass of dual ascent, in units of one product z = A x of the same matrix, one thread, same run.
// Text-shaped, a9a-shaped and dense data; SDCA without shrinking, so that every row is visited, over the original rows
// and over a compact copy; and methods with an outer loop. Runs alternate; medians are reported.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <memory>
#include <string>
#include <vector>

#include "kernels/shapes.h"
#include "model/certificate.h"
#include "solvers/catalog.h"

namespace {

using namespace seesaw;
using namespace seesaw::bench;

void report(const std::string& name, const Dataset& data, const std::string& loss, double allowed,
            const SolverSpec& method = {"sdca", {{"shrink", "off"}, {"storage", "exact"}}, 1}) {
  Objective objective;
  objective.loss = loss;
  objective.C = 1;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  std::vector<double> product, pass, check, setup;
  std::vector<double> x(data.d(), 0.5), z(data.n());
  Certifier certifier(problem);
  for (int repetition = 0; repetition < 7; ++repetition) {
    std::unique_ptr<Solver> solver;
    setup.push_back(seconds_of([&] { solver = make_solver(problem, method); }));
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
  const auto storage = method.options.find("storage");
  fmt::print("{:<12} {:<13} {:<8} {:<8} {:>8.2f} {:>10.2f} {:>9.2f}", name, loss, method.name,
             storage == method.options.end() ? "" : storage->second, 1e9 * unit / nnz, 1e9 * median_seconds(pass) / nnz,
             median_seconds(pass) / unit);
  fmt::print(" {:>9} {:>11.2f} {:>11.2f}\n", allowed > 0 ? fmt::format("{:g}", allowed) : "-",
             median_seconds(check) / unit, median_seconds(setup) / unit);
}

}  // namespace

int main() {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  fmt::print("one pass of dual ascent (no shrinking) against one product A x: ns per entry, and their ratio\n");
  fmt::print("{:<12} {:<13} {:<8} {:<8} {:>8} {:>10} {:>9} {:>9} {:>11} {:>11}\n", "data", "loss", "method", "rows",
             "A x", "pass", "pass/Ax", "allowed", "check/Ax", "setup/Ax");
  const Dataset census = a9a_shaped(), text = text_shaped(), dense = dense_shaped();
  for (const char* storage : {"exact", "compact"}) {
    const SolverSpec sdca = {"sdca", {{"shrink", "off"}, {"storage", storage}}, 1};
    report("a9a-shaped", census, "hinge", 6, sdca);
    report("text-shaped", text, "hinge", 3, sdca);
    report("dense", dense, "hinge", 0, sdca);
    report("a9a-shaped", census, "logistic", 0, sdca);
    report("text-shaped", text, "logistic", 0, sdca);
  }
  for (const char* method : {"sdca", "aspdc-i", "catr"}) {
    const OptionValues options =
        method == std::string("sdca") ? OptionValues{{"shrink", "off"}, {"storage", "exact"}} : OptionValues{};
    report("a9a-shaped", census, "smooth-hinge", 0, {method, options, 1});
    report("text-shaped", text, "smooth-hinge", 0, {method, options, 1});
  }
}
