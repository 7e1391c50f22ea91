// Passes of the SPDC family on the data of Zhu & Storkey, section 4.1 (n = d = 1000): three losses, three lambdas, with
// and without l1; to an absolute gap of 1e-6, and to 1e-10 above the optimum. The figures were measured with an
// independent prototype: other random numbers, eager updates, optima by Newton's method.
//
// Runs of a few dozen passes depend on the seed (measured: logistic, 1e-2, LIS, to the optimum in 21 to 33 passes), so
// those have three. SPDHG-AIS is up to 30 % better than its figures: a row that was not drawn yet counts here as having
// moved by 1, and by less in the prototype (with a start of 0.03 hinge at 1e-4 takes 27/48 and 24/42 passes, now 24/45
// and 21/39, and the table has 32/50 and 30/46).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>

#include "data/synthetic.h"
#include "papers/measure.h"
#include "run/fit.h"
#include "verify/verify.h"

namespace seesaw {
namespace table_test {

using test::Passes;

struct Column {
  std::string name, solver;
  OptionValues options;
  double fewer = 0.2;  // than the passes of the table, at most
};

// `ramp` is the limit of passes: delta reaches its final value with the last pass.
const std::vector<Column> columns = {
    {"US", "spdc", {{"draw", "iid"}}},
    {"NU", "spdc-nu", {}},
    {"Ada", "adaspdc", {{"draw", "iid"}}},
    {"AIS-Thm1", "spdc-ais", {{"steps", "theorem1"}, {"ramp", ""}}},
    {"AIS-Thm2", "spdc-ais", {{"steps", "theorem2"}, {"ramp", ""}}},
    {"LIS-Thm1", "spdc-lis", {{"steps", "theorem1"}}},
    {"LIS", "spdc-lis", {{"steps", "theorem2"}}},
    {"OPT", "spdc-opt", {}},
    {"SPDHG", "spdhg", {}},
    {"SPDHG-AIS", "spdhg-ais", {}, 0.35},
};

struct Row {
  std::string loss;
  double lambda, l1;
  std::string figures;  // passes to the gap/to the optimum; `-`: not within the limit
};

// clang-format off
const std::vector<Row> rows = {
    // loss, lambda, l1            US         NU        Ada      AIS-Thm1 AIS-Thm2  LIS-Thm1  LIS      OPT     SPDHG   SPDHG-AIS
    {"squared", 1e-2, 0,          "25/35     21/29     18/23    85/130  24/32     87/130  27/38     15/21   12/20   14/20"},
    {"squared", 1e-2, 1e-4,       "25/35     21/27     18/23    85/130  23/32     89/130  27/38     15/21   12/18   14/20"},
    {"squared", 1e-4, 0,          "162/263   108/174   87/153   783/-   162/263   783/-   162/263   57/90   34/56   32/50"},
    {"squared", 1e-4, 1e-4,       "162/258   108/168   90/150   783/-   162/253   783/-   162/253   54/87   34/56   32/46"},
    {"squared", 1e-6, 0,          "1536/2540 990/1643  497/864  -/-     1536/2540 -/-     1536/2540 497/821 269/427 244/399"},
    {"squared", 1e-6, 1e-4,       "1536/2416 1007/1589 807/1412 -/-     1536/2376 -/-     1536/2416 506/807 269/435 249/399"},
    {"smooth-hinge", 1e-2, 0,     "23/33     20/26     15/21    73/117  20/29     77/121  24/37     15/21   12/18   12/18"},
    {"smooth-hinge", 1e-2, 1e-4,  "23/33     20/26     15/21    73/115  20/29     77/119  24/36     12/21   12/18   12/18"},
    {"smooth-hinge", 1e-4, 0,     "141/243   96/162    57/117   695/-   141/243   695/-   144/248   51/87   32/52   32/50"},
    {"smooth-hinge", 1e-4, 1e-4,  "141/235   96/159    60/117   683/-   138/231   683/-   144/235   48/81   32/50   30/46"},
    {"smooth-hinge", 1e-6, 0,     "1412/2416 925/1562  408/716  -/-     1436/2416 -/-     1412/2416 464/793 254/427 172/340"},
    {"smooth-hinge", 1e-6, 1e-4,  "1342/2260 849/1412  497/941  -/-     1342/2260 -/-     1342/2260 440/704 232/392 112/176"},
    {"logistic", 1e-2, 0,         "16/21     15/19     12/18    42/61   14/17     46/65   21/24     12/18   12/18   10/18"},
    {"logistic", 1e-2, 1e-4,      "16/21     15/19     12/18    42/60   13/18     46/65   21/24     12/18   12/18   10/18"},
    {"logistic", 1e-4, 0,         "75/123    54/87     33/51    339/595 72/123    345/595 78/129    27/48   20/32   16/30"},
    {"logistic", 1e-4, 1e-4,      "75/114    54/81     33/48    339/527 72/114    339/536 78/120    27/42   20/30   18/26"},
    {"logistic", 1e-6, 0,         "635/1060  408/680   192/328  -/-     635/1060  -/-     635/1060  208/344 112/188 92/164"},
    {"logistic", 1e-6, 1e-4,      "657/973   424/635   256/432  -/-     657/909   -/-     657/973   216/328 112/188 72/116"},
};
// clang-format on

double limit_of(const Row& row, const Column& column) {
  const bool extrapolates_dual = column.solver.starts_with("spdhg");
  if (row.lambda == 1e-2) return extrapolates_dual ? 500 : 400;
  if (row.lambda == 1e-4) return extrapolates_dual ? 500 : 1000;
  return extrapolates_dual ? 1500 : 3000;
}

Objective objective_of(const Row& row) {
  Objective objective;
  objective.loss = row.loss;
  objective.lambda = row.lambda;
  objective.l1 = row.l1;
  objective.intercept = Intercept::none;
  return objective;
}

// Records the passes until both goals are reached.
class Watch final : public Observer {
 public:
  explicit Watch(double optimum) : optimum_(optimum) {}
  void check(const TraceRow& row) override {
    if (!to_gap && row.gap <= 1e-6) to_gap = row.passes;
    if (!to_optimum && row.primal - optimum_ <= 1e-10) to_optimum = row.passes;
  }

  Passes to_gap, to_optimum;

 private:
  double optimum_;
};

struct Cell {
  const Row* row;
  const Column* column;
  Passes to_gap, to_optimum;  // figures of the table
};

std::vector<Cell> cells_of(const Row& row) {
  const std::vector<std::string> words = test::words_of(row.figures);
  std::vector<Cell> cells;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t slash = words.at(k).find('/');
    cells.push_back(
        {&row, &columns[k], test::passes_in(words[k].substr(0, slash)), test::passes_in(words[k].substr(slash + 1))});
  }
  return cells;
}

class Decay {
 public:
  const Dataset& data_of(const Row& row) const { return row.loss == "squared" ? numbers_ : signs_; }

  // P* from a fit to floating-point accuracy.
  double optimum_of(const Row& row) const {
    FitSpec spec;
    spec.objective = objective_of(row);
    spec.solver.name = "spdhg";
    spec.criteria.gap = 0;
    spec.criteria.gap_abs = 2e-13;
    const Certificate certificate = fit(data_of(row), spec).outcome.certificate;
    EXPECT_LE(certificate.gap, 1e-11) << row.loss << " " << row.lambda << " " << row.l1;
    return certificate.primal;
  }

  // Returns the result as text.
  std::string expect_agreement(const Cell& cell, double optimum) const {
    const Row& row = *cell.row;
    FitSpec spec;
    spec.objective = objective_of(row);
    spec.solver = {cell.column->solver, cell.column->options, 1};
    spec.criteria.gap = 0;
    spec.criteria.max_passes = limit_of(row, *cell.column);
    spec.criteria.check_every = row.lambda == 1e-2 ? 1 : row.lambda == 1e-4 ? 3 : 7;
    if (spec.solver.options.contains("ramp")) spec.solver.options["ramp"] = fmt::format("{}", spec.criteria.max_passes);

    const std::string what = fmt::format("{} {} {} {}", row.loss, row.lambda, row.l1, cell.column->name);
    std::vector<Passes> to_gap, to_optimum;
    for (; spec.solver.seed <= (row.lambda == 1e-2 ? 3 : 1); ++spec.solver.seed) {
      Watch watch(optimum);
      const Fit result = fit(data_of(row), spec, nullptr, {&watch}, [&] { return watch.to_gap && watch.to_optimum; });
      to_gap.push_back(watch.to_gap);
      to_optimum.push_back(watch.to_optimum);
      EXPECT_TRUE(watch.to_optimum || result.outcome.termination == Termination::pass_limit) << what;
      if (spec.solver.seed > 1) continue;
      const Verification verdict = verify(data_of(row), result.model);
      EXPECT_TRUE(verdict.holds) << what;
      EXPECT_EQ(verdict.gap <= 1e-6, watch.to_gap.has_value()) << what << ": " << verdict.gap;
    }
    const auto list = [](const std::vector<Passes>& seeds) {
      std::string text;
      for (const Passes& passes : seeds) text += (text.empty() ? "" : " ") + test::in_words(passes);
      return text;
    };
    std::string found = fmt::format("{}: gap 1e-6 in {} passes, table {}; optimum in {}, table {}", what, list(to_gap),
                                    test::in_words(cell.to_gap), list(to_optimum), test::in_words(cell.to_optimum));
    EXPECT_TRUE(test::agree(to_gap, cell.to_gap, cell.column->fewer)) << found;
    EXPECT_TRUE(test::agree(to_optimum, cell.to_optimum, cell.column->fewer)) << found;
    return found;
  }

 private:
  static Dataset make(Task task) {
    SynthOptions options;
    options.task = task;
    return synthesize("decay", options);
  }

  const Dataset signs_ = make(Task::classification), numbers_ = make(Task::regression);
};

TEST(Table, of_passes_agrees_in_a_sample) {
  const Decay decay;
  std::vector<Cell> sample;  // every method, every loss, with and without l1
  for (const Row& row : rows)
    for (const Cell& cell : cells_of(row)) {
      const std::string& name = cell.column->name;
      if (row.lambda != 1e-2) continue;
      if (name == "SPDHG" || (row.l1 == 0 && (row.loss == "logistic" || name == "US" || name == "Ada")))
        sample.push_back(cell);
    }
  std::map<const Row*, double> optima;
  for (const Cell& cell : sample)
    if (!optima.contains(cell.row)) optima[cell.row] = decay.optimum_of(*cell.row);
  test::side_by_side(sample.size(),
                     [&](std::size_t k) { decay.expect_agreement(sample[k], optima.at(sample[k].row)); });
}

// The longest runs first, so that no core is idle at the end.
TEST(WholeTable, of_passes_agrees) {
  const Decay decay;
  std::vector<const Row*> hardest_first;
  for (const Row& row : rows) hardest_first.push_back(&row);
  std::stable_sort(hardest_first.begin(), hardest_first.end(), [](const Row* a, const Row* b) {
    return std::pair(a->lambda, -a->l1) < std::pair(b->lambda, -b->l1);
  });
  std::vector<double> optima(rows.size());
  test::side_by_side(rows.size(), [&](std::size_t k) { optima[k] = decay.optimum_of(*hardest_first[k]); });

  const std::size_t count = rows.size() * columns.size();
  std::atomic<int> done = 0;
  test::side_by_side(count, [&](std::size_t k) {
    const std::size_t r = k / columns.size();
    const std::string found = decay.expect_agreement(cells_of(*hardest_first[r])[k % columns.size()], optima[r]);
    fmt::print("[{:3}/{}] {}\n", ++done, count, found);
    std::fflush(stdout);
  });
}

}  // namespace table_test
}  // namespace seesaw
