#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/readers/read.h"
#include "files.h"
#include "seesaw/error.h"

namespace seesaw {
namespace weights_test {

using testing_files::matrix_of;
using testing_files::message_of;
using testing_files::packed;
using testing_files::TemporaryFile;
using Matrix = std::vector<std::vector<double>>;
using Numbers = std::vector<double>;

Dataset weighted(const std::string& rows, const std::string& weights) {
  return with_weights(read_dataset(TemporaryFile(rows).path()), TemporaryFile(weights).path());
}

TEST(Weights, belong_to_the_rows_in_order) {
  const Dataset data = weighted("1 1:1\n-1 1:2\n1 1:3\n", "0.5\n2\n1e-3\n");
  EXPECT_EQ(data.weights, (Numbers{0.5, 2, 1e-3}));
  EXPECT_EQ(data.labels, (Numbers{1, -1, 1}));
}

TEST(Weights, may_be_on_one_line_or_many_with_comments) {
  EXPECT_EQ(weighted("1\n2\n3\n4\n", "# four\n 1 2\t3# third\r\n\n4").weights, (Numbers{1, 2, 3, 4}));
}

TEST(Weights, may_be_compressed) { EXPECT_EQ(weighted("1\n2\n", packed("3 4\n", "gzip")).weights, (Numbers{3, 4})); }

TEST(Weights, that_are_all_one_are_dropped) {
  EXPECT_TRUE(weighted("1 1:1\n2 1:1\n", "1 1.0\n").weights.empty());
  const Dataset data = weighted("1 1:1\n2 1:1\n", "0 1\n");
  EXPECT_TRUE(data.weights.empty());
  EXPECT_EQ(data.n(), 1u);
}

TEST(Weights, of_zero_drop_sparse_rows) {
  const Dataset data = weighted("1 1:1 90:0.1\n2 2:2\n3\n4 4:4 5:0\n", "1 0 2 3\n");
  ASSERT_TRUE(std::holds_alternative<SparseRows<double>>(data.rows));
  EXPECT_EQ(data.labels, (Numbers{1, 3, 4}));
  EXPECT_EQ(data.weights, (Numbers{1, 2, 3}));
  EXPECT_EQ(data.d(), 90u);
  EXPECT_EQ(data.nnz, 4u);
  const Matrix matrix = matrix_of(data);
  EXPECT_EQ(matrix[0][89], 0.1);
  EXPECT_EQ(matrix[1], Numbers(90));
  EXPECT_EQ(matrix[2][3], 4);
}

TEST(Weights, of_zero_drop_dense_rows) {
  const Dataset data = weighted("1 1:1 2:2\n2 1:3 2:4\n3 1:5 2:6\n", "0 1 0.5\n");
  ASSERT_TRUE(std::holds_alternative<DenseRows<float>>(data.rows));
  EXPECT_EQ(matrix_of(data), (Matrix{{3, 4}, {5, 6}}));
  EXPECT_EQ(data.labels, (Numbers{2, 3}));
  EXPECT_EQ(data.nnz, 4u);
}

TEST(Weights, keep_everything_else) {
  const TemporaryFile rows("1 1:1\n-1 1:2\n"), weights("2 3\n");
  const Dataset before = read_dataset(rows.path());
  const Dataset after = with_weights(before, weights.path());
  EXPECT_EQ(after.source, rows.path());
  EXPECT_EQ(after.nnz, before.nnz);
  EXPECT_EQ(matrix_of(after), matrix_of(before));
}

TEST(Weights, must_be_as_many_as_rows) {
  const TemporaryFile rows("1\n2\n3\n"), few("1 2\n"), many("1 2 3 4\n"), empty;
  const Dataset data = read_dataset(rows.path());
  for (const auto& [file, count] : {std::pair{&few, "2 weights"}, {&many, "4 weights"}, {&empty, "0 weights"}})
    EXPECT_EQ(message_of([&, f = file] { with_weights(data, f->path()); }),
              file->path() + ": has " + count + " for the 3 rows of " + rows.path() + "; give one per row.");
}

TEST(Weights, must_not_all_be_zero) {
  const TemporaryFile rows("1\n2\n"), weights("0 0.0\n");
  EXPECT_EQ(message_of([&] { with_weights(read_dataset(rows.path()), weights.path()); }),
            weights.path() + ": all weights are 0; give at least one row a weight > 0.");
}

TEST(Weights, must_be_finite_and_nonnegative) {
  const TemporaryFile rows("1\n2\n");
  const Dataset data = read_dataset(rows.path());
  for (const std::string bad : {"-1", "x", "1x", "nan", "inf", "1e999", "1,2"}) {
    const TemporaryFile weights("1\n  " + bad + "\n");
    EXPECT_EQ(message_of([&] { with_weights(data, weights.path()); }),
              weights.path() + ":2:3: the weight '" + bad + "' is not a number >= 0; give one such number per row.");
  }
}

TEST(Weights, in_a_missing_file_are_refused) {
  const TemporaryFile rows("1\n");
  EXPECT_EQ(message_of([&] { with_weights(read_dataset(rows.path()), "no/such/file"); }),
            "no/such/file: cannot be opened (No such file or directory); give a file with one weight per row.");
}

}  // namespace weights_test
}  // namespace seesaw
