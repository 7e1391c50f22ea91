// Batches of the primal-dual methods: the same bits for any number of threads, with as many parts as threads.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <numeric>

#include "solvers/catalog.h"
#include "solvers/parts/primal/column_ranges.h"
#include "support/problems.h"

namespace seesaw {
namespace batch_threads_test {

using test::Storage;

Point after_passes(const Problem& problem, const SolverSpec& spec, int threads) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  Point point;
  arena.execute([&] {
    const auto solver = make_solver(problem, spec);
    for (int pass = 0; pass < 6; ++pass) solver->epoch();
    solver->read(point);
  });
  return point;
}

TEST(Batches, have_the_same_bits_for_any_number_of_threads) {
  for (const Storage storage : {Storage::sparse, Storage::dense})
    for (const char* loss : {"logistic", "smooth-hinge", "softmax"})
      for (const double l1 : {0.0, 1e-4}) {
        const bool classes = std::string(loss) == "softmax";
        const Dataset data = classes ? test::random_classes(600, 300, 3, 4, storage)
                                     : test::random_data(600, 300, Target::sign, 4, storage);
        Objective objective;
        objective.loss = loss;
        objective.lambda = 0.01;
        if (l1 > 0) objective.l1 = l1;
        const Problem problem = make_problem(data, objective);
        for (const char* method : {"spdc", "adaspdc"}) {
          const SolverSpec spec{method, {{"batch", "512"}}, 3};
          const Point one = after_passes(problem, spec, 1);
          for (const int threads : {2, 3, 8}) {
            const Point other = after_passes(problem, spec, threads);
            EXPECT_EQ(other.x, one.x) << method << " " << loss << " " << threads;
            EXPECT_EQ(other.y, one.y) << method << " " << loss << " " << threads;
            EXPECT_EQ(other.intercept, one.intercept) << method << " " << loss << " " << threads;
          }
        }
      }
}

TEST(ColumnRanges, contain_every_entry_once_and_about_the_same_number) {
  for (const Storage storage : test::all_storages) {
    const Dataset data = test::random_data(200, 37, Target::sign, 8, storage);
    std::visit(
        [&](const auto& rows) {
          for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{37}}) {
            const ColumnRanges ranges(rows, count);
            ASSERT_EQ(ranges.count(), count);
            EXPECT_EQ(ranges.begin(0), 0u);
            EXPECT_EQ(ranges.end(count - 1), 37u);
            std::vector<std::size_t> entries(count);
            for (std::size_t range = 0; range < count; ++range) {
              ASSERT_LE(ranges.begin(range), ranges.end(range));
              if (range > 0) {
                EXPECT_EQ(ranges.begin(range), ranges.end(range - 1));
              }
              for (std::size_t i = 0; i < rows.count(); ++i) {
                const auto part = part_of(rows.row(i), ranges.begin(range), ranges.end(range));
                entries[range] += part.row.size;
                for_each(part.row, [&](std::size_t j, double) {
                  EXPECT_GE(j + part.first_column, ranges.begin(range));
                  EXPECT_LT(j + part.first_column, ranges.end(range));
                });
              }
              if (count <= 5) {
                EXPECT_NEAR(static_cast<double>(entries[range]), static_cast<double>(rows.entries()) / double(count),
                            200.0);  // one column has at most 200
              }
            }
            EXPECT_EQ(std::accumulate(entries.begin(), entries.end(), std::size_t{0}), rows.entries());
          }
        },
        data.rows);
  }
}

}  // namespace batch_threads_test
}  // namespace seesaw
