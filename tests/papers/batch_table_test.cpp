// Passes of the batch methods, and the claims of Wang & Xiao about them. The figures were measured with an independent
// prototype. Its ridge problems have rows N(0, Sigma), Sigma_jk = 2^(-|j-k|/2), divided by the largest norm; its labels
// are not documented. With a noise of 0.1 and scores of variance 1 ours agree with all figures; with a noise of 1 all
// methods need about two more decades of the gap, at the same rates.
//
// The simple rule (Algorithm 3) doubles or halves Delta every ten iterations without end, with results that depend on the
// data: lambda n = 1e-4, gap 1e-6, in 770, 960, 340 passes for three seeds (figure: 550), 1e-9 in 2070, 2300, 610 (1330).
// The long rows therefore have three data seeds.
//
// Not tested: Algorithm 4 without lambda. It has no gap there (the prototype used P - P*), and is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

#include "data/readers/read.h"
#include "data/synthetic.h"
#include "model/mean_loss.h"
#include "papers/direct_solve.h"
#include "papers/measure.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "solvers/catalog.h"
#include "verify/verify.h"

namespace seesaw {
namespace batch_table_test {

using test::Passes;

struct Method {
  std::string name, solver;
  OptionValues options = {};
};
const Method ag{"AG", "primal-ag", {{"restart", "off"}}},
    ag_given_mu{"AG given mu", "primal-ag", {{"mu", "data"}, {"restart", "off"}}}, bpd{"BPD", "bpd"},
    opt{"Opt-BPD", "opt-bpd"}, simple{"Ada simple", "ada-bpd", {{"rule", "simple"}}},
    robust{"Ada robust", "ada-bpd", {{"rule", "robust"}}}, secant{"Ada secant", "ada-bpd"}, df{"DF-BPD", "df-bpd"};

struct Two {
  Passes first, second;  // to the two goals of a cell
};
Two two_in(const std::string& figures) {
  const std::size_t slash = figures.find('/');
  return {test::passes_in(figures.substr(0, slash)), test::passes_in(figures.substr(slash + 1))};
}

class Watch final : public Observer {
 public:
  using Goal = std::function<bool(const TraceRow&)>;
  Watch(Goal first, Goal second) : goals_{std::move(first), std::move(second)} {}
  void check(const TraceRow& row) override {
    if (!passes.first && goals_[0](row)) passes.first = row.passes;
    if (!passes.second && goals_[1](row)) passes.second = row.passes;
  }
  Two passes;

 private:
  Goal goals_[2];
};

// Passes to both goals; the result is verified.
Two passes_of(const Dataset& data, const FitSpec& spec, Watch watch) {
  const Fit result = fit(data, spec, nullptr, {&watch}, [&] { return watch.passes.first && watch.passes.second; });
  EXPECT_TRUE(verify(data, result.model).holds) << spec.solver.name;
  return watch.passes;
}
Watch to_gaps(double first, double second) {
  return {[=](const TraceRow& row) { return row.gap <= first; },
          [=](const TraceRow& row) { return row.gap <= second; }};
}

// `grid`: the prototype checked every `grid` passes, so that a figure F means: after F - grid and not later than F.
void expect_figures(const std::string& what, const std::vector<Two>& found, const std::string& figures, double grid) {
  const Two expected = two_in(figures);
  std::vector<Passes> first, second;
  std::string text;
  for (const Two& one : found) {
    first.push_back(one.first);
    second.push_back(one.second);
    text += fmt::format(" {}/{}", test::in_words(one.first), test::in_words(one.second));
  }
  const auto agrees = [&](const std::vector<Passes>& seeds, const Passes& figure) {
    return test::agree(seeds, figure) || (figure && test::agree(seeds, *figure - (grid - 1)));
  };
  EXPECT_TRUE(agrees(first, expected.first)) << what << text << ", figures " << figures;
  EXPECT_TRUE(agrees(second, expected.second)) << what << text << ", figures " << figures;
  fmt::print("{}:{}, figures {}\n", what, text, figures);
  std::fflush(stdout);
}

// ---- ridge regression on correlated features ----

Dataset correlated(std::size_t n, std::size_t d, std::uint64_t seed) {
  SynthOptions options;
  options.n = n;
  options.d = d;
  options.task = Task::regression;
  options.noise = 0.1;
  options.seed = seed;
  const Dataset data = synthesize("correlated", options);
  return apply(fit_transform(data, Scaling::max, false), data);
}

FitSpec ridge_spec(const Method& method, double lambda, double most) {
  FitSpec spec;
  spec.objective.loss = "squared";
  spec.objective.lambda = lambda;
  spec.objective.intercept = Intercept::none;
  spec.solver = {method.solver, method.options, 1};
  spec.criteria.gap = 0;
  spec.criteria.max_passes = most;
  return spec;
}

Two ridge_passes(const Dataset& data, const Method& method, double lambda_n, double most = 4000) {
  FitSpec spec = ridge_spec(method, lambda_n / static_cast<double>(data.n()), most);
  spec.criteria.check_every = lambda_n < 1e-2 ? 10 : 1;
  return passes_of(data, spec, to_gaps(1e-6, 1e-9));
}

struct RidgeRow {
  double lambda_n;
  std::vector<std::pair<Method, std::string>> cells;
};
const std::vector<RidgeRow> ridge_table = {
    {1, {{ag, "20/30"}, {bpd, "20/40"}, {opt, "20/40"}, {simple, "30/50"}, {robust, "30/40"}, {secant, "30/40"}}},
    {1e-2,
     {{ag, "160/250"},
      {bpd, "140/250"},
      {opt, "130/220"},
      {simple, "170/370"},
      {robust, "140/230"},
      {secant, "120/200"}}},
    {1e-4,
     {{ag, "1280/2000"},
      {bpd, "1210/2310"},
      {opt, "270/400"},
      {simple, "550/1330"},
      {robust, "990/1880"},
      {secant, "220/320"}}}};

void expect_ridge_row(const RidgeRow& row, const std::vector<std::uint64_t>& seeds) {
  std::vector<Dataset> sets;
  for (const std::uint64_t seed : seeds) sets.push_back(correlated(1000, 600, seed));
  test::side_by_side(row.cells.size(), [&](std::size_t k) {
    std::vector<Two> found;
    for (const Dataset& data : sets) found.push_back(ridge_passes(data, row.cells[k].first, row.lambda_n));
    expect_figures(fmt::format("ridge lambda n = {} {}", row.lambda_n, row.cells[k].first.name), found,
                   row.cells[k].second, 10);
  });
}

TEST(BatchTable, of_ridge_regression_agrees_in_a_sample) {
  expect_ridge_row(ridge_table[0], {1});
  expect_ridge_row(ridge_table[1], {1});
}
TEST(WholeBatchTable, of_ridge_regression_agrees) { expect_ridge_row(ridge_table[2], {1, 2, 3}); }

// lambda = 0: P - P* by the normal equations; the certificate gives the same from the data alone.
TEST(BatchTable, without_lambda_agrees_and_the_rate_is_linear) {
  const Dataset data = correlated(1000, 600, 1);
  const double optimum = test::solve_ridge(data, 0).primal;
  Objective objective;
  objective.loss = "squared";
  objective.regularizer = "none";
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  for (const auto& [method, figures] : {std::pair{opt, "160/300"}, {secant, "120/210"}, {ag_given_mu, "100/170"}}) {
    const auto solver = make_solver(problem, {method.solver, method.options, 1});
    std::vector<Passes> to(3);  // 1e-3, 1e-6, 1e-9
    std::vector<double> z(data.n());
    Point point;
    for (double height = infinity; height > 1e-9 && solver->work().passes < 1000;) {
      solver->epoch();
      solver->read(point);
      multiply(data.rows, point.x.data(), z.data());
      height = mean_loss(problem, z) - optimum;
      for (std::size_t k = 0; k < 3; ++k)
        if (!to[k] && height <= std::pow(1e-3, double(k + 1))) to[k] = solver->work().passes;
    }
    expect_figures("lambda = 0 " + method.name, {{to[1], to[2]}}, figures, 10);
    const Certificate certificate = Certifier(problem).certify(point);
    EXPECT_LE(certificate.gap, 1.1e-9) << method.name;
    EXPECT_NEAR(certificate.dual, optimum, 1e-10) << method.name;
    const double later = *to[2] - *to[1], earlier = *to[1] - *to[0];
    EXPECT_LE(later, 2 * earlier) << method.name;  // a sublinear method would take many times as long
  }
}

// Wang & Xiao: BPD is as fast as AG; Opt-BPD is the fastest at small lambda; Ada-BPD finds the strong convexity that
// Opt-BPD is given, which holds for our secant rule and only partly for Algorithm 4 (robust).
TEST(BatchClaims, hold_at_small_lambda_but_for_algorithm_4) {
  const Dataset data = correlated(1000, 600, 2);
  const std::vector<Method> methods = {ag, bpd, opt, robust, secant};
  std::vector<double> passes(methods.size());
  test::side_by_side(methods.size(), [&](std::size_t k) {
    FitSpec spec = ridge_spec(methods[k], 1e-7, 2000);
    spec.criteria.check_every = 10;
    passes[k] = passes_of(data, spec, to_gaps(1e-6, 1e-6)).first.value_or(infinity);
  });
  const auto [of_ag, of_bpd, of_opt, of_robust, of_secant] =
      std::array{passes[0], passes[1], passes[2], passes[3], passes[4]};
  EXPECT_LE(of_bpd, 1.2 * of_ag);
  EXPECT_LE(of_ag, 1.2 * of_bpd);
  EXPECT_LE(3 * of_opt, std::min({of_ag, of_bpd, of_robust}));
  EXPECT_LE(of_secant, of_opt);
  EXPECT_LE(of_robust, of_bpd);  // better than without adaptation
  EXPECT_GE(of_robust, 2 * of_opt);
}

// 15 million entries: takes minutes.
TEST(WholeBatchTable, of_ridge_regression_at_full_size_agrees) {
  const Dataset data = correlated(5000, 3000, 1);
  struct Cell {
    Method method;
    double lambda_n;
    std::string figures;
  };
  for (const Cell& cell : {Cell{bpd, 1, "30/40"},
                           {robust, 1, "30/40"},
                           {bpd, 1e-2, "150/270"},
                           {opt, 1e-2, "140/230"},
                           {robust, 1e-2, "150/250"},
                           {opt, 1e-4, "280/430"},
                           {ag_given_mu, 1e-4, "170/240"}})
    expect_figures(fmt::format("full size lambda n = {} {}", cell.lambda_n, cell.method.name),
                   {ridge_passes(data, cell.method, cell.lambda_n, 600)}, cell.figures, 10);
  FitSpec spec = ridge_spec(bpd, 1e-4 / 5000, 800);
  spec.criteria.check_every = 10;
  expect_figures("full size lambda n = 1e-4 BPD to 1e-4", {passes_of(data, spec, to_gaps(1e-4, 1e-4))}, "540/540", 10);
}

// ---- the data of Zhu & Storkey, section 4.1: gap 1e-6 / P - P* <= 1e-10; checked about every 5 passes ----

struct DecayRow {
  std::string loss;
  double lambda, l1;
  std::string figures;
};
const std::vector<DecayRow> decay_table = {{"squared", 1e-2, 0, "75/115"},      {"squared", 1e-2, 1e-4, "75/115"},
                                           {"squared", 1e-4, 0, "675/-"},       {"squared", 1e-4, 1e-4, "675/-"},
                                           {"squared", 1e-6, 0, "-/-"},         {"squared", 1e-6, 1e-4, "-/-"},
                                           {"smooth-hinge", 1e-2, 0, "65/105"}, {"smooth-hinge", 1e-2, 1e-4, "65/100"},
                                           {"smooth-hinge", 1e-4, 0, "608/-"},  {"smooth-hinge", 1e-4, 1e-4, "588/985"},
                                           {"smooth-hinge", 1e-6, 0, "-/-"},    {"smooth-hinge", 1e-6, 1e-4, "-/-"},
                                           {"logistic", 1e-2, 0, "35/55"},      {"logistic", 1e-2, 1e-4, "35/55"},
                                           {"logistic", 1e-4, 0, "295/521"},    {"logistic", 1e-4, 1e-4, "290/461"},
                                           {"logistic", 1e-6, 0, "2752/-"},     {"logistic", 1e-6, 1e-4, "2798/-"}};

void expect_decay_row(const DecayRow& row) {
  SynthOptions options;
  options.task = row.loss == "squared" ? Task::regression : Task::classification;
  const Dataset data = synthesize("decay", options);
  FitSpec spec;
  spec.objective.loss = row.loss;
  spec.objective.lambda = row.lambda;
  spec.objective.l1 = row.l1;
  spec.objective.intercept = Intercept::none;
  spec.criteria.gap = 0;
  spec.criteria.gap_abs = 2e-13;
  spec.solver.name = "spdhg";
  const Certificate optimum = fit(data, spec).outcome.certificate;
  EXPECT_LE(optimum.gap, 1e-11) << row.loss;

  spec.solver.name = "bpd";
  spec.criteria.gap_abs = 0;
  spec.criteria.max_passes = row.lambda == 1e-2 ? 400 : row.lambda == 1e-4 ? 1000 : 3000;
  spec.criteria.check_every = 5;
  const Two found = passes_of(data, spec,
                              {[](const TraceRow& check) { return check.gap <= 1e-6; },
                               [&](const TraceRow& check) { return check.primal - optimum.primal <= 1e-10; }});
  expect_figures(fmt::format("decay {} {} {} PDHG", row.loss, row.lambda, row.l1), {found}, row.figures, 5);
}

TEST(BatchTable, of_pdhg_on_decaying_features_agrees_in_a_sample) {
  for (const DecayRow& row : decay_table)
    if (row.lambda == 1e-2) expect_decay_row(row);
}
TEST(WholeBatchTable, of_pdhg_on_decaying_features_agrees) {
  std::vector<const DecayRow*> rest;
  for (const DecayRow& row : decay_table)
    if (row.lambda != 1e-2) rest.push_back(&row);
  test::side_by_side(rest.size(), [&](std::size_t k) { expect_decay_row(*rest[k]); });
}

// ---- a9a, rows of norm 1, logistic loss, lambda n = 0.1: gap 1e-6 ----

TEST(WholeBatchTable, of_logistic_regression_on_a9a_agrees) {
  if (const std::string why = test::skip_reason("a9a"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = read_dataset(test::path_of("a9a").string());
  for (const auto& [method, figures] : {std::pair{df, "1290/1290"}, {ag, "1210/1210"}}) {
    FitSpec spec;
    spec.objective.loss = "logistic";
    spec.objective.lambda = 0.1 / static_cast<double>(data.n());
    spec.objective.intercept = Intercept::none;
    spec.scaling = Scaling::rows;
    spec.solver = {method.solver, method.options, 1};
    spec.criteria.gap = 0;
    spec.criteria.max_passes = 3000;
    spec.criteria.check_every = 10;
    expect_figures("a9a " + method.name, {passes_of(data, spec, to_gaps(1e-6, 1e-6))}, figures, 10);
  }
}

}  // namespace batch_table_test
}  // namespace seesaw
