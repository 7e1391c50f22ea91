#include "solvers/parts/dual/active_rows.h"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <set>

#include "model/problem.h"
#include "run/run.h"
#include "solvers/catalog.h"
#include "solvers/parts/dual/row_scan.h"
#include "support/problems.h"

namespace seesaw {
namespace active_rows_test {

std::vector<std::uint32_t> ten_rows() {
  std::vector<std::uint32_t> rows(10);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

// A pass in which rows 4 to 9 are at a bound with this margin; the rows that it visits.
std::set<std::uint32_t> pass(ActiveRows& active, Rng& rng, double gap, double violation, double margin,
                             double intercept = 0) {
  std::set<std::uint32_t> visited;
  const auto order = active.next_pass(rng);
  RowSums sums{gap, 1, violation, 0};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::uint32_t row = order[k];
    visited.insert(row);
    if (row >= 4 && active.skips(margin)) continue;
    active.keep(k);
    sums.at_bound += row >= 4;
  }
  active.end_pass(sums, intercept);
  return visited;
}

void scan(ActiveRows& active, double gap, double margin, double intercept = 0) {
  std::vector<unsigned char> skipped(10, 0);
  for (std::size_t i = 4; i < 10; ++i) skipped[i] = margin > active.threshold();
  active.end_scan(ten_rows(), skipped, {gap, 1, 0, 0}, intercept);
}

TEST(ActiveRows, skip_rows_at_a_bound_between_scans) {
  ActiveRows active(ten_rows(), true, 1e-6);
  Rng rng(1);
  active.on_check({{1, 0, 1}, 1e-6});
  EXPECT_EQ(pass(active, rng, 1, 1, 5).size(), 10u);
  ASSERT_TRUE(active.scan_is_due()) << "more than half of the rows are at a bound";
  scan(active, 0.5, 5);
  EXPECT_EQ(pass(active, rng, 0.4, 0.5, 5), (std::set<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_FALSE(active.scan_is_due());
  EXPECT_EQ(pass(active, rng, 0.04, 0.1, 5), (std::set<std::uint32_t>{0, 1, 2, 3}));
  ASSERT_TRUE(active.scan_is_due()) << "the active rows are solved to a tenth of the gap";
  EXPECT_GT(active.estimated_gap(), 1e-6) << "of some rows: no check before the scan";
  scan(active, 0.3, 0.01);  // the margins of the others are below a part of the violations
  EXPECT_EQ(pass(active, rng, 1, 1, 0.01).size(), 10u);
  EXPECT_EQ(active.active(), 10u);
}

TEST(ActiveRows, are_scanned_if_the_intercept_moves_by_the_margins_of_skipped_rows) {
  ActiveRows active(ten_rows(), true, 1e-6);
  Rng rng(1);
  active.on_check({{1, 0, 1}, 1e-6});
  pass(active, rng, 1, 1, 5);
  scan(active, 0.5, 5, 2);  // threshold 0.2
  for (int k = 0; k < 3; ++k) {
    pass(active, rng, 0.4, 1, 5, 1.81);
    EXPECT_FALSE(active.scan_is_due()) << "moved by 0.19 since the scan";
  }
  pass(active, rng, 0.4, 1, 5, 1.79);
  EXPECT_TRUE(active.scan_is_due()) << "moved by 0.21, after visits of more than a pass";
  scan(active, 0.5, 5, 1.79);
  pass(active, rng, 0.4, 1, 5, 1);
  EXPECT_FALSE(active.scan_is_due()) << "moved by 0.79, after 4 of 10 visits";
}

TEST(ActiveRows, visit_all_rows_if_few_are_at_a_bound) {
  ActiveRows active(ten_rows(), true, 1e-6);
  Rng rng(1);
  for (int k = 0; k < 3; ++k) {
    active.next_pass(rng);
    for (std::size_t i = 0; i < 10; ++i) active.keep(i);
    active.end_pass({1, 1, 1, 4}, 0);
    EXPECT_FALSE(active.scan_is_due());
    EXPECT_EQ(active.active(), 10u);
  }
}

TEST(ActiveRows, adapt_their_estimate_to_checks_and_to_the_primal_value) {
  ActiveRows active(ten_rows(), false, 1e-3);
  Rng rng(1);
  active.on_check({{2, 0, 2}, 2e-3});  // P = 2, the target is relative
  active.next_pass(rng);
  active.end_pass({0.5, 1, 0, 0}, 0);
  EXPECT_EQ(active.estimated_gap(), 1) << "P has fallen to 1, the target to half";
  active.on_read();
  active.on_check({{1, 0, 1.5}, 1e-3});  // three times the estimate
  EXPECT_EQ(active.estimated_gap(), 1.5);
  active.visit_all();
  EXPECT_EQ(active.estimated_gap(), infinity);
}

// A problem with a piecewise quadratic loss and a dual point, of which a quarter each is at 0, random, and at the bounds.
struct Scanned {
  Dataset data;
  std::optional<Problem> problem = {};
  const PiecewiseQuadratic* loss = nullptr;  // none: another loss
  std::vector<DualRow> row = {};
  PrimalMap<L2> primal = {};

  Scanned(const LossKind& kind, std::size_t n, Rng& rng) : data(test::random_data(n, 5, kind.target, 4)) {
    Objective objective;
    objective.loss = kind.name;
    objective.intercept = Intercept::none;
    problem = make_problem(data, objective);
    if (problem->is_block() || problem->is_one_versus_rest()) return;
    loss = std::get_if<PiecewiseQuadratic>(&problem->scalar().loss);
    if (loss == nullptr) return;
    primal.set(problem->penalty, 1, problem->d());
    for (std::size_t i = 0; i < n; ++i) {
      const double b = problem->scalar().target[i];
      const Interval box = loss->domain(b);
      const double at[] = {0, box.clip(rng.normal()), std::isfinite(box.lo) ? box.lo : 0,
                           std::isfinite(box.hi) ? box.hi : 0};
      row.push_back({at[i % 4], b, 1, 0.5});
    }
  }

  std::vector<double> w() const {  // of y
    std::vector<double> s(row.size()), w(problem->d());
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = -row[i].scaled_weight * row[i].y;
    multiply_transposed(data.rows, s.data(), w.data());
    return w;
  }
  double score(std::size_t i, const std::vector<double>& w) const {
    return std::visit([&](const auto& rows) { return dot(rows.row(i), w.data()); }, data.rows);
  }
  RowSums scan(const std::vector<double>& w, double intercept, double threshold, ScoredMargins& margins,
               std::vector<unsigned char>& skipped) const {
    return std::visit(
        [&](const auto& rows) {
          return scan_rows(rows, problem->leaves(), *loss, row, problem->squared_row_norms(), primal, w, intercept,
                           threshold, margins, skipped);
        },
        data.rows);
  }
};

TEST(RowScan, has_the_terms_and_margins_of_the_loss) {
  Rng rng(3);
  for (const LossKind& kind : loss_kinds()) {
    const Scanned at(kind, 60, rng);
    if (at.loss == nullptr) continue;
    const std::vector<double> w = at.w();
    std::vector<unsigned char> skipped;
    ScoredMargins margins;
    const double intercept = 0.25, threshold = 0.1;
    const RowSums sums = at.scan(w, intercept, threshold, margins, skipped);
    double gap = 0, value = 0;
    for (const double wj : w) value += wj * wj / 2;
    for (std::size_t i = 0; i < at.row.size(); ++i) {
      const double z = at.score(i, w) + intercept;
      const auto& [y, b, q, weight] = at.row[i];
      gap += weight * (at.loss->value(b, z) + at.loss->conjugate(b, y) - y * z);
      value += weight * at.loss->value(b, z);
      EXPECT_EQ(skipped[i] != 0, at.loss->projected_gradient(b, z, y).margin > threshold) << kind.name << " row " << i;
    }
    EXPECT_NEAR(sums.gap, gap, 1e-12 * (1 + std::abs(gap))) << kind.name;
    EXPECT_NEAR(sums.primal, value, 1e-12 * (1 + std::abs(value))) << kind.name;
    EXPECT_EQ(sums.entries, at.data.nnz);
  }
}

// x, the intercept, some y and the threshold change between scans, in steps that become smaller.
TEST(RowScan, decides_as_if_all_scores_were_computed) {
  Rng rng(5);
  for (const LossKind& kind : loss_kinds()) {
    Scanned at(kind, 400, rng);
    if (at.loss == nullptr) continue;
    std::vector<double> w = at.w();
    ScoredMargins margins;
    double intercept = 0, threshold = 0.2;
    std::size_t entries = 0;
    for (double step = 0.5; step > 1e-5; step *= 0.6) {
      std::vector<unsigned char> skipped, skipped_by_all;
      const RowSums sums = at.scan(w, intercept, threshold, margins, skipped);
      ScoredMargins none;
      const RowSums all = at.scan(w, intercept, threshold, none, skipped_by_all);
      EXPECT_EQ(skipped, skipped_by_all) << kind.name << " step " << step;
      EXPECT_EQ(sums.gap, all.gap) << kind.name << " step " << step;
      EXPECT_EQ(sums.primal, all.primal) << kind.name << " step " << step;
      entries = sums.entries;
      for (double& wj : w) wj += step * rng.normal();
      intercept += step * rng.normal();
      threshold *= 1 + step * (rng.uniform() - 0.5);
      DualRow& row = at.row[rng.below(400)];
      row.y = at.loss->domain(row.b).clip(row.y + rng.normal());
    }
    const Interval box = at.loss->domains[0];
    if (std::isfinite(box.lo) || std::isfinite(box.hi)) {
      EXPECT_LT(entries, at.data.nnz * 9 / 10) << kind.name << ": no score is saved";
    }
  }
}

// The estimate schedules checks: few, and the last one confirms it.
TEST(SdcaEstimate, makes_two_or_three_checks_of_well_conditioned_problems) {
  for (const char* loss : {"hinge", "squared-hinge", "logistic", "squared", "absolute"}) {
    const Dataset data = test::random_data(2000, 8, loss_kind(loss).target, 6);
    Objective objective;
    objective.loss = loss;
    objective.C = 0.01;
    objective.intercept = Intercept::none;
    const Problem problem = make_problem(data, objective);
    Criteria criteria;
    criteria.gap = 1e-6;
    SolverSpec spec{"sdca", {}, 1};
    spec.gap = criteria.gap;
    const auto solver = make_solver(problem, spec, {});
    const Outcome outcome = run(*solver, problem, criteria, {});
    EXPECT_EQ(outcome.termination, Termination::converged) << loss;
    EXPECT_LE(outcome.trace.size(), 4u) << loss;
    EXPECT_LE(outcome.last.passes, 12) << loss;
  }
}

}  // namespace active_rows_test
}  // namespace seesaw
