// The cost of a certificate, in units of one product z = A x of the same matrix, one thread, same run: by loss, with and
// without a free intercept; plain, rigorous in double, and rigorous in double-double (needed for very small gaps). CPU
// time, not wall time.
#include <fmt/format.h>
#include <tbb/global_control.h>

#include <string>
#include <vector>

#include "base/rng.h"
#include "kernels/shapes.h"
#include "model/certificate.h"
#include "model/intercept.h"
#include "model/rigorous/optimum_region.h"
#include "model/rigorous/rigorous_certificate.h"
#include "run/fit.h"

namespace {

using namespace seesaw;
using namespace seesaw::bench;

Point some_point(const Problem& problem) {
  Rng rng(3);
  Point point{std::vector<double>(problem.d()), {0.1}, std::vector<double>(problem.n())};
  for (double& xj : point.x) xj = 0.3 * rng.normal();
  multiply(problem.data->rows, point.x.data(), point.y.data());
  std::visit(
      [&](const auto& loss) {
        for (std::size_t i = 0; i < problem.n(); ++i)
          point.y[i] = loss.derivative(problem.scalar().target[i], point.y[i] + 0.1);
      },
      problem.scalar().loss);
  return point;
}

void report(const std::string& name, const Dataset& data) {
  std::vector<double> x(data.d(), 0.5), z(data.n()), v(data.d());
  const double unit = least_cpu_seconds([&] { multiply(data.rows, x.data(), z.data()); });
  const double transposed = least_cpu_seconds([&] { multiply_transposed(data.rows, z.data(), v.data()); });
  const auto entries = static_cast<double>(data.nnz);
  fmt::print("{:<12} A x {:.2f} ns per entry, A'y {:.2f} A x\n", name, 1e9 * unit / entries, transposed / unit);
  for (const char* loss : {"hinge", "squared-hinge", "logistic"})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      Objective objective;
      objective.loss = loss;
      objective.C = 1;
      objective.intercept = intercept;
      const Problem problem = make_problem(data, objective);
      const Point begin = some_point(problem);
      Certifier certifier(problem);
      Point point = begin;
      const double P = certifier.certify(point).primal;
      Point other = point;
      const double check = least_cpu_seconds([&] {
        other.y = begin.y;
        other.intercept = point.intercept;
        certifier.certify(other, 1e-8 * P);
      });
      const double rigorous = least_cpu_seconds([&] {
        other = point;
        certifier.certify_rigorously(other);
      });
      RigorousCertifier exact(problem);
      const double fine = least_cpu_seconds([&] {
        other = point;
        exact.certify(other, {.fine = true});
      });
      fmt::print(
          "  {:<14} {:<10} check {:>6.2f} A x, {:>6.1f} ns per row in addition to the products; "
          "rigorous {:>5.2f} A x + A'y, {:>5.2f} checks; double-double {:>5.2f} A x + A'y\n",
          loss, name_of(intercept), check / unit, 1e9 * (check - unit - transposed) / static_cast<double>(data.n()),
          rigorous / (unit + transposed), rigorous / check, fine / (unit + transposed));
    }
}

// Whole fits by `auto` to a relative gap of 1e-6: what the proof at the end costs, the region of the optimum
// included, as part of the fit and in passes
// (A x + A'y). Wanted: at most 10 % of the fit or two passes, whichever is more.
void report_fits(const std::string& name, const Dataset& data) {
  std::vector<double> x(data.d(), 0.5), z(data.n()), v(data.d());
  const double pass = least_cpu_seconds([&] {
    multiply(data.rows, x.data(), z.data());
    multiply_transposed(data.rows, z.data(), v.data());
  });
  for (const char* loss : {"hinge", "squared-hinge", "logistic", "squared"})
    for (const double C : {0.01, 1.0, 100.0})
      for (const Intercept intercept : {Intercept::none, Intercept::free}) {
        FitSpec spec;
        spec.objective.loss = loss;
        spec.objective.C = C;
        spec.objective.intercept = intercept;
        spec.solver.name = "auto";
        spec.criteria.gap = 1e-6;
        spec.criteria.max_passes = 2000;
        Fit fitted;
        const double whole = least_cpu_seconds([&] { fitted = fit(data, spec); }, 3);
        const Problem problem = make_problem(data, spec.objective);
        Certifier certifier(problem);
        Point again;
        double region = infinity;
        const double proof = least_cpu_seconds([&] {  // as run() does
          again = {fitted.model.x, fitted.model.intercept, fitted.model.y};
          RigorousCertifier rigorous(problem);
          const Certificate certificate = rigorous.prove(again, 1e-9 * fitted.outcome.certificate.primal, certifier);
          region = std::min(
              region, least_cpu_seconds(
                          [&] { optimum_region(problem, again, certificate, std::move(rigorous.products())); }, 1));
        });
        fmt::print(
            "  {:<12} {:<14} C {:<5} {:<5} fit {:>8.2f} ms; proof {:>5.1f} % of it, {:>5.2f} passes, of these the "
            "region {:>5.2f}{}\n",
            name, loss, C, name_of(intercept), 1e3 * whole, 100 * proof / whole, proof / pass, region / pass,
            proof > std::max(0.1 * whole, 2 * pass) ? "  (more than wanted)" : "");
      }
}

}  // namespace

int main() {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  report("a9a-shaped", a9a_shaped());
  report("text-shaped", text_shaped());
  report_fits("a9a-shaped", a9a_shaped());
  report_fits("text-shaped", text_shaped());
}
