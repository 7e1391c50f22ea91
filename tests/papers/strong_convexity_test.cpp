// Wang & Xiao 2017 as printed (misprints corrected, docs/errata.md): Algorithms 2 to 7 with the parameters (7) to (10) and
// (13) to (16) of Theorems 1 to 4, for strong convexity of the data that is given, computed or adapted. Dense, eager, in
// the letters of the paper. The recipes give the same iterates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>

#include "data/synthetic.h"
#include "run/fit.h"
#include "sampling/uniform.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "solvers/parts/steps/spectral_norm.h"
#include "support/table.h"

namespace seesaw {
namespace strong_convexity_test {

using Vector = Eigen::VectorXd;
constexpr double n = 60;
constexpr Eigen::Index rows = 60, columns = 8;

Dataset made(bool classes) {
  SynthOptions options;
  options.n = rows;
  options.d = columns;
  options.task = classes ? Task::classification : Task::regression;
  return synthesize("decay", options);
}

struct Posed {
  Posed(const char* loss, double l2) : logistic(loss == std::string("logistic")), lambda(l2), data(made(logistic)) {
    const test::Matrix matrix = test::matrix_of(data);
    A.resize(rows, columns);
    b.resize(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      for (Eigen::Index j = 0; j < columns; ++j) A(i, j) = matrix[std::size_t(i)][std::size_t(j)];
      R = std::max(R, A.row(i).norm());
    }
    Objective objective;
    objective.loss = loss;
    if (lambda > 0) objective.lambda = lambda;
    else objective.regularizer = "none";
    objective.intercept = Intercept::none;
    problem = make_problem(data, objective);
    for (Eigen::Index i = 0; i < rows; ++i) b[i] = problem.scalar().target[std::size_t(i)];
    L = std::sqrt(n) * spectral_norm(problem, 0);
    mu_squared = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A.transpose() * A).eigenvalues()[0];
  }

  // phi, its conjugate and derivative, for one row
  double phi(Eigen::Index i, double z) const {
    return logistic ? std::log1p(std::exp(-b[i] * z)) : (z - b[i]) * (z - b[i]) / 2;
  }
  double derivative(Eigen::Index i, double z) const { return logistic ? -b[i] / (1 + std::exp(b[i] * z)) : z - b[i]; }
  double conjugate(Eigen::Index i, double y) const {
    if (!logistic) return y * y / 2 + b[i] * y;
    const double p = -b[i] * y;
    return p * std::log(p) + (1 - p) * std::log(1 - p);
  }
  double gap(const Vector& x, const Vector& y) const {  // of (1) and (2)
    double sum = 0;
    for (Eigen::Index i = 0; i < rows; ++i) sum += phi(i, A.row(i).dot(x)) + conjugate(i, y[i]);
    return sum / n + lambda / 2 * x.squaredNorm() + (A.transpose() * y / n).squaredNorm() / (2 * lambda);
  }
  double gamma() const { return logistic ? 4 : 1; }
  double delta() const { return logistic ? 0 : 1; }

  bool logistic;
  double lambda, L = 0, R = 0, mu_squared = 0;
  Dataset data;
  Problem problem;
  Eigen::MatrixXd A;
  Vector b;
};

struct Parameters {
  double sigma, tau, theta;
};

// (7), (8) for f = (1/n) sum phi: gamma_f = n gamma, delta_f = delta/n; Delta = delta_f mu^2.
Parameters theorem_1(const Posed& p, double Delta) {
  const double gamma = n * p.gamma(), delta = p.delta() / n, mu_squared = Delta / delta;
  const double sigma = std::sqrt((p.lambda + Delta) / gamma) / p.L, tau = std::sqrt(gamma / (p.lambda + Delta)) / p.L;
  const double theta_x = (1 - delta / (delta + 2 * sigma) * mu_squared / (p.L * p.L)) / (1 + tau * p.lambda);
  return {sigma, tau, std::max(theta_x, 1 / (1 + sigma * gamma / 2))};
}
// (13), (14)
Parameters theorem_3(const Posed& p, double Delta) {
  const double gamma = n * p.gamma();
  const double sigma = std::sqrt(gamma * (p.lambda + Delta)) / p.L, tau = std::sqrt(gamma / (p.lambda + Delta)) / p.L;
  const double theta_x = (1 - tau * sigma * Delta / (4 + 2 * sigma)) / (1 + tau * p.lambda);
  return {sigma, tau, std::max(theta_x, 1 / (1 + sigma / 2))};
}
// (9), (10), with delta mu^2 = Delta
Parameters theorem_2(const Posed& p, double Delta) {
  const double gamma = p.gamma(), e = n * p.lambda + Delta;
  const double sigma = std::sqrt(e / gamma) / (4 * p.R), tau = std::sqrt(gamma / e) / (4 * p.R);
  const double theta_x = (1 - tau * sigma * Delta / (2 * n * (sigma + 4 * p.delta()))) / (1 + tau * p.lambda);
  return {sigma, tau, std::max(theta_x, (1 + (n - 1) / n * sigma * gamma / 2) / (1 + sigma * gamma / 2))};
}
// (15), (16)
Parameters theorem_4(const Posed& p, double Delta) {
  const double gamma = p.gamma(), e = n * p.lambda + Delta;
  const double sigma = std::sqrt(gamma * e) / (4 * p.R), tau = std::sqrt(gamma / e) / (4 * p.R);
  const double theta_x = (1 - tau * sigma * Delta / (n * (4 + 2 * sigma))) / (1 + tau * p.lambda);
  return {sigma, tau, std::max(theta_x, (1 + (n - 1) / n * sigma / 2) / (1 + sigma / 2))};
}

// Algorithms 3 and 4. `gaps`: of the last T + 1 iterates or passes, the newest last.
struct Adaptation {
  bool robust;
  double Delta;
  std::size_t T;
  double low = 0.95, high = 1.5, rho = 1;
  int changes = 0;

  void adapt(double theta_to_the_T, double rate, double gap, double gap_before) {
    if (!robust) {
      Delta *= gap < theta_to_the_T * gap_before ? 2 : 0.5;  // mu by the square root of 2
      ++changes;
    } else if (rate <= low * rho) {
      Delta *= 2;
      rho = rate;
      ++changes;
    } else if (rate >= high * rho) {
      Delta /= 2;
      rho = rate;
      ++changes;
    }
  }
};

void expect_point(const Point& point, const Vector& x, const Vector& y, int at, const std::string& what) {
  for (Eigen::Index j = 0; j < columns; ++j) ASSERT_NEAR(point.x[std::size_t(j)], x[j], 1e-9) << what << " " << at;
  for (Eigen::Index i = 0; i < rows; ++i) ASSERT_NEAR(point.y[std::size_t(i)], y[i], 1e-9) << what << " " << at;
}

std::string in_words(const SolverSpec& spec) {
  std::string text = spec.name;
  for (const auto& [name, value] : spec.options) text += fmt::format(" --{} {}", name, value);
  return text;
}

// Algorithm 2 (squared loss) or 6; their y is ours over n. Delta: that of theorem 1, 1/n of Delta in theorem 2.
void expect_batch(const Posed& p, const SolverSpec& spec, bool dual_free, double Delta,
                  Adaptation* adaptation = nullptr, bool theta_is_1 = false) {
  const auto parameters = [&] {
    return dual_free ? theorem_3(p, Delta) : theorem_1(p, adaptation ? adaptation->Delta / n : Delta);
  };
  Parameters now = parameters();
  Vector x = Vector::Zero(columns), extrapolated = x, y = Vector::Zero(rows), v = Vector::Zero(rows);
  if (dual_free)
    for (Eigen::Index i = 0; i < rows; ++i) {
      v[i] = p.logistic ? 0 : p.b[i];
      y[i] = p.derivative(i, v[i]) / n;
    }
  std::vector<double> gaps = {adaptation ? p.gap(x, n * y) : 0};
  const auto solver = make_solver(p.problem, spec);
  Point point;
  for (int t = 1; t <= 80; ++t) {
    const Vector z = p.A * extrapolated;
    for (Eigen::Index i = 0; i < rows; ++i) {
      if (dual_free) {
        v[i] = (v[i] + now.sigma * z[i]) / (1 + now.sigma);
        y[i] = p.derivative(i, v[i]) / n;
      } else {
        y[i] = (y[i] + now.sigma * (z[i] - p.b[i])) / (1 + now.sigma * n);  // f* = (n/2) y^2 + b y
      }
    }
    const Vector before = x;
    x = (x - now.tau * p.A.transpose() * y) / (1 + now.tau * p.lambda);
    extrapolated = x + (theta_is_1 ? 1 : now.theta) * (x - before);
    if (adaptation) {
      gaps.push_back(p.gap(x, n * y));
      if (std::size_t(t) % adaptation->T == 0) {
        const double gap = gaps.back(), old = gaps[gaps.size() - 1 - adaptation->T];
        adaptation->adapt(std::pow(now.theta, double(adaptation->T)), gap / old, gap, old);
        now = parameters();
      }
    }
    solver->epoch();
    solver->read(point);
    expect_point(point, x, n * y, t, in_words(spec));
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Algorithms 5 (squared loss) and 7.
void expect_stochastic(const Posed& p, SolverSpec spec, bool dual_free, double Delta, Adaptation* adaptation = nullptr,
                       bool theta_is_1 = false) {
  spec.options.insert({{"draw", "iid"}, {"step-constant", "4"}});
  const auto parameters = [&] {
    const double given = adaptation ? adaptation->Delta : Delta;
    return dual_free ? theorem_4(p, given) : theorem_2(p, given);
  };
  Parameters now = parameters();
  Vector x = Vector::Zero(columns), extrapolated = x, y = Vector::Zero(rows), v = Vector::Zero(rows);
  if (dual_free)
    for (Eigen::Index i = 0; i < rows; ++i) {
      v[i] = p.logistic ? 0 : p.b[i];
      y[i] = p.derivative(i, v[i]);
    }
  Vector u = p.A.transpose() * y / n;
  std::vector<double> gaps = {adaptation ? p.gap(x, y) : 0};
  std::vector<std::uint32_t> all(std::size_t{rows});
  for (std::uint32_t i = 0; i < rows; ++i) all[i] = i;
  UniformSampler sampler(all, Rng(spec.seed));
  const auto solver = make_solver(p.problem, spec);
  Point point;
  for (int pass = 1; pass <= 40; ++pass) {
    for (int t = 0; t < rows; ++t) {
      std::uint32_t k = 0;
      sampler.fill({&k, 1});
      const Vector a = p.A.row(k);
      const double z = a.dot(extrapolated);
      double next;
      if (dual_free) {
        v[k] = (v[k] + now.sigma * z) / (1 + now.sigma);
        next = p.derivative(k, v[k]);
      } else {
        next = (y[k] + now.sigma * (z - p.b[k])) / (1 + now.sigma);
      }
      const double dy = next - y[k];
      y[k] = next;
      const Vector before = x;
      x = (x - now.tau * (u + dy * a)) / (1 + now.tau * p.lambda);
      u += dy * a / n;
      extrapolated = x + (theta_is_1 ? 1 : now.theta) * (x - before);
    }
    if (adaptation) {
      gaps.push_back(p.gap(x, y));
      const std::size_t T = adaptation->T;
      if (std::size_t(pass) % T == 0) {
        const double* const first = &gaps[gaps.size() - 1 - T];
        double sum = 0, squares = 0;
        for (std::size_t t = 1; t <= T; ++t) {
          sum += double(t) * std::log(first[t] / first[0]);
          squares += double(t * t);
        }
        const double rho_per_pass = std::exp(sum / squares);
        adaptation->adapt(std::pow(now.theta, n * double(T)), std::pow(rho_per_pass, double(T)), first[T], first[0]);
        now = parameters();
      }
    }
    solver->epoch();
    solver->read(point);
    expect_point(point, x, y, pass, in_words(spec));
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

TEST(StrongConvexityAsPrinted, algorithm_6_with_theorem_3) {
  for (const double lambda : {1e-3, 0.0})
    for (const char* loss : {"squared", "logistic"}) {
      const Posed p(loss, lambda);
      if (lambda > 0) expect_batch(p, {"df-bpd", {}, 1}, true, 0);
      expect_batch(p, {"df-bpd", {{"mu", text(lambda + 2e-3)}}, 1}, true, 2e-3);
      if (!p.logistic) expect_batch(p, {"df-bpd", {{"mu", "data"}}, 1}, true, p.mu_squared / n);
      if (!p.logistic && lambda == 0) expect_batch(p, {"df-bpd", {}, 1}, true, p.mu_squared / n);
    }
}

TEST(StrongConvexityAsPrinted, algorithms_5_and_7_without_adaptation_with_theorems_2_and_4) {
  for (const double lambda : {1e-3, 0.0}) {
    const Posed squared("squared", lambda);
    for (const auto& [mu, Delta] :
         {std::pair<std::string, double>{"data", squared.mu_squared}, {text(lambda + 5e-3), n * 5e-3}}) {
      if (lambda > 0) expect_stochastic(squared, {"spdc", {{"mu", mu}}, 5}, false, Delta);
      expect_stochastic(squared, {"df-spdc", {{"mu", mu}}, 5}, true, Delta);
    }
    if (lambda == 0) expect_stochastic(squared, {"df-spdc", {}, 5}, true, squared.mu_squared);
  }
  const Posed logistic("logistic", 1e-3), without_lambda("logistic", 0);
  expect_stochastic(logistic, {"df-spdc", {}, 5}, true, 0);
  expect_stochastic(logistic, {"df-spdc", {{"mu", "0.002"}}, 5}, true, n * 1e-3);
  expect_stochastic(without_lambda, {"df-spdc", {{"mu", "0.001"}}, 5}, true, n * 1e-3);
}

// A number as `mu` replaces the strong convexity of the loss where lambda is 0. Nonsmooth losses still need lambda.
TEST(StrongConvexityOptions, mu_as_a_number_is_enough_for_smooth_losses_without_lambda) {
  for (const char* name : {"df-spdc", "df-bpd"}) {
    FitSpec spec;
    spec.objective.loss = "logistic";
    spec.objective.regularizer = "none";
    spec.objective.intercept = Intercept::none;
    spec.solver = {name, {{"mu", "0.01"}}, 1};
    spec.criteria = {.gap = 1e-6, .max_passes = 20000};
    const Dataset data = made(true);
    EXPECT_EQ(fit(data, spec).outcome.termination, Termination::converged) << name;
    spec.solver.options.clear();
    EXPECT_THROW(fit(data, spec), Unsupported) << name;
    spec.solver.options = {{"mu", "0.01"}};
    spec.objective.loss = "hinge";
    EXPECT_THROW(fit(data, spec), Unsupported) << name;
  }
}

struct Inputs {
  bool robust;
  double first;  // Delta; 0: n lambda
  std::size_t period = 10;
  double low = 0.95, high = 1.5;
  bool theta_is_1 = false;
};
const Inputs inputs[] = {{false, 0},
                         {false, 0.1, 5, 0.95, 1.5, true},
                         {true, 0},
                         {true, 0.1},
                         {true, 10, 4, 0.95, 1.5, true},
                         {true, 1e-3, 5, 0.8, 1.1},
                         {true, 5, 3, 0.6, 1.02}};

OptionValues options_of(const Inputs& in) {
  OptionValues options = {{"rule", in.robust ? "robust" : "simple"},
                          {"period", std::to_string(in.period)},
                          {"first-estimate", in.first == 0 ? "lambda" : text(in.first)},
                          {"theta", in.theta_is_1 ? "1" : "proof"}};
  if (in.robust) options.insert({{"rate-low", text(in.low)}, {"rate-high", text(in.high)}});
  return options;
}

TEST(StrongConvexityAsPrinted, algorithm_2_with_algorithms_3_and_4) {
  const Posed p("squared", 1e-3);
  for (const Inputs& in : inputs) {
    Adaptation adaptation{in.robust, in.first == 0 ? n * p.lambda : in.first, in.period, in.low, in.high};
    expect_batch(p, {"ada-bpd", options_of(in), 1}, false, 0, &adaptation, in.theta_is_1);
    EXPECT_GT(adaptation.changes, 0) << in_words({"ada-bpd", options_of(in), 1});
  }
}

TEST(StrongConvexityAsPrinted, algorithms_5_and_7_with_algorithms_3_and_4) {
  for (const char* loss : {"squared", "logistic"}) {
    const Posed p(loss, 1e-3);
    for (const Inputs& in : inputs) {
      const double first = in.first == 0 ? n * p.lambda : in.first;
      if (!p.logistic) {
        Adaptation adaptation{in.robust, first, in.period, in.low, in.high};
        expect_stochastic(p, {"spdc-adaptive", options_of(in), 6}, false, 0, &adaptation, in.theta_is_1);
        EXPECT_GT(adaptation.changes, 0) << in_words({"spdc-adaptive", options_of(in), 6});
      }
      Adaptation adaptation{in.robust, first, in.period, in.low, in.high};
      expect_stochastic(p, {"adf-spdc", options_of(in), 6}, true, 0, &adaptation, in.theta_is_1);
      EXPECT_GT(adaptation.changes, 0) << in_words({"adf-spdc", options_of(in), 6});
    }
  }
}

TEST(StrongConvexityOptions, that_mean_nothing_are_refused) {
  const Posed squared("squared", 1e-3), logistic("logistic", 1e-3), none("squared", 0);
  const auto refused = [](const Posed& p, const char* name, const OptionValues& options, const char* why) {
    try {
      make_solver(p.problem, {name, options, 1});
      ADD_FAILURE() << in_words({name, options, 1}) << " was accepted";
    } catch (const InvalidOption& refusal) {
      EXPECT_NE(std::string(refusal.what()).find(why), std::string::npos) << refusal.what();
    }
  };
  for (const char* name : {"spdc", "df-spdc", "df-bpd", "primal-ag"}) {
    refused(squared, name, {{"mu", "1e-4"}}, "at least lambda");
    refused(logistic, name, {{"mu", "data"}}, "not strongly convex");
  }
  for (const char* name : {"df-spdc", "df-bpd"}) refused(none, name, {{"mu", "lambda"}}, "lambda is 0");
  refused(squared, "spdc", {{"mu", "data"}, {"batch", "2"}}, "single rows");
  for (const char* name : {"ada-bpd", "spdc-adaptive", "adf-spdc"}) {
    refused(squared, name, {{"rate-low", "0.5"}}, "`rule` robust");
    refused(none, name, {{"rule", "robust"}}, "`rule` secant");
    refused(none, name, {{"first-estimate", "lambda"}}, "lambda is 0");
  }
}

}  // namespace strong_convexity_test
}  // namespace seesaw
