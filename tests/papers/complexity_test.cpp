// Liang et al., Table 2: entries used per step and per pass on n rows of r entries each, S = n r of n d. Counted by the
// methods themselves.
//
//                     printed: step, pass      measured: step, pass
//   ASPDC, ASPDC-i    O(r), O(S)               between r and 2 r, S and 2 S
//   SPD1, SPD1-VR     O(1), O(n d)             3 (and 2 with full gradients); S steps use 3 S (5 S): zeros are not drawn
//   SVRG              O(d), O(n d)             3 r, 2 S: a coordinate is updated when a row uses it
//
// A step of SVRG has two gradients of a row; its passes are counted as three per 2n steps (docs/notation.md).
#include <gtest/gtest.h>

#include <set>

#include "base/rng.h"
#include "data/rows_builder.h"
#include "model/problem.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace complexity_test {

constexpr std::size_t n = 600;

Dataset rows_of(std::size_t r, std::uint32_t d) {
  Rng rng(7);
  RowsBuilder builder;
  std::vector<double> labels;
  for (std::size_t i = 0; i < n; ++i) {
    std::set<std::uint32_t> columns;
    while (columns.size() < r) columns.insert(rng.below(d));
    std::vector<double> values;
    for (std::size_t k = 0; k < r; ++k) values.push_back(0.5 + rng.uniform());
    builder.add_row(std::vector<std::uint32_t>(columns.begin(), columns.end()), values);
    labels.push_back(i % 3 == 0 ? -1 : 1);
  }
  return {.rows = std::move(builder).finish(d, Precision::exact), .labels = std::move(labels)};
}

double entries_after(int epochs, const SolverSpec& method, std::size_t r, std::uint32_t d) {
  const Dataset data = rows_of(r, d);
  Objective objective;
  objective.loss = "smooth-hinge";
  objective.lambda = 0.5;
  objective.intercept = Intercept::none;
  const Problem problem = make_problem(data, objective);
  const auto solver = make_solver(problem, method);
  for (int k = 0; k < epochs; ++k) solver->epoch();
  return solver->work().entries;
}

struct Shape {
  std::size_t r;
  std::uint32_t d;
};
const std::vector<Shape> shapes = {{4, 200}, {8, 200}, {8, 400}, {8, 3000}, {32, 3000}};

TEST(Complexity, a_step_of_aspdc_uses_the_entries_of_one_row) {
  constexpr int epochs = 3;  // of n steps
  for (const char* name : {"aspdc", "aspdc-i"})
    for (const auto [r, d] : shapes) {
      const double per_step = entries_after(epochs, {name, {{"draw", "iid"}}, 1}, r, d) / (epochs * double(n));
      EXPECT_GE(per_step, double(r)) << name << " r " << r << " d " << d;
      EXPECT_LE(per_step, 2.0 * double(r)) << name << " r " << r << " d " << d;
    }
}

TEST(Complexity, a_step_of_spd1_uses_three_entries_whatever_the_shape) {
  for (const auto [r, d] : shapes) {
    const double steps = double(n * r);  // per epoch
    EXPECT_DOUBLE_EQ(entries_after(4, {"spd1-vr", {{"epoch-length", "1"}}, 1}, r, d) / (4 * steps), 3 + 2);
    EXPECT_DOUBLE_EQ(
        entries_after(4, {"spd1-vr", {{"epoch-length", "1"}, {"variance-reduction", "off"}}, 1}, r, d) / (4 * steps),
        3);
  }
}

TEST(Complexity, a_step_of_svrg_does_not_use_all_coordinates) {
  for (const auto [r, d] : shapes) {
    const double per_step = entries_after(2, {"svrg", {}, 1}, r, d) / (2 * 2 * double(n));
    EXPECT_DOUBLE_EQ(per_step, 3.0 * double(r)) << "two per entry of the row, and a full gradient in 2n steps; d " << d;
  }
}

}  // namespace complexity_test
}  // namespace seesaw
