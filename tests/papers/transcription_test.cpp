// The methods for ridge regression as printed in the papers (misprints corrected): dense, eager, with 1/n and p_i where
// the recipes have normalized weights. The recipes give the same iterates. Each for phi = (z - b)^2/(2 gamma) with gamma = 1,
// the squared loss, and gamma = 1/2, `squared-epsilon-insensitive` with epsilon 0.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include "data/synthetic.h"
#include "sampling/adaptive.h"
#include "sampling/epoch.h"
#include "sampling/importance.h"
#include "sampling/ramped.h"
#include "sampling/refreshed.h"
#include "sampling/uniform.h"
#include "solvers/catalog.h"
#include "support/table.h"

namespace seesaw {
namespace transcription_test {

constexpr double lambda = 1e-3;
constexpr std::uint64_t seed = 4;

struct Ridge {
  explicit Ridge(double gamma_of_loss) : gamma(gamma_of_loss) {
    SynthOptions options;
    options.n = 60;
    options.d = 8;
    options.task = Task::regression;
    data = std::make_unique<Dataset>(synthesize("decay", options));
    const test::Matrix matrix = test::matrix_of(*data);
    for (const auto& row : matrix) {
      a.push_back(Eigen::Map<const Eigen::VectorXd>(row.data(), 8));
      R.push_back(a.back().norm());
    }
    largest = *std::max_element(R.begin(), R.end());
    mean = std::accumulate(R.begin(), R.end(), 0.0) / n;
    rows.resize(60);
    std::iota(rows.begin(), rows.end(), 0U);
  }
  std::unique_ptr<Dataset> data;
  std::vector<Eigen::VectorXd> a;
  std::vector<double> R;
  double gamma, n = 60, largest = 0, mean = 0;
  std::vector<std::uint32_t> rows;
};

// A method as printed: how rows are drawn, and the steps for a row drawn with probability p.
struct Printed {
  std::unique_ptr<Sampler> sampler;
  std::function<double(std::size_t)> tau, theta;
  std::function<double(std::size_t, double)> sigma;
  std::function<double(std::size_t, double)> pi = [](std::size_t, double) {
    return 0.0;
  };  // dy times this is the feedback
  bool extrapolates_dual = false;
  std::function<void(const std::vector<double>& maps)> before_draw = nullptr;  // |G_sigma(y_i)| of all rows
  double map_sigma = 0;
};

class Eager {
 public:
  Eager(const Ridge& ridge, Printed& method) : ridge_(ridge), method_(method), y(60) {}

  void pass() {
    for (int step = 0; step < 60; ++step) {
      std::uint32_t i = 0;
      if (method_.before_draw) method_.before_draw(maps(method_.map_sigma));
      method_.sampler->fill({&i, 1});
      const double p = method_.sampler->probability(i), n = ridge_.n, sigma = method_.sigma(i, p);
      const Eigen::VectorXd& a = ridge_.a[i];
      if (method_.extrapolates_dual) move(method_.tau(i), s_ + e_);
      const double u = a.dot(method_.extrapolates_dual ? x : bar_);
      const double next = (y[i] + sigma * (u - ridge_.data->labels[i])) / (1 + ridge_.gamma * sigma), dy = next - y[i];
      y[i] = next;
      if (!method_.extrapolates_dual) {
        const Eigen::VectorXd before = x;
        move(method_.tau(i), s_ + a * dy / (n * p));
        bar_ = x + method_.theta(i) * (x - before);
      }
      s_ += a * dy / n;
      e_ = method_.theta(i) * dy / (n * p) * a;
      method_.sampler->feedback(i, std::abs(dy) * method_.pi(i, p));
    }
    method_.sampler->end_pass();
  }

 private:
  std::vector<double> maps(double sigma) const {  // (11), corrected
    std::vector<double> sizes;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double next =
          (y[i] + sigma * (ridge_.a[i].dot(bar_) - ridge_.data->labels[i])) / (1 + ridge_.gamma * sigma);
      sizes.push_back(std::abs(next - y[i]) / sigma);
    }
    return sizes;
  }
  void move(double tau, const Eigen::VectorXd& gradient) { x = (x - tau * gradient) / (1 + tau * lambda); }

  const Ridge& ridge_;
  Printed& method_;
  Eigen::VectorXd s_ = Eigen::VectorXd::Zero(8), e_ = s_, bar_ = s_;

 public:
  Eigen::VectorXd x = s_;
  std::vector<double> y;
};

void expect_same_iterates(const Ridge& ridge, Printed method, const SolverSpec& spec) {
  Objective objective;
  objective.loss = ridge.gamma == 1 ? "squared" : "squared-epsilon-insensitive";
  if (ridge.gamma != 1) objective.loss_parameter = 0;
  objective.lambda = lambda;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(*ridge.data, objective);
  ASSERT_EQ(problem.gamma(), ridge.gamma);
  const auto solver = make_solver(problem, spec);
  Eager eager(ridge, method);
  Point point;
  for (int pass = 1; pass <= 25; ++pass) {
    eager.pass();
    solver->epoch();
    solver->read(point);
    for (std::size_t j = 0; j < 8; ++j)
      ASSERT_NEAR(point.x[j], eager.x[static_cast<Eigen::Index>(j)], 1e-10) << spec.name << " pass " << pass;
    for (std::size_t i = 0; i < 60; ++i) ASSERT_NEAR(point.y[i], eager.y[i], 1e-10) << spec.name << " pass " << pass;
  }
}

std::function<double(std::size_t)> always(double value) {
  return [value](std::size_t) { return value; };
}

// Zhang & Xiao's steps for the norm R.
double tau_of(const Ridge& r, double R) { return std::sqrt(r.gamma / (r.n * lambda)) / (2 * R); }
double sigma_of(const Ridge& r, double R) { return std::sqrt(r.n * lambda / r.gamma) / (2 * R); }
double theta_of(const Ridge& r, double R) { return 1 - 1 / (r.n + R * std::sqrt(r.n / (lambda * r.gamma))); }

class AsPrinted : public testing::TestWithParam<double> {
 protected:
  const Ridge r{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Gamma, AsPrinted, testing::Values(1.0, 0.5));

TEST_P(AsPrinted, spdc) {
  expect_same_iterates(r,
                       {.sampler = std::make_unique<UniformSampler>(r.rows, Rng(seed)),
                        .tau = always(tau_of(r, r.largest)),
                        .theta = always(theta_of(r, r.largest)),
                        .sigma = [&](std::size_t, double) { return sigma_of(r, r.largest); }},
                       {"spdc", {{"draw", "iid"}}, seed});
}

TEST_P(AsPrinted, adaspdc) {
  expect_same_iterates(r,
                       {.sampler = std::make_unique<UniformSampler>(r.rows, Rng(seed)),
                        .tau = [&](std::size_t i) { return tau_of(r, r.R[i]); },
                        .theta = [&](std::size_t i) { return theta_of(r, r.R[i]); },
                        .sigma = [&](std::size_t i, double) { return sigma_of(r, r.R[i]); }},
                       {"adaspdc", {{"draw", "iid"}}, seed});
}

std::vector<double> by_norms(const Ridge& r, double fraction) {
  std::vector<double> p;
  for (double R : r.R) p.push_back((1 - fraction) / r.n + fraction * R / (r.n * r.mean));
  return p;
}

TEST_P(AsPrinted, spdc_nu) {
  const double R = r.mean / 0.5;
  expect_same_iterates(r,
                       {.sampler = std::make_unique<AliasSampler>(r.rows, by_norms(r, 0.5), Rng(seed)),
                        .tau = always(tau_of(r, R)),
                        .theta = always(1 - 1 / (r.n / 0.5 + R * std::sqrt(r.n / (lambda * r.gamma)))),
                        .sigma = [&](std::size_t, double p) { return sigma_of(r, R) / (r.n * p); }},
                       {"spdc-nu", {}, seed});
}

// Liu, Wang & So, with the steps of both theorems.
struct Theorem {
  std::string name;
  double shorter, tau, sigma, theta;

  Theorem(const Ridge& r, int number) : name("theorem" + std::to_string(number)), shorter(number == 1 ? 0.2 : 1) {
    tau = shorter * tau_of(r, r.largest);
    sigma = shorter * sigma_of(r, r.largest);
    const double growth = 2 * lambda * tau;
    theta = number == 2 ? theta_of(r, r.largest)
                        : 1 - std::min(growth / (1 + growth), 1 / (r.n / (sigma * r.gamma) + r.n / shorter));
  }
};

TEST_P(AsPrinted, spdc_lis) {
  for (const int number : {1, 2}) {
    const Theorem theorem(r, number);
    expect_same_iterates(r,
                         {.sampler = std::make_unique<AliasSampler>(r.rows, by_norms(r, 0.8), Rng(seed)),
                          .tau = always(theorem.tau),
                          .theta = always(theorem.theta),
                          .sigma = [&](std::size_t, double p) { return theorem.sigma / (r.n * p); }},
                         {"spdc-lis", {{"steps", theorem.name}}, seed});
  }
}

TEST_P(AsPrinted, spdc_ais) {
  for (const int number : {1, 2}) {
    const Theorem theorem(r, number);
    expect_same_iterates(
        r,
        {.sampler = std::make_unique<AdaptiveSampler>(r.rows, Adaptivity{0.2, 0.8, 60 * 20, 0.5}, Rng(seed)),
         .tau = always(theorem.tau),
         .theta = always(theorem.theta),
         .sigma =
             [&](std::size_t i, double p) {
               return std::min(theorem.sigma / (r.n * p), r.n * p / (4 * theorem.tau * r.R[i] * r.R[i]));
             },
         .pi = [&](std::size_t, double p) { return r.n * p / theorem.sigma; }},
        {"spdc-ais", {{"steps", theorem.name}, {"ramp", "20"}}, seed});
  }
}

// delta_t = 0.1 + 0.6 t/T, step by step, with probabilities by norms.
TEST_P(AsPrinted, spdc_lis_with_a_ramp) {
  const Theorem theorem(r, 2);
  auto sampler = std::make_unique<RampedSampler>(r.rows, r.R, Ramp{0.1, 0.7, 60 * 12}, Rng(seed));
  const RampedSampler* const drawn = sampler.get();
  int step = 0;
  expect_same_iterates(r,
                       {.sampler = std::move(sampler),
                        .tau = always(theorem.tau),
                        .theta = always(theorem.theta),
                        .sigma =
                            [&](std::size_t i, double p) {
                              const double delta = 0.1 + 0.6 * std::min(1.0, step++ / (60.0 * 12));
                              EXPECT_NEAR(p, (1 - delta) / r.n + delta * r.R[i] / (r.n * r.mean), 1e-14);
                              EXPECT_EQ(p, drawn->probability(static_cast<std::uint32_t>(i)));
                              return theorem.sigma / (r.n * p);
                            }},
                       {"spdc-lis", {{"delta", "0.7"}, {"delta-start", "0.1"}, {"ramp", "12"}}, seed});
}

// kappa = 0: uniform probabilities, whatever delta.
TEST_P(AsPrinted, spdc_ais_with_kappa_0_is_uniform) {
  const Theorem theorem(r, 2);
  expect_same_iterates(
      r,
      {.sampler = std::make_unique<AdaptiveSampler>(r.rows, Adaptivity{0.2, 0.8, 60 * 20, 0}, Rng(seed)),
       .tau = always(theorem.tau),
       .theta = always(theorem.theta),
       .sigma =
           [&](std::size_t, double p) {
             EXPECT_NEAR(p, 1 / r.n, 1e-15);
             return theorem.sigma;
           }},
      {"spdc-ais", {{"kappa", "0"}}, seed});
}

// The ideal probabilities (12) of Theorem 2, from the gradient maps of all rows before every draw.
TEST_P(AsPrinted, spdc_with_ideal_sampling) {
  const Theorem theorem(r, 2);
  for (const double kappa : {1.0, 0.5}) {
    auto sampler = std::make_unique<RefreshedSampler>(r.rows, Ramp{0.2, 0.6, 60 * 10}, kappa, 1, Rng(seed));
    RefreshedSampler* const refreshed = sampler.get();
    int step = 0;
    std::vector<double> now;
    expect_same_iterates(r,
                         {.sampler = std::move(sampler),
                          .tau = always(theorem.tau),
                          .theta = always(theorem.theta),
                          .sigma =
                              [&](std::size_t i, double p) {
                                const double delta = 0.2 + 0.4 * std::min(1.0, step++ / (60.0 * 10));
                                double total = 0;
                                for (double map : now) total += std::pow(map, kappa);
                                EXPECT_NEAR(p, (1 - delta) / r.n + delta * std::pow(now[i], kappa) / total, 1e-12);
                                return theorem.sigma / (r.n * p);
                              },
                          .before_draw =
                              [&](const std::vector<double>& maps) {
                                now = maps;
                                refreshed->refresh(maps);
                              },
                          .map_sigma = theorem.sigma},
                         {"spdc-ais",
                          {{"sampling", "ideal"},
                           {"kappa", kappa == 1 ? "1" : "0.5"},
                           {"delta", "0.6"},
                           {"ramp", "10"},
                           {"clip", "off"}},
                          seed});
  }
}

// Ours: all dual variables at the same rate.
struct Optimal {
  double Theta = 0, tau;
  std::vector<double> p;

  Optimal(const Ridge& r, double c) {
    for (double R : r.R) p.push_back((1 + std::sqrt(1 + R * R / (c * r.n * lambda * r.gamma))) / 2);
    for (double w : p) Theta += w;
    for (double& w : p) w /= Theta;
    tau = 1 / (2 * lambda * (Theta - 1));
  }
};

TEST_P(AsPrinted, spdc_opt_and_spdhg) {
  for (const bool dual : {false, true}) {
    const double c = dual ? 0.98 : 0.25;
    const Optimal o(r, c);
    expect_same_iterates(r,
                         {.sampler = std::make_unique<AliasSampler>(r.rows, o.p, Rng(seed)),
                          .tau = always(o.tau),
                          .theta = always(1 - 1 / o.Theta),
                          .sigma = [&](std::size_t i, double p) { return c * r.n * p / (o.tau * r.R[i] * r.R[i]); },
                          .extrapolates_dual = dual},
                         {dual ? "spdhg" : "spdc-opt", {}, seed});
  }
}

TEST_P(AsPrinted, spdhg_ais) {
  const Optimal o(r, 0.98);
  const auto sigma = [&](std::size_t i, double p) { return 0.98 * r.n * p / (o.tau * r.R[i] * r.R[i]); };
  expect_same_iterates(
      r,
      {.sampler = std::make_unique<EpochSampler>(r.rows, o.p, EpochAdaptivity{.delta = 0.5, .kappa = 0.5}, Rng(seed)),
       .tau = always(o.tau),
       .theta = always(1 - 1 / o.Theta),
       .sigma = sigma,
       .pi = [&](std::size_t i, double) { return 1 / sigma(i, o.p[i]); },
       .extrapolates_dual = true},
      {"spdhg-ais", {}, seed});
}

}  // namespace transcription_test
}  // namespace seesaw
