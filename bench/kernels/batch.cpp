// The cost of an iteration of the batch methods, in units of the two products A x and A^T y that it consists of, in the
// same run; with one thread, and the speedup with two. Runs alternate; medians are reported.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <string>
#include <vector>

#include "kernels/shapes.h"
#include "solvers/catalog.h"

namespace {

using namespace seesaw;
using namespace seesaw::bench;

struct Times {
  double products, iteration;
};

Times times_of(const Problem& problem, const std::string& method, std::size_t threads) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const auto solver = make_solver(problem, {method, {}, 1});
  std::vector<double> products, iterations, x(problem.d(), 0.5), y(problem.n());
  for (int k = 0; k < 25; ++k) {
    products.push_back(seconds_of([&] {
      multiply(problem.data->rows, x.data(), y.data());
      multiply_transposed(problem.data->rows, y.data(), x.data());
    }));
    iterations.push_back(seconds_of([&] { solver->epoch(); }));
  }
  return {median_seconds(products), median_seconds(iterations)};
}

void report(const std::string& name, const Dataset& data, const std::string& loss) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = 1 / static_cast<double>(data.n());
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  for (const char* method : {"bpd", "df-bpd", "primal-ag"}) {
    const Times one = times_of(problem, method, 1), two = times_of(problem, method, 2);
    fmt::print("{:<12} {:<13} {:<10} {:>9.2f} {:>9.2f} {:>7.2f} {:>11.2f}\n", name, loss, method,
               1e9 * one.products / static_cast<double>(data.nnz), 1e9 * one.iteration / static_cast<double>(data.nnz),
               one.iteration / one.products, one.iteration / two.iteration);
  }
}

}  // namespace

int main() {
  fmt::print(
      "one iteration of a batch method against A x and A^T y: ns per entry, their ratio, speedup with 2 threads\n");
  fmt::print("{:<12} {:<13} {:<10} {:>9} {:>9} {:>7} {:>11}\n", "data", "loss", "method", "products", "iteration",
             "ratio", "2 threads");
  const Dataset text = text_shaped(), census = a9a_shaped();
  report("text-shaped", text, "smooth-hinge");
  report("text-shaped", text, "logistic");
  report("a9a-shaped", census, "smooth-hinge");
  report("a9a-shaped", census, "logistic");
}
