#include "solvers/parts/dual/working_copy.h"

#include <gtest/gtest.h>

#include "support/problems.h"

namespace seesaw {
namespace working_copy_test {

class WorkingCopies : public testing::Test {
 protected:
  // Values that are not floats unless `exact`; sum_i c_i |b_i| = 1.
  Dataset make_data(bool exact) {
    test::Matrix matrix = test::random_matrix(20, 4, 1);
    if (!exact)
      for (auto& row : matrix)
        for (double& value : row) value /= 3;
    Dataset result = test::table(matrix);
    result.labels = test::random_labels(matrix, Target::sign, 1);
    return result;
  }
  Problem problem_of(const Dataset& data) {
    Objective objective;
    objective.loss = "hinge";
    return make_problem(data, objective);
  }
  static bool compact(const WorkingCopy& copy) { return copy.get().index() == 4; }
};

TEST_F(WorkingCopies, of_small_data_are_the_original_rows_unless_requested) {
  const Dataset data = make_data(false);
  const Problem problem = problem_of(data);
  EXPECT_FALSE(compact(WorkingCopy(problem, WorkingStorage::automatic)));
  EXPECT_FALSE(compact(WorkingCopy(problem, WorkingStorage::exact)));
  EXPECT_TRUE(compact(WorkingCopy(problem, WorkingStorage::compact)));
}

TEST_F(WorkingCopies, of_large_double_precision_data_are_compact_after_twelve_passes) {
  for (const auto storage : {test::Storage::sparse, test::Storage::sparse_float}) {
    const Dataset data = test::random_data(6000, 60, Target::sign, 3, storage);  // 2.8 and 1.9 MB
    const Problem problem = problem_of(data);
    WorkingCopy copy(problem, WorkingStorage::automatic);
    copy.after(11.9);
    EXPECT_FALSE(compact(copy));
    copy.after(12);
    EXPECT_EQ(compact(copy), storage == test::Storage::sparse);
    WorkingCopy solved(problem, WorkingStorage::automatic);
    EXPECT_FALSE(solved.on_check({{.primal = 1, .gap = 1e-9}, 1e-12}));  // beyond the precision of floats already
    solved.after(12);
    EXPECT_FALSE(compact(solved));
  }
}

TEST_F(WorkingCopies, are_replaced_by_the_exact_rows_below_their_precision) {
  const Dataset data = make_data(false);
  const Problem problem = problem_of(data);
  WorkingCopy copy(problem, WorkingStorage::compact);
  for (const double gap : {1.0, 1e-3, 1e-6, 2e-8})
    EXPECT_FALSE(copy.on_check({{.primal = 1, .gap = gap}, 1e-12})) << gap;
  EXPECT_TRUE(compact(copy));
  EXPECT_TRUE(copy.on_check({{.primal = 1, .gap = 1e-8}, 1e-12}));
  EXPECT_FALSE(compact(copy));
  EXPECT_FALSE(copy.on_check({{.primal = 1, .gap = 1e-9}, 1e-12}));  // once
}

TEST_F(WorkingCopies, are_replaced_when_a_small_gap_stagnates_but_not_a_large_one) {
  const Dataset data = make_data(false);
  const Problem problem = problem_of(data);
  WorkingCopy copy(problem, WorkingStorage::compact);
  EXPECT_FALSE(copy.on_check({{.primal = 1, .gap = 0.1}, 1e-12}));
  EXPECT_FALSE(copy.on_check({{.primal = 1, .gap = 0.1}, 1e-12}));
  EXPECT_FALSE(copy.on_check({{.primal = 1, .gap = 1e-6}, 1e-12}));
  EXPECT_TRUE(copy.on_check({{.primal = 1, .gap = 0.95e-6}, 1e-12}));
}

TEST_F(WorkingCopies, are_kept_if_nothing_was_rounded) {
  const Dataset data = make_data(true);
  const Problem problem = problem_of(data);
  WorkingCopy copy(problem, WorkingStorage::compact);
  for (const double gap : {1e-3, 1e-12, 1e-12}) EXPECT_FALSE(copy.on_check({{.primal = 1, .gap = gap}, 1e-14}));
  EXPECT_TRUE(compact(copy));
}

}  // namespace working_copy_test
}  // namespace seesaw
