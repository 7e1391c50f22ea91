#include "solvers/supported.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/problem_kind.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/problems.h"

namespace seesaw {
namespace supported_test {

// Few features, many rows, a large penalty: every requirement on the data is met.
Dataset data_for(const LossKind& kind) {
  constexpr std::size_t n = 40, d = 3;
  if (kind.make_block != nullptr) return test::random_classes(n, d, 3, 1);
  const test::Matrix matrix = test::random_matrix(n, d, 1);
  Dataset data = test::table(matrix, test::Storage::sparse);
  data.labels = test::random_labels(matrix, kind.target, 1);
  return data;
}

struct Penalty {
  const char* name;
  double lambda, l1;
};
constexpr Penalty penalties[] = {{"l2", 5, 0}, {"elastic-net", 5, 0.01}, {"l1", 0, 0.01}, {"none", 0, 0}};

bool solves(const Recipe& recipe, const Problem& problem) {
  try {
    make_solver(problem, {.name = recipe.name, .options = {}})->epoch();
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

// Compared with constructing the method on data, as `train` does.
TEST(Supported, methods_are_those_that_can_be_constructed) {
  std::size_t cells = 0, able = 0;
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds()})
    for (const LossKind& kind : *kinds) {
      const Dataset data = data_for(kind);
      for (const Penalty& penalty : penalties) {
        Objective objective;
        objective.loss = kind.name;
        objective.regularizer = penalty.name;
        if (penalty.lambda > 0) objective.lambda = penalty.lambda;
        if (penalty.l1 > 0) objective.l1 = penalty.l1;
        const Problem problem = make_problem(data, objective);
        const std::vector<std::string> names = methods_for(kind, penalty.lambda, penalty.l1);
        for (const Recipe& recipe : catalog()) {
          const bool listed = std::find(names.begin(), names.end(), recipe.name) != names.end();
          EXPECT_EQ(listed, solves(recipe, problem)) << recipe.name << ", " << kind.name << ", " << penalty.name;
          ++cells;
          able += listed;
        }
      }
    }
  EXPECT_EQ(cells, catalog().size() * (loss_kinds().size() + block_loss_kinds().size()) * 4);
  EXPECT_GT(able, cells / 4);
  EXPECT_LT(able, cells);
}

TEST(Supported, kinds_have_the_penalty_of_their_coefficients) {
  for (const Penalty& penalty : penalties) {
    const Problem problem = problem_of_kind(loss_kind("squared"), penalty.lambda, penalty.l1);
    EXPECT_EQ(problem.penalty.name(), penalty.name);
    EXPECT_EQ(problem.penalty.l2(), penalty.lambda);
    EXPECT_EQ(problem.penalty.l1(), penalty.l1);
  }
  const std::vector<std::string> lasso = methods_for(loss_kind("squared"), 0, 1);
  EXPECT_EQ(std::count(lasso.begin(), lasso.end(), "ws"), 1);
  EXPECT_EQ(std::count(lasso.begin(), lasso.end(), "newton"), 0);
  EXPECT_TRUE(methods_for(loss_kind("hinge"), 0, 0).empty()) << "no penalty and no curvature: no method, not even auto";
}

}  // namespace supported_test
}  // namespace seesaw
