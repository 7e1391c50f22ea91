#include "study/saddle_bounds.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "run/fit.h"
#include "solvers/parts/steps/data_curvature.h"
#include "solvers/parts/steps/spdc_steps.h"
#include "solvers/parts/steps/spectral_norm.h"
#include "study/ais_probe.h"
#include "study/bound_conditions.h"

namespace seesaw {
namespace {

// The numbers that the theorems have in common.
struct Saddle {
  double n, lambda, gamma;
  double squared_x;       // |x^0 - x*|^2 = |x*|^2
  std::vector<double> y;  // y*
  double Lambda;          // P is Lambda-smooth
  double N;               // |A|/sqrt(n)

  Saddle(const Problem& problem, const char* bound) {
    require_l2_without_intercept(problem, bound);
    require(problem.gamma() > 0, bound, "smooth losses");
    n = static_cast<double>(problem.n());
    lambda = problem.penalty.l2();
    gamma = problem.gamma();
    const SolverSpec solver{"auto", {}, 1};
    const Outcome outcome = solve({problem, solver, {.gap = 0, .gap_abs = 1e-13}});
    squared_x = 0;
    for (const double x : outcome.point.x) squared_x += x * x;
    y = outcome.point.y;
    N = spectral_norm(problem, 0);
    Lambda = lambda + N * N / gamma;
  }

  double squared_y() const {
    double sum = 0;
    for (const double one : y) sum += one * one;
    return sum;
  }
  double suboptimality(double squared_distance) const { return Lambda / 2 * squared_distance; }
};

double largest_norm(const Problem& problem) {
  const std::vector<double>& squares = problem.squared_row_norms();
  return std::sqrt(*std::max_element(squares.begin(), squares.end()));
}

// sum_i of the Bregman divergence of phi_i* from y_i^0 = phi_i'(0) to y_i*: phi_i*(y_i*) + phi_i(0).
double divergence_of_dual_free_start(const Problem& problem, const std::vector<double>& y) {
  double sum = 0;
  std::visit(
      [&](const auto& loss) {
        for (std::size_t i = 0; i < y.size(); ++i) {
          const double b = problem.scalar().target[i];
          sum += loss.conjugate(b, y[i]) + loss.value(b, 0);
        }
      },
      problem.scalar().loss);
  return sum;
}

// Condition (15) of Liu, Wang & So at the steps that are measured.
void require_slow_changes(const Problem& problem, const AisProbeOptions& run, const char* bound) {
  const AisProbe probe = probe_ais(problem, dual_optimum(problem), run);
  const auto above =
      std::count_if(probe.theta_t.begin(), probe.theta_t.end(), [&](double theta_t) { return theta_t > probe.theta; });
  if (above == 0) return;
  throw Error(fmt::format("the {} needs theta_t <= theta, (15), and theta_t is above theta in {} of {} measured steps.",
                          bound, above, probe.theta_t.size()));
}

// Steps and rate of Theorems 1 to 4 of Wang & Xiao. Batch methods: the paper's f(Ax) is ours with A/sqrt(n), y/sqrt(n).
struct TheoremRate {
  double tau, theta;
  double start;  // the theorem's C

  TheoremRate(int theorem, const Problem& problem, const Saddle& s, bool from_data) {
    const bool stochastic = theorem == 2 || theorem == 4, dual_free = theorem >= 3;
    const double delta = delta_of(problem.scalar().loss);
    const double curvature = from_data ? data_curvature(problem, 0) : 0;  // mu^2/n
    const double n = s.n, mu2 = stochastic ? n * curvature : curvature;   // mu^2 of the theorem
    const double strong = (stochastic ? n * s.lambda : s.lambda) + delta * mu2;
    const double reach = stochastic ? 4 * largest_norm(problem) : s.N;  // 4 R, or L
    tau = std::sqrt(s.gamma / strong) / reach;
    const double sigma = (dual_free ? std::sqrt(s.gamma * strong) : std::sqrt(strong / s.gamma)) / reach;
    const double used = tau * sigma * delta * mu2;
    double gain = 0;  // of theta_x
    if (theorem == 1) gain = delta * mu2 / ((delta + 2 * sigma) * s.N * s.N);
    if (theorem == 2) gain = used / (2 * n * (sigma + 4 * delta));
    if (theorem == 3) gain = used / (4 + 2 * sigma);
    if (theorem == 4) gain = used / (n * (4 + 2 * sigma));
    const double theta_x = (1 - gain) / (1 + tau * s.lambda);
    const double half = dual_free ? sigma / 2 : sigma * s.gamma / 2;
    const double theta_y = (stochastic ? 1 + (n - 1) / n * half : 1) / (1 + half);
    theta = std::max(theta_x, theta_y);
    const double of_y = dual_free ? (1 / sigma + 0.5) * divergence_of_dual_free_start(problem, s.y)
                                  : (1 / (2 * sigma) + s.gamma / 4) * s.squared_y();
    start = weight_of_x(s.lambda) * s.squared_x + (stochastic ? of_y : of_y / n);
  }

  double weight_of_x(double lambda) const { return 1 / (2 * tau) + lambda / 2; }
};

}  // namespace

std::vector<Curve> adaspdc_bound(const SeriesInput& input) {
  const char* name = "adaspdc-bound";
  OptionReader(input.options).finish(name);
  const Problem& problem = input.problem;
  const Saddle s(problem, name);
  double mean_theta = 0, of_y = 0, longest_tau = 0;
  const std::vector<double>& squares = problem.squared_row_norms();
  for (std::size_t i = 0; i < squares.size(); ++i) {
    require(squares[i] > 0, name, "rows that are not empty");
    const SpdcSteps steps = spdc_steps(std::sqrt(squares[i]), s.n, 1, s.lambda, s.gamma);
    mean_theta += steps.theta / s.n;
    of_y += (1 / (2 * steps.sigma) + s.gamma) * s.y[i] * s.y[i];
    longest_tau = std::max(longest_tau, steps.tau);
  }
  // (16) divided by 1/(2 tau^T) + lambda, which is smallest for the longest step. The draws are independent, so the
  // expectation of the product of theta^t is the power of the mean.
  const double start = s.squared_x + of_y / (1 / (2 * longest_tau) + s.lambda);
  return after_each_pass(input, [&](std::size_t pass) {
    return s.suboptimality(start * std::exp(s.n * static_cast<double>(pass) * std::log(mean_theta)));
  });
}

std::vector<Curve> ais_bound(const SeriesInput& input) {
  const char* name = "ais-bound";
  AisProbeOptions run{.passes = input.max_passes};
  OptionReader reader(input.options);
  reader.number("delta", run.delta, between_0_and_1, "the largest fraction of adaptive draws");
  reader.number("ramp", run.ramp, above_zero, "passes over which it is reached");
  reader.finish(name);
  const Saddle s(input.problem, name);
  require_slow_changes(input.problem, run, name);
  const double rest = 1 - run.delta;
  const double reach = 2 * largest_norm(input.problem) / rest;
  const double tau = std::sqrt(s.gamma / (s.n * s.lambda)) / reach, sigma = std::sqrt(s.n * s.lambda / s.gamma) / reach;
  const double growth = 2 * s.lambda * tau;
  const double mu = std::min(growth / (1 + growth), s.gamma / (s.n / sigma + s.n * s.gamma / rest));
  const double start = s.squared_x + (1 / (2 * sigma) + s.gamma) * s.squared_y() / (1 / (2 * tau) + s.lambda);
  return after_each_pass(input, [&](std::size_t pass) {
    return s.suboptimality(start * std::exp(static_cast<double>(pass) * s.n * std::log1p(-mu)));
  });
}

std::vector<Curve> strong_convexity_bound(const SeriesInput& input) {
  const char* name = "strong-convexity-bound";
  enum class Mu { lambda, data };
  int theorem = 0;
  Mu mu = Mu::lambda;
  OptionReader reader(input.options);
  reader.choice("theorem", theorem, {"1", "2", "3", "4"}, "of Wang & Xiao");
  reader.choice("mu", mu, {"lambda", "data"}, "whether the strong convexity of the data is used");
  reader.finish(name);
  const Problem& problem = input.problem;
  const Saddle s(problem, name);
  if (mu == Mu::data) {
    const std::optional<std::string> unsupported = data_curvature_unsupported(problem);
    require(!unsupported, name, unsupported.value_or(""));
  }
  const TheoremRate rate(theorem + 1, problem, s, mu == Mu::data);
  const double steps = theorem == 1 || theorem == 3 ? s.n : 1;  // per pass; `theorem` counts from 0
  return after_each_pass(input, [&](std::size_t pass) {
    const double decrease = std::exp(static_cast<double>(pass) * steps * std::log(rate.theta));
    return s.suboptimality(rate.start * decrease / rate.weight_of_x(s.lambda));
  });
}

std::vector<Curve> aspdc_i_bound(const SeriesInput& input) {
  const char* name = "aspdc-i-bound";
  OptionReader(input.options).finish(name);
  const Problem& problem = input.problem;
  require_l2_without_intercept(problem, name);
  require(largest_norm(problem) <= 1 + 1e-9, name, "rows of norm at most 1 (--scale rows or max)");
  const double n = static_cast<double>(problem.n()), lambda = problem.penalty.l2();
  const double kappa = 4 / (n * problem.gamma()) - lambda, eta = lambda / (lambda + 2 * kappa);
  require(kappa > 0, name, "lambda < 4/(n gamma)");
  const double xi = (1 + 1 / eta) * gap_at_zero(problem);
  Curve curve;
  for (const MethodRuns& method : input.runs) {
    if (method.runs.empty() || method.runs.front().solver != "aspdc-i") continue;
    for (const std::string& line : method.runs.front().lines) {  // of the first seed
      const auto json = nlohmann::json::parse(line, nullptr, false);
      if (!json.is_object() || !json.contains("diagnostics") || !json["diagnostics"].contains("stage")) continue;
      curve.x.push_back(json["passes"]);
      curve.y.push_back(xi * std::exp(-json["diagnostics"]["stage"].get<double>() * eta / 2));
    }
    break;
  }
  return {curve};
}

}  // namespace seesaw
