// Procedure SDCA with averaging as printed (Desforges, Karpe & Roux 2018, Algorithm 1; Shalev-Shwartz & Zhang 2013): the mean
// of alpha and w over the points before steps T0 + 1 .. T, and the printed step of the log loss. Dense, eager.
#include <gtest/gtest.h>

#include <cmath>

#include "data/synthetic.h"
#include "model/certificate.h"
#include "sampling/uniform.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/table.h"

namespace seesaw {
namespace sdca_averaging_test {

constexpr std::size_t n = 60, d = 8;
constexpr double lambda = 1e-2;

struct Posed {
  explicit Posed(bool log_loss) : logistic(log_loss), data(made(log_loss)), a(test::matrix_of(data)) {
    Objective objective;
    objective.loss = logistic ? "logistic" : "squared";
    objective.lambda = lambda;
    objective.intercept = Intercept::none;
    problem = make_problem(data, objective);
  }
  static Dataset made(bool classes) {
    SynthOptions options;
    options.n = n;
    options.d = d;
    options.task = classes ? Task::classification : Task::regression;
    return synthesize("decay", options);
  }
  bool logistic;
  Dataset data;
  test::Matrix a;
  Problem problem;
};

enum class Step { exact, printed, quarter };

// alpha^(0), alpha^(1), ... of `passes` passes; alpha = -y of ours.
std::vector<std::vector<double>> iterates(const Posed& p, Step kind, int passes, std::uint64_t seed) {
  std::vector<std::uint32_t> rows(n);
  for (std::uint32_t i = 0; i < n; ++i) rows[i] = i;
  UniformSampler sampler(rows, Rng(seed));
  std::vector<double> alpha(n), w(d);
  std::vector<std::vector<double>> all = {alpha};
  for (int t = 0; t < passes * int(n); ++t) {
    std::uint32_t i = 0;
    sampler.fill({&i, 1});
    const double label = p.problem.scalar().target[i];
    double z = 0, norm = 0;
    for (std::size_t j = 0; j < d; ++j) {
      z += p.a[i][j] * w[j];
      norm += p.a[i][j] * p.a[i][j];
    }
    const double q = norm / (lambda * double(n));
    double step;
    if (!p.logistic) {  // (a - b)^2/2
      step = (label - z - alpha[i]) / (1 + q);
    } else {
      const double residual = label / (1 + std::exp(z * label)) - alpha[i];
      step = residual / (kind == Step::printed ? std::max(1.0, 0.25 + q) : 1 + q / 4);
    }
    alpha[i] += step;
    for (std::size_t j = 0; j < d; ++j) w[j] += step * p.a[i][j] / (lambda * double(n));
    all.push_back(alpha);
  }
  return all;
}

// The mean of y and of w over alpha^(t), t = first .. last - 1.
void expect_mean(const Posed& p, const Point& point, const std::vector<std::vector<double>>& all, std::size_t first,
                 std::size_t last) {
  std::vector<double> y(n), w(d);
  for (std::size_t t = first; t < last; ++t)
    for (std::size_t i = 0; i < n; ++i) y[i] -= all[t][i] / double(last - first);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) w[j] -= y[i] * p.a[i][j] / (lambda * double(n));
  for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(point.y[i], y[i], 1e-11) << first << " " << last;
  for (std::size_t j = 0; j < d; ++j) ASSERT_NEAR(point.x[j], w[j], 1e-10) << first << " " << last;
}

TEST(SdcaAsPrinted, averages_over_every_step_from_t0) {
  const Posed p(false);
  const auto all = iterates(p, Step::exact, 12, 3);
  for (const auto& [text, first] : {std::pair<const char*, std::size_t>{"0.05", 3}, {"2.5", 150}, {"7", 420}}) {
    const auto solver =
        make_solver(p.problem, {"sdca", {{"draw", "iid"}, {"average", "steps"}, {"average-from", text}}, 3});
    Point point;
    for (std::size_t pass = 1; pass <= 12; ++pass) {
      solver->epoch();
      solver->read(point);
      const std::size_t last = pass * n;
      if (first < last) expect_mean(p, point, all, first, last);
      else
        for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(point.y[i], -all[last][i], 1e-11);  // no mean yet
    }
    const Certificate certificate = Certifier(p.problem).certify(point);
    EXPECT_GT(certificate.gap, 0);
    EXPECT_LT(certificate.gap, 0.1);
  }
}

// Without T0: at least the last half, of steps or of passes.
TEST(SdcaAsPrinted, averages_over_the_last_half_by_default) {
  const Posed p(false);
  const auto all = iterates(p, Step::exact, 12, 3);
  const auto solver = make_solver(p.problem, {"sdca", {{"draw", "iid"}, {"average", "steps"}}, 3});
  Point point;
  for (std::size_t pass = 1; pass <= 12; ++pass) {
    solver->epoch();
    solver->read(point);
    std::size_t window = 1;
    while (2 * window <= pass) window *= 2;
    expect_mean(p, point, all, window / 2 * n, pass * n);
  }
}

TEST(SdcaAsPrinted, averages_over_passes_from_t0) {
  const Posed p(false);
  const auto all = iterates(p, Step::exact, 9, 3);
  const auto solver = make_solver(p.problem, {"sdca", {{"draw", "iid"}, {"average", "on"}, {"average-from", "3"}}, 3});
  Point point;
  for (std::size_t pass = 1; pass <= 9; ++pass) {
    solver->epoch();
    solver->read(point);
    for (std::size_t i = 0; i < n; ++i) {
      double mean = 0;
      if (pass <= 3) mean = -all[pass * n][i];
      else
        for (std::size_t end = 4; end <= pass; ++end) mean -= all[end * n][i] / double(pass - 3);
      ASSERT_NEAR(point.y[i], mean, 1e-11) << pass;
    }
  }
}

TEST(SdcaAsPrinted, has_the_printed_step_of_the_log_loss) {
  const Posed p(true);
  for (const auto& [name, kind] : {std::pair{"printed", Step::printed}, {"quarter", Step::quarter}}) {
    const auto all = iterates(p, kind, 20, 4);
    const auto solver = make_solver(p.problem, {"sdca", {{"draw", "iid"}, {"logistic-step", name}}, 4});
    Point point;
    for (std::size_t pass = 1; pass <= 20; ++pass) {
      solver->epoch();
      solver->read(point);
      for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(point.y[i], -all[pass * n][i], 1e-11) << name << " " << pass;
    }
  }
}

// q is up to 60 here: the bound from gamma = 4 is up to 4 times as long as the printed step, the exact one longer still.
TEST(SdcaAsPrinted, steps_of_the_log_loss_are_shorter_than_the_exact_one) {
  const Posed p(true);
  double gaps[3] = {};
  int k = 0;
  for (const char* name : {"exact", "quarter", "printed"}) {
    const auto solver = make_solver(p.problem, {"sdca", {{"draw", "iid"}, {"logistic-step", name}}, 4});
    for (int pass = 0; pass < 30; ++pass) solver->epoch();
    Point point;
    solver->read(point);
    gaps[k++] = Certifier(p.problem).certify(point).gap;
  }
  EXPECT_LT(gaps[0], gaps[1]);
  EXPECT_LT(gaps[1], gaps[2]);
}

TEST(SdcaOptions, of_means_and_steps_that_do_not_apply_are_refused) {
  const Posed squared(false), logistic(true);
  const auto refused = [](const Posed& p, const OptionValues& options, const char* why) {
    try {
      make_solver(p.problem, {"sdca", options, 1});
      ADD_FAILURE() << why;
    } catch (const InvalidOption& refusal) {
      EXPECT_NE(std::string(refusal.what()).find(why), std::string::npos) << refusal.what();
    }
  };
  refused(squared, {{"average-from", "3"}}, "`average` on or steps");
  refused(squared, {{"average", "steps"}, {"extrapolate", "on"}}, "`average` off or on");
  refused(squared, {{"average", "steps"}, {"lanes", "2"}}, "`average` off or on");
  refused(squared, {{"logistic-step", "printed"}}, "the loss logistic");
  refused(logistic, {{"logistic-step", "printed"}, {"lanes", "2"}}, "`logistic-step` exact");
}

}  // namespace sdca_averaging_test
}  // namespace seesaw
