// Passes of derivative steps and outer loops on real sets with unit rows, to an absolute gap. The figures are those of an
// independent prototype. It computed the gap after every step of an outer loop, that is, every second pass, and so do we.
// ASDCA without restart oscillates: at 1e-7 on a9a three seeds take 118 to 144 passes.
#include <fmt/format.h>

#include <cstdio>

#include "data/synthetic.h"
#include "papers/unit_rows.h"

namespace seesaw {
namespace outer_loop_table_test {

using test::expect_passes;
using test::passes_of_seeds;
using test::real_set;
using test::skip_reason;
using test::unit_row_spec;

struct Column {
  std::string name, solver;
  OptionValues options;
  double check_every = 2;
};

const std::vector<Column> columns = {
    {"SDCA", "sdca", {{"draw", "iid"}}, 1},
    {"ASPDC-i", "aspdc-i", {{"draw", "iid"}}},
    {"ASPDC-i+mom", "aspdc-i", {{"draw", "iid"}, {"momentum", "on"}, {"restart", "off"}}},
    {"ASDCA", "asdca", {{"draw", "iid"}}},
    {"CatR", "catr", {}},
};

struct Row {
  std::string file;
  double lambda;
  std::string figures;  // passes to 1e-4/1e-6; `-`: not within 600
};

// clang-format off
const std::vector<Row> rows = {
    // smooth hinge       SDCA     ASPDC-i  ASPDC-i+mom  ASDCA   CatR
    {"a9a",    1e-6,    "108/182   34/164     30/72      16/34   12/24"},
    {"a9a",    1e-7,    "-/-      106/372     86/298     36/122  18/36"},
    {"a9a",    1e-8,    "-/-      248/526    166/-       76/332  24/36"},
    {"ijcnn1", 1e-6,    "65/115    10/14      14/22      12/20    8/12"},
    {"ijcnn1", 1e-7,    "562/-     10/14      20/26      14/20   12/16"},
    {"ijcnn1", 1e-8,    "-/-       12/18      22/28      16/22   14/18"},
};
// clang-format on

std::string expect_cell(const Dataset& data, const Row& row, std::size_t k, int seeds) {
  const Column& column = columns[k];
  const FitSpec spec =
      unit_row_spec("smooth-hinge", row.lambda, {column.solver, column.options, 1}, 600, column.check_every);
  return expect_passes(fmt::format("{} {} {}", row.file, row.lambda, column.name),
                       passes_of_seeds(data, spec, {1e-4, 1e-6}, seeds), test::words_of(row.figures).at(k));
}

// The most notable cell: 36 passes at 1e-8, where SPDC needs over 600.
TEST(OuterLoopTable, agrees_for_catr_on_a9a) {
  if (const std::string why = skip_reason("a9a"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = real_set("a9a");
  for (std::size_t r = 0; r < 3; ++r) expect_cell(data, rows[r], 4, 2);
}

TEST(WholeOuterLoopTable, agrees) {
  for (const char* file : {"a9a", "ijcnn1"}) {
    if (const std::string why = skip_reason(file); !why.empty()) GTEST_SKIP() << why;
    const Dataset data = real_set(file);
    std::vector<const Row*> of_file;
    for (const Row& row : rows)
      if (row.file == file) of_file.push_back(&row);
    test::side_by_side(of_file.size() * columns.size(), [&](std::size_t k) {
      const Row& row = *of_file[k / columns.size()];
      const bool reached = test::words_of(row.figures)[k % columns.size()] != "-/-";
      fmt::print("{}\n", expect_cell(data, row, k % columns.size(), reached ? 3 : 1));
      std::fflush(stdout);
    });
  }
}

TEST(WholeOuterLoopTable, catr_needs_36_passes_where_spdc_needs_600) {
  if (const std::string why = skip_reason("a9a"); !why.empty()) GTEST_SKIP() << why;
  const FitSpec spdc = unit_row_spec("smooth-hinge", 1e-8, {"spdc", {{"draw", "iid"}}, 1}, 590, 2);
  EXPECT_FALSE(test::passes_to(real_set("a9a"), spdc, {1e-6})[0].has_value());
}

// ---- acceptance figures: large lambda, and the optima ----

struct Optimum {
  std::string file, loss;
  double lambda, primal;
};

const std::vector<Optimum> optima = {
    {"a9a", "smooth-hinge", 1e-2, 0.253460696149},   {"a9a", "smooth-hinge", 1e-3, 0.21022699027},
    {"a9a", "smooth-hinge", 1e-4, 0.19665164131},    {"a9a", "smooth-hinge", 1e-6, 0.1935910310},
    {"a9a", "smooth-hinge", 1e-7, 0.1935287195},     {"a9a", "smooth-hinge", 1e-8, 0.1935218118},
    {"ijcnn1", "smooth-hinge", 1e-2, 0.14260571780}, {"ijcnn1", "smooth-hinge", 1e-3, 0.11938189384},
    {"ijcnn1", "smooth-hinge", 1e-4, 0.10257825311}, {"ijcnn1", "smooth-hinge", 1e-6, 0.0967878191},
    {"ijcnn1", "smooth-hinge", 1e-7, 0.0967154348},  {"ijcnn1", "smooth-hinge", 1e-8, 0.0967081645},
    {"a9a", "logistic", 1.0 / 32561, 0.32844636726}, {"a9a", "logistic", 1e-2 / 32561, 0.3227815884},
    {"a9a", "logistic", 1e-4 / 32561, 0.3226195902},
};

void expect_optimum(const Dataset& data, const Optimum& optimum) {
  FitSpec spec = unit_row_spec(optimum.loss, optimum.lambda, {"catr", {}, 1}, 20000, 0);
  spec.criteria.gap_abs = 1e-10;
  const Fit result = fit(data, spec);
  const std::string what = fmt::format("{} {} {}", optimum.file, optimum.loss, optimum.lambda);
  EXPECT_EQ(result.outcome.termination, Termination::converged) << what;
  EXPECT_NEAR(result.outcome.certificate.primal, optimum.primal, 1e-9) << what;
  EXPECT_TRUE(verify(data, result.model).holds) << what;
}

TEST(WholeOptima, are_those_that_were_certified_before) {
  for (const char* file : {"a9a", "ijcnn1"}) {
    if (const std::string why = skip_reason(file); !why.empty()) GTEST_SKIP() << why;
    const Dataset data = real_set(file);
    test::side_by_side(optima.size(), [&](std::size_t k) {
      if (optima[k].file == file) expect_optimum(data, optima[k]);
    });
  }
}

struct Acceptance {
  std::string file;
  double lambda;
  std::string iid, permutation;  // passes to 1e-6 of SDCA/ASPDC
};

// ASPDC is as fast as SDCA for large lambda, and not faster: the claim of Liang et al. holds to this extent.
const std::vector<Acceptance> large_lambdas = {
    {"a9a", 1e-2, "11/11", "5/5"},    {"a9a", 1e-3, "11/11", "5/5"},    {"a9a", 1e-4, "14/15", "7/7"},
    {"ijcnn1", 1e-2, "10/10", "3/3"}, {"ijcnn1", 1e-3, "10/10", "5/5"}, {"ijcnn1", 1e-4, "12/13", "6/6"},
};

void expect_acceptance(const Dataset& data, const Acceptance& row) {
  for (const bool iid : {true, false}) {
    const OptionValues draw = {{"draw", iid ? "iid" : "permutation"}};
    OptionValues plain = draw;
    plain["shrink"] = plain["extrapolate"] = "off";
    std::vector<std::vector<test::Passes>> found;
    for (const SolverSpec& solver : {SolverSpec{"sdca", plain, 1}, SolverSpec{"aspdc", draw, 1}})
      found.push_back(passes_of_seeds(data, unit_row_spec("smooth-hinge", row.lambda, solver, 100, 1), {1e-6})[0]);
    expect_passes(fmt::format("{} {} iid {}", row.file, row.lambda, iid), found, iid ? row.iid : row.permutation);
  }
}

TEST(DerivativeStepsTable, agrees_on_a9a) {
  if (const std::string why = skip_reason("a9a"); !why.empty()) GTEST_SKIP() << why;
  expect_acceptance(real_set("a9a"), large_lambdas[2]);
}

TEST(WholeDerivativeStepsTable, agrees) {
  for (const Acceptance& row : large_lambdas) {
    if (const std::string why = skip_reason(row.file); !why.empty()) GTEST_SKIP() << why;
    expect_acceptance(real_set(row.file), row);
  }
}

// ---- CatR by the conditioning number, and by its components ----

struct Sweep {
  std::string file, loss;
  double rows, gamma;
  std::string figures;  // passes to 1e-6 at c = 1, 0.5, 0.3, 0.2, 0.1
};

TEST(WholeThresholds, of_catr_agree) {
  const std::vector<Sweep> sweeps = {{"a9a", "smooth-hinge", 32561, 1, "12 12 12 12 14"},
                                     {"a9a", "logistic", 32561, 4, "10 12 12 12 14"},
                                     {"w8a", "smooth-hinge", 49749, 1, "10 10 10 12 20"},
                                     {"w8a", "logistic", 49749, 4, "8 8 10 14 20"}};
  const std::vector<double> conditioning = {1, 0.5, 0.3, 0.2, 0.1};
  for (const Sweep& sweep : sweeps) {
    if (const std::string why = skip_reason(sweep.file); !why.empty()) GTEST_SKIP() << why;
    const Dataset data = real_set(sweep.file);
    test::side_by_side(conditioning.size(), [&](std::size_t k) {
      const double lambda = conditioning[k] / (sweep.rows * sweep.gamma);
      expect_passes(fmt::format("{} {} c = {}", sweep.file, sweep.loss, conditioning[k]),
                    passes_of_seeds(data, unit_row_spec(sweep.loss, lambda, {"catr", {}, 1}, 100, 2), {1e-6}),
                    test::words_of(sweep.figures).at(k));
    });
  }
}

// K = 4 of the paper needs more passes than smaller values, with momentum and without.
TEST(WholeKappa, of_aspdc_i_agrees) {
  if (const std::string why = skip_reason("a9a"); !why.empty()) GTEST_SKIP() << why;
  const Dataset data = real_set("a9a");
  const std::vector<std::tuple<const char*, const char*, const char*>> figures = {
      {"4", "34/164", "18/46"}, {"2", "18/82", "16/32"}, {"1.6", "16/66", "18/34"}, {"1.2", "22/48", "26/44"}};
  test::side_by_side(figures.size(), [&](std::size_t k) {
    const auto& [K, plain, with_momentum] = figures[k];
    for (const bool momentum : {false, true}) {
      const OptionValues options = {{"draw", "iid"}, {"kappa", K}, {"momentum", momentum ? "on" : "off"}};
      expect_passes(
          fmt::format("K = {} momentum {}", K, momentum),
          passes_of_seeds(data, unit_row_spec("smooth-hinge", 1e-6, {"aspdc-i", options, 1}, 600, 2), {1e-4, 1e-6}),
          momentum ? with_momentum : plain);
    }
  });
}

// Restart is never slower, and usually much faster (lambda 1e-8, to 1e-6; two of the eight have figures).
TEST(WholeRestart, saves_passes_on_sets_that_were_not_used_to_choose_it) {
  const std::string covtype = "covtype.binary.scale.10k";
  for (const std::string& file :
       {std::string("mushrooms"), std::string("splice"), std::string("australian"), covtype}) {
    if (const std::string why = skip_reason(file); !why.empty()) GTEST_SKIP() << why;
    const Dataset data = real_set(file);
    for (const char* loss : {"smooth-hinge", "logistic"}) {
      std::vector<std::vector<test::Passes>> found;
      for (const char* restart : {"off", "on"})
        found.push_back(passes_of_seeds(data, unit_row_spec(loss, 1e-8, {"catr", {{"restart", restart}}, 1}, 3000, 2),
                                        {1e-6}, 1)[0]);
      const test::Passes without = found[0][0], with = found[1][0];
      fmt::print("{} {}: {} passes without restart, {} with it\n", file, loss, test::in_words(without),
                 test::in_words(with));
      ASSERT_TRUE(with.has_value()) << file << " " << loss;
      EXPECT_LT(*with, 0.6 * without.value_or(3000)) << file << " " << loss;
      if (loss == std::string("logistic")) continue;
      if (file == "splice") expect_passes(file, found, "2386/160");
      if (file == covtype) expect_passes(file, found, "974/278");
    }
  }
}

// ---- CatR against SPDC that estimates the curvature of the data: seven dense problems ----

struct Dense {
  std::string name;
  const Dataset* data;
  std::string loss;
  double lambda_n;
  std::string catr, adaptive;  // passes to 1e-6/1e-9
};

// Columns to [-1, 1] by their minimum and maximum; then all rows divided by the largest norm (Scaling::max).
Dataset with_columns_in_a_box(const Dataset& data, bool box) {
  std::vector<std::vector<double>> matrix(data.n(), std::vector<double>(data.d()));
  std::visit(
      [&](const auto& stored) {
        for (std::size_t i = 0; i < data.n(); ++i)
          for_each(stored.row(i), [&](std::size_t j, double value) { matrix[i][j] = value; });
      },
      data.rows);
  for (std::size_t j = 0; j < data.d() && box; ++j) {
    double low = infinity, high = -infinity;
    for (const auto& row : matrix) {
      low = std::min(low, row[j]);
      high = std::max(high, row[j]);
    }
    for (auto& row : matrix) row[j] = 2 * (row[j] - low) / (high - low) - 1;
  }
  double mean = 0, square = 0;
  for (double label : data.labels) mean += label / static_cast<double>(data.n());
  for (double label : data.labels) square += (label - mean) * (label - mean) / static_cast<double>(data.n());
  RowsBuilder builder;
  std::vector<std::uint32_t> places(data.d());
  for (std::uint32_t j = 0; j < places.size(); ++j) places[j] = j;
  for (const auto& row : matrix) builder.add_row(places, row);
  Dataset result = data;
  for (double& label : result.labels) label = (label - mean) / std::sqrt(square);
  result.nnz = builder.entries();
  result.rows = std::move(builder).finish(data.d(), Precision::exact);
  return result;
}

std::vector<double> medians(const Dense& problem, const char* solver) {
  FitSpec spec;
  spec.objective.loss = problem.loss;
  spec.objective.lambda = problem.lambda_n / static_cast<double>(problem.data->n());
  spec.objective.intercept = Intercept::none;
  spec.scaling = Scaling::max;
  spec.solver.name = solver;
  spec.criteria.gap = 0;
  spec.criteria.max_passes = 1000;
  spec.criteria.check_every = 2;
  const auto found = passes_of_seeds(*problem.data, spec, {1e-6, 1e-9});
  const bool is_catr = solver == std::string("catr");
  std::string text = fmt::format("{} {} {}:", problem.name, problem.lambda_n, solver);
  std::vector<double> result;
  for (auto seeds : found) {
    std::sort(seeds.begin(), seeds.end());
    for (const auto& passes : seeds) text += " " + test::in_words(passes);
    text += ";";
    result.push_back(seeds[1].value_or(infinity));
  }
  fmt::print("{} table {}\n", text, is_catr ? problem.catr : problem.adaptive);
  return result;
}

// The generated sets have other random numbers, and the ridge ones are harder than the prototype's for both methods (97
// and 102 passes, the table has 76 and 72), so their ratio is compared. For cpuact CatR's passes are compared.
TEST(WholeDenseProblems, take_catr_as_many_passes_as_spdc_adaptive_or_fewer) {
  if (const std::string why = skip_reason("cpuact"); !why.empty()) GTEST_SKIP() << why;
  SynthOptions options;
  options.n = 1000;
  options.d = 600;
  options.task = Task::regression;
  const Dataset ridge = synthesize("correlated", options);
  options = {};
  options.n = 5000;
  options.d = 500;
  options.correlation = 100;
  const Dataset logit = synthesize("correlated", options), cpuact = real_set("cpuact");
  const Dataset boxed = with_columns_in_a_box(cpuact, true), raw = with_columns_in_a_box(cpuact, false);
  const std::vector<Dense> problems = {{"ridge", &ridge, "squared", 1e-2, "76/128", "72/123"},
                                       {"ridge", &ridge, "squared", 1e-4, "102/152", "129/203"},
                                       {"logistic", &logit, "logistic", 1e-2, "42/70", "65/97"},
                                       {"logistic", &logit, "logistic", 1e-4, "338/480", "308/467"},
                                       {"cpuact boxed", &boxed, "squared", 1e-2, "22/38", "46/72"},
                                       {"cpuact boxed", &boxed, "squared", 1e-4, "36/58", "70/90"},
                                       {"cpuact raw", &raw, "squared", 1e-2, "92/154", "119/192"}};
  for (const Dense& problem : problems) {
    const std::vector<double> catr = medians(problem, "catr"), adaptive = medians(problem, "spdc-adaptive");
    const auto figures = [](const std::string& text) {
      const std::size_t slash = text.find('/');
      return std::vector<double>{std::stod(text.substr(0, slash)), std::stod(text.substr(slash + 1))};
    };
    const std::vector<double> of_catr = figures(problem.catr), of_adaptive = figures(problem.adaptive);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_LE(catr[k] / adaptive[k], 1.25 * of_catr[k] / of_adaptive[k]) << problem.name << problem.lambda_n;
      if (problem.name != "ridge") {
        EXPECT_TRUE(test::agree({catr[k]}, of_catr[k])) << problem.name << problem.lambda_n << ": " << catr[k];
      }
    }
  }
}

}  // namespace outer_loop_table_test
}  // namespace seesaw
