// Passes of SAG, SAGA, SVRG and Katyusha, and the claims of the papers about them. The figures were measured with
// independent prototypes; all draws are with replacement, and there is no intercept except the penalized one of the first
// table. SVRG's figures there are for the step 0.1/L (those for 1/3 are far below them on a9a, far above on ijcnn1).
//
// Differences: Katyusha depends on the seed (a9a, 1e-7, to 1e-6: 171, 195, 231 passes) and is better than the figures on
// a9a with lambda 1e-8: 117 to 141 passes to 1e-4 (table: 198); to 1e-6 two of three seeds take 459 and 507 (table: 591),
// the third more than 600. Without a penalty the figures are for labels of unknown size: only the passes from one goal to
// the next, which do not depend on it, are compared.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <optional>

#include "data/readers/read.h"
#include "data/synthetic.h"
#include "papers/direct_solve.h"
#include "papers/measure.h"
#include "papers/real_sets.h"
#include "run/fit.h"
#include "verify/verify.h"

namespace seesaw {
namespace primal_gradient_test {

using test::Passes;
using test::path_of;
using test::skip_reason;

struct Setting {
  std::string loss;
  double lambda;
  Intercept intercept = Intercept::none;
  Scaling scaling = Scaling::none;
  std::vector<double> goals = {1e-4, 1e-6};  // of the gap, or of P - P* where P* is given
  std::optional<double> optimum = {};
  double limit = 600, check_every = 1;
};

struct Cell {
  std::string solver;
  OptionValues options;
  std::string figures;      // passes to each goal, a/b; `-`: not within the limit
  std::uint64_t seeds = 3;  // how many
};

// The passes of the first check that reached each goal.
class Watch final : public Observer {
 public:
  explicit Watch(const Setting& setting) : reached(setting.goals.size()), setting_(setting) {}
  void check(const TraceRow& row) override {
    const double height = setting_.optimum ? row.primal - *setting_.optimum : row.gap;
    for (std::size_t k = 0; k < reached.size(); ++k)
      if (!reached[k] && height <= setting_.goals[k]) reached[k] = row.passes;
  }
  bool done() const { return reached.back().has_value(); }

  std::vector<Passes> reached;

 private:
  const Setting& setting_;
};

FitSpec spec_of(const Setting& setting, const std::string& solver, const OptionValues& options, std::uint64_t seed) {
  FitSpec spec;
  spec.objective.loss = setting.loss;
  spec.objective.lambda = setting.lambda;
  spec.objective.l1 = 0;
  spec.objective.intercept = setting.intercept;
  spec.scaling = setting.scaling;
  spec.solver = {solver, options, seed};
  spec.solver.options.try_emplace("draw", "iid");
  spec.criteria.gap = 0;
  spec.criteria.max_passes = setting.limit;
  spec.criteria.check_every = setting.check_every;
  return spec;
}

std::vector<Passes> passes_to_goals(const Dataset& data, const Setting& setting, const std::string& solver,
                                    const OptionValues& options = {}, std::uint64_t seed = 1) {
  Watch watch(setting);
  const Fit result =
      fit(data, spec_of(setting, solver, options, seed), nullptr, {&watch}, [&] { return watch.done(); });
  const Verification verdict = verify(data, result.model);
  EXPECT_TRUE(verdict.holds) << solver;
  EXPECT_TRUE(watch.done() || result.outcome.termination == Termination::pass_limit) << solver;
  if (!setting.optimum) {
    EXPECT_EQ(verdict.gap <= setting.goals.back(), watch.done()) << solver << " " << verdict.gap;
  }
  return watch.reached;
}

void expect_agreement(const std::string& what, const Dataset& data, const Setting& setting, const Cell& cell) {
  std::vector<std::vector<Passes>> found(setting.goals.size());
  std::string text;
  for (std::uint64_t seed = 1; seed <= cell.seeds; ++seed) {
    const std::vector<Passes> passes = passes_to_goals(data, setting, cell.solver, cell.options, seed);
    text += " ";
    for (std::size_t k = 0; k < passes.size(); ++k) {
      found[k].push_back(passes[k]);
      text += (k > 0 ? "/" : "") + test::in_words(passes[k]);
    }
  }
  const std::string line =
      fmt::format("{} lambda {:.3g} {}: passes{}, table {}", what, setting.lambda, cell.solver, text, cell.figures);
  fmt::print("{}\n", line);
  std::fflush(stdout);
  std::string figures = cell.figures + "/";
  for (const std::vector<Passes>& seeds : found) {
    const std::string figure = figures.substr(0, figures.find('/'));
    figures.erase(0, figures.find('/') + 1);
    EXPECT_TRUE(test::agree(seeds, test::passes_in(figure))) << line;
  }
}

void expect_agreement(const std::string& what, const Dataset& data, const Setting& setting,
                      const std::vector<Cell>& cells) {
  test::side_by_side(cells.size(), [&](std::size_t k) { expect_agreement(what, data, setting, cells[k]); });
}

const OptionValues svrg_of_the_paper = {{"step", "0.1"}};

// ---- smooth hinge, a feature of 1 appended, unit rows: passes to gap 1e-4/1e-6 ----

struct UnitRows {
  std::string file;
  double lambda;
  std::vector<Cell> cells;
};

// clang-format off
const std::vector<UnitRows> unit_rows = {
    {"ijcnn1", 1e-6, {{"svrg", svrg_of_the_paper, "18/24", 1},  {"saga", {}, "11/16", 1},  {"katyusha", {}, "18/24", 1}}},
    {"ijcnn1", 1e-8, {{"svrg", svrg_of_the_paper, "24/30", 1},  {"saga", {}, "13/18", 1},  {"katyusha", {}, "24/30", 1}}},
    {"ijcnn1", 1e-7, {{"svrg", svrg_of_the_paper, "18/24"},     {"saga", {}, "12/16"},     {"katyusha", {}, "21/27"}}},
    {"a9a", 1e-6,    {{"svrg", svrg_of_the_paper, "66/297"},    {"saga", {}, "13/53"},     {"katyusha", {}, "33/63"}}},
    {"a9a", 1e-7,    {{"svrg", svrg_of_the_paper, "192/-"},     {"saga", {}, "35/130"},    {"katyusha", {}, "93/201"}}},
    {"a9a", 1e-8,    {{"svrg", svrg_of_the_paper, "453/-"},     {"saga", {}, "85/189"}}},
};
// clang-format on

class UnitRowsTable : public testing::TestWithParam<UnitRows> {};

TEST_P(UnitRowsTable, takes_the_passes_of_the_table) {
  const UnitRows& row = GetParam();
  if (const std::string why = skip_reason(row.file); !why.empty()) GTEST_SKIP() << why;
  const Setting setting{"smooth-hinge", row.lambda, Intercept::penalized, Scaling::rows};
  expect_agreement(row.file, read_dataset(path_of(row.file).string()), setting, row.cells);
}
const auto name_of_unit_rows = [](const testing::TestParamInfo<UnitRows>& info) {
  return fmt::format("{}_lambda_1e_{}", info.param.file, std::lround(-std::log10(info.param.lambda)));
};
INSTANTIATE_TEST_SUITE_P(Sample, UnitRowsTable, testing::ValuesIn(unit_rows.begin(), unit_rows.begin() + 2),
                         name_of_unit_rows);
INSTANTIATE_TEST_SUITE_P(Whole, UnitRowsTable, testing::ValuesIn(unit_rows.begin() + 2, unit_rows.end()),
                         name_of_unit_rows);

// The one cell that does not agree: the table has 198/591. All seeds are faster at 1e-4, by more than 20 %; at 1e-6 two
// are faster and one takes more than 600.
TEST(WholeKatyusha, differs_from_the_table_on_a9a_at_1e_8) {
  if (const std::string why = skip_reason("a9a"); !why.empty()) GTEST_SKIP() << why;
  const Setting setting{"smooth-hinge", 1e-8, Intercept::penalized, Scaling::rows};
  const Dataset data = read_dataset(path_of("a9a").string());
  std::vector<std::vector<Passes>> seeds(3);
  test::side_by_side(3, [&](std::size_t k) { seeds[k] = passes_to_goals(data, setting, "katyusha", {}, k + 1); });
  int late = 0;
  for (const std::vector<Passes>& passes : seeds) {
    EXPECT_LT(passes[0].value_or(infinity), 0.8 * 198);
    late += !passes[1].has_value();
  }
  EXPECT_EQ(late, 1);
}

// ---- SAG with 1/L on the data of Zhu & Storkey, section 4.1: passes to gap 1e-6, and to 1e-10 above the optimum ----

Dataset decay(const std::string& loss) {
  SynthOptions options;
  options.task = loss == "squared" ? Task::regression : Task::classification;
  return synthesize("decay", options);
}

void expect_sag_on_decay(const std::string& loss, double lambda, double limit, double every, const std::string& to_gap,
                         const std::string& to_optimum) {
  const Dataset data = decay(loss);
  Setting setting{.loss = loss, .lambda = lambda, .goals = {1e-6}, .limit = limit, .check_every = every};
  const std::uint64_t seeds = lambda == 1e-2 ? 3 : 1;
  expect_agreement("decay " + loss + ", gap", data, setting, Cell{"sag", {}, to_gap, seeds});
  FitSpec best = spec_of(setting, "spdhg", {}, 1);
  best.solver.options.clear();
  best.criteria = {};
  best.criteria.gap = 0;
  best.criteria.gap_abs = 2e-13;
  setting.optimum = fit(data, best).outcome.certificate.primal;
  setting.goals = {1e-10};
  expect_agreement("decay " + loss + ", optimum", data, setting, Cell{"sag", {}, to_optimum, seeds});
}

TEST(SagTable, agrees_in_a_sample) {
  expect_sag_on_decay("squared", 1e-2, 400, 1, "14", "22");
  expect_sag_on_decay("smooth-hinge", 1e-2, 400, 1, "15", "20");
  expect_sag_on_decay("logistic", 1e-2, 400, 1, "11", "15");
}
TEST(WholeSagTable, agrees) {
  expect_sag_on_decay("squared", 1e-4, 1000, 3, "616", "-");
  expect_sag_on_decay("smooth-hinge", 1e-4, 1000, 3, "595", "-");
  expect_sag_on_decay("logistic", 1e-4, 1000, 3, "144", "293");
  for (const char* loss : {"squared", "smooth-hinge", "logistic"}) expect_sag_on_decay(loss, 1e-6, 3000, 7, "-", "-");
}

// ---- SAG with 1/L, smooth hinge, unscaled features: passes to gap 1e-6 ----
// For the cells with `-` (a9a, colon-cancer, covtype at 1e-6) it is not documented whether SAG was run, and for how long;
// ours takes 195 to 215 passes on colon-cancer with lambda 1.

struct RawRows {
  std::string file;
  double lambda, limit;
  std::string figure;
};
class SagOnRealData : public testing::TestWithParam<RawRows> {};

TEST_P(SagOnRealData, takes_the_passes_of_the_table) {
  const RawRows& row = GetParam();
  if (const std::string why = skip_reason(row.file); !why.empty()) GTEST_SKIP() << why;
  const Setting setting{.loss = "smooth-hinge", .lambda = row.lambda, .goals = {1e-6}, .limit = row.limit};
  expect_agreement(row.file, read_dataset(path_of(row.file).string()), setting, Cell{"sag", {}, row.figure});
}
const auto name_of_raw_rows = [](const testing::TestParamInfo<RawRows>& info) {
  return fmt::format("{}_lambda_1e_{}", info.param.file.substr(0, 4), std::lround(-std::log10(info.param.lambda)));
};
INSTANTIATE_TEST_SUITE_P(Sample, SagOnRealData,
                         testing::Values(RawRows{"a2a", 1e-2, 400, "19"}, RawRows{"a2a", 1e-4, 400, "113"}),
                         name_of_raw_rows);
INSTANTIATE_TEST_SUITE_P(Whole, SagOnRealData,
                         testing::Values(RawRows{"w8a", 1e-2, 60, "10"}, RawRows{"w8a", 1e-4, 100, "60"},
                                         RawRows{"covtype.binary.scale.10k", 1e-4, 100, "33"},
                                         RawRows{"mushrooms", 1e-4, 400, "99"}),
                         name_of_raw_rows);

// ---- logistic, 5000 x 500, covariance 2^(-|i-j|/100), all rows by the largest norm: passes to gap 1e-6/1e-9 ----

Dataset correlated(Task task, std::size_t n, std::size_t d, double correlation) {
  SynthOptions options;
  options.n = n;
  options.d = d;
  options.task = task;
  options.correlation = correlation;
  return synthesize("correlated", options);
}
Setting logistic_of(double lambda_n, double limit) {
  return {
      .loss = "logistic", .lambda = lambda_n / 5000, .scaling = Scaling::max, .goals = {1e-6, 1e-9}, .limit = limit};
}

// At lambda = 1/n all methods are similar.
TEST(CorrelatedLogistic, agrees_at_lambda_n_1_where_all_methods_are_similar) {
  const Dataset data = correlated(Task::classification, 5000, 500, 100);
  const Setting setting = logistic_of(1, 100);
  expect_agreement("correlated", data, setting,
                   {{"svrg", svrg_of_the_paper, "15/27", 1}, {"saga", {}, "10/16", 1}, {"katyusha", {}, "18/30", 1}});
  std::vector<double> passes;
  for (const char* method : {"spdc", "sag", "saga", "svrg", "katyusha"})
    passes.push_back(passes_to_goals(data, setting, method)[0].value());
  const auto [least, most] = std::minmax_element(passes.begin(), passes.end());
  EXPECT_LE(*most, 2.5 * *least);
}
TEST(WholeCorrelatedLogistic, agrees_at_lambda_n_1e_2) {
  expect_agreement("correlated", correlated(Task::classification, 5000, 500, 100), logistic_of(1e-2, 600),
                   {{"saga", {}, "281/513", 1}, {"svrg", svrg_of_the_paper, "-/-", 1}, {"katyusha", {}, "81/132", 1}});
}

// ---- cpuact, ridge at lambda n = 1e-4: passes to 1e-6/1e-9 above the optimum ----

// Columns from [min, max] to [-1, 1], labels to mean 0 and deviation 1, as for the figures (they fit no other scaling;
// lambda_min(A^T A) = 0.161 after division by the largest norm).
Dataset cpuact() {
  const Dataset raw = read_dataset(path_of("cpuact").string());
  test::Matrix matrix = test::matrix_of(raw);
  for (std::size_t j = 0; j < raw.d(); ++j) {
    double least = infinity, most = -infinity;
    for (const auto& row : matrix) {
      least = std::min(least, row[j]);
      most = std::max(most, row[j]);
    }
    for (auto& row : matrix) row[j] = most > least ? 2 * (row[j] - least) / (most - least) - 1 : 0;
  }
  Dataset data = test::table(matrix, test::Storage::dense);
  double mean = 0, square = 0;
  for (const double label : raw.labels) {
    mean += label / double(raw.n());
    square += label * label / double(raw.n());
  }
  data.labels = raw.labels;
  for (double& label : data.labels) label = (label - mean) / std::sqrt(square - mean * mean);
  return data;
}
double ridge_optimum(const Dataset& data, const Setting& setting) {
  return test::solve_ridge(apply(fit_transform(data, setting.scaling, false), data), setting.lambda).primal;
}

TEST(Cpuact, agrees_and_saga_and_svrg_are_faster_than_spdc_without_adaptation) {
  if (const std::string why = skip_reason("cpuact"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = cpuact();
  Setting setting{.loss = "squared",
                  .lambda = 1e-4 / double(data.n()),
                  .scaling = Scaling::max,
                  .goals = {1e-6, 1e-9},
                  .limit = 400};
  setting.optimum = ridge_optimum(data, setting);
  expect_agreement("cpuact", data, setting,
                   {{"saga", {}, "58/123", 1}, {"svrg", {}, "87/186", 1}, {"katyusha", {}, "93/219", 1}});
  for (const char* method : {"spdc", "df-spdc"})
    EXPECT_FALSE(passes_to_goals(data, setting, method)[0].has_value()) << method;  // four times as many passes
}

// ---- no penalty: ridge data 1000 x 600, covariance 2^(-|i-j|/2) ----

TEST(WholeNoPenalty, saga_converges_linearly_at_the_rate_of_the_table) {
  const Dataset data = correlated(Task::regression, 1000, 600, 2);
  Setting setting{
      .loss = "squared", .lambda = 0, .scaling = Scaling::max, .goals = {1e-6, 1e-9}, .limit = 1500, .check_every = 10};
  setting.optimum = ridge_optimum(data, setting);
  const std::vector<Passes> found = passes_to_goals(data, setting, "saga");
  fmt::print("no penalty, saga: passes {}/{}, table 350/780\n", test::in_words(found[0]), test::in_words(found[1]));
  EXPECT_NEAR(found[1].value() - found[0].value(), 780 - 350, 0.2 * (780 - 350));
}
TEST(NoPenalty, and_l1_alone_are_certified) {
  SynthOptions options;
  options.n = 400;
  options.d = 20;
  options.task = Task::regression;
  const Dataset data = synthesize("factors", options);
  const double optimum = test::solve_ridge(data, 0).primal;
  for (const char* method : {"sag", "saga", "svrg"})
    for (const double l1 : {0.0, 1e-2}) {
      FitSpec spec = spec_of({.loss = "squared", .lambda = 0, .limit = 3000}, method, {}, 1);
      spec.objective.l1 = l1;
      spec.criteria.gap_abs = 1e-9;
      const Fit result = fit(data, spec);
      EXPECT_EQ(result.outcome.termination, Termination::converged) << method << " l1 " << l1;
      EXPECT_TRUE(verify(data, result.model).holds) << method << " l1 " << l1;
      if (l1 == 0) {
        EXPECT_NEAR(result.outcome.certificate.primal, optimum, 1e-9) << method;
      }
    }
}

}  // namespace primal_gradient_test
}  // namespace seesaw
