#include "study/theorem_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solvers/parts/dual/running_mean.h"
#include "study/bound_conditions.h"

namespace seesaw {
namespace {

void require_usual_conditions(const Problem& problem, const char* bound) {
  require_l2_without_intercept(problem, bound);
  const std::vector<double>& norms = problem.squared_row_norms();
  require(std::all_of(norms.begin(), norms.end(), [](double square) { return square <= 1 + 1e-9; }), bound,
          "rows of norm at most 1 (--scale rows or max)");
}

// The maximum over the rows.
template <class OfRow>
double largest(const Problem& problem, const OfRow& of_row) {
  double most = 0;
  std::visit(
      [&](const auto& loss) {
        for (const double b : problem.scalar().target) most = std::max(most, of_row(loss, b));
      },
      problem.scalar().loss);
  return most;
}

// The theorems on SDCA assume P(0) - D(0) <= 1.
void require_small_start(const Problem& problem, const char* bound) {
  const double start = largest(problem, [](const auto& loss, double b) { return loss.value(b, 0); });
  require(start <= 1 + 1e-9, bound, fmt::format("phi_i(0) <= 1 (labels in [-1, 1]; here it is up to {:.3g})", start));
}

enum class Bounded { last, average, average_printed };

}  // namespace

std::vector<Curve> sdca_smooth_bound(const SeriesInput& input) {
  const char* name = "sdca-smooth-bound";
  Bounded point = Bounded::last;
  OptionReader reader(input.options);
  reader.choice("point", point, {"last", "average", "average-printed"}, "which point's gap is bounded");
  reader.finish(name);
  const Problem& problem = input.problem;
  require_usual_conditions(problem, name);
  require_small_start(problem, name);
  require(problem.gamma() > 0, name, "smooth losses");
  const double n = static_cast<double>(problem.n()), m = n + 1 / (problem.penalty.l2() * problem.gamma());
  return after_each_pass(input, [&](std::size_t pass) {
    const double T = static_cast<double>(pass) * n;
    if (point == Bounded::last) return m * std::exp(-T / m);
    const double T0 = n * static_cast<double>(RunningMean::left_out(pass));
    return m / (T - T0) * std::exp(-(point == Bounded::average ? T0 : T) / m);
  });
}

std::vector<Curve> sdca_lipschitz_bound(const SeriesInput& input) {
  const char* name = "sdca-lipschitz-bound";
  OptionReader(input.options).finish(name);
  const Problem& problem = input.problem;
  require_usual_conditions(problem, name);
  require_small_start(problem, name);
  const double L = largest(problem, [](const auto& loss, double b) {  // the range of phi' is the domain of phi*
    return std::max(std::abs(loss.domain(b).lo), std::abs(loss.domain(b).hi));
  });
  require(std::isfinite(L), name, "Lipschitz losses");
  const double n = static_cast<double>(problem.n()), lambda = problem.penalty.l2();
  const double start = n + std::max(0.0, std::ceil(n * std::log(lambda * n / (2 * L * L))));
  return after_each_pass(input, [&](std::size_t pass) {
    const double T = static_cast<double>(pass) * n;
    return T > start ? 20 * L * L / (lambda * (T - start)) : 0;
  });
}

std::vector<Curve> aspdc_bound(const SeriesInput& input) {
  const char* name = "aspdc-bound";
  OptionReader(input.options).finish(name);
  const Problem& problem = input.problem;
  require_usual_conditions(problem, name);
  const double n = static_cast<double>(problem.n());
  require(problem.gamma() * problem.penalty.l2() * n >= 4, name, "lambda >= 4/(n gamma)");
  const double start = gap_at_zero(problem);
  return after_each_pass(input, [&](std::size_t pass) {
    return 2 * n * std::exp(static_cast<double>(pass) * n * std::log1p(-1 / (2 * n))) * start;
  });
}

}  // namespace seesaw
