#include "data/write_libsvm.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "base/rng.h"
#include "data/cache.h"
#include "data/readers/read.h"
#include "files.h"
#include "seesaw/error.h"

namespace seesaw {
namespace write_libsvm_test {

using testing_files::matrix_of;
using testing_files::TemporaryFile;

std::string written(const Dataset& data) {
  const TemporaryFile file;
  write_libsvm(data, file.path());
  return file.content();
}

Dataset parse(const std::string& text) { return read_dataset(TemporaryFile(text).path()); }

TEST(WriteLibsvm, writes_numbers_in_their_shortest_form) {
  EXPECT_EQ(written(parse("+1.0 1:0.50 90:1.25e-10\n-2.50\t2:3.000 \n0\n")), "1 1:0.5 90:1.25e-10\n-2.5 2:3\n0\n");
}

TEST(WriteLibsvm, omits_zeros_and_comments) { EXPECT_EQ(written(parse("1 1:0 90:2 # x\n")), "1 90:2\n"); }

TEST(WriteLibsvm, writes_dense_rows) { EXPECT_EQ(written(parse("1 1:1 2:2\n-1 2:4\n")), "1 1:1 2:2\n-1 2:4\n"); }

TEST(WriteLibsvm, is_read_back_unchanged) {
  Rng rng(8);
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += std::to_string(rng.normal());
    for (std::uint32_t j = rng.below(20); j < 100; j += 1 + rng.below(40))
      text += fmt::format(" {}:{:.12f}e{}", j + 1, rng.normal(), rng.below(40));
    text += "\n";
  }
  const Dataset data = parse(text);
  const Dataset same = parse(written(data));
  EXPECT_EQ(same.labels, data.labels);
  EXPECT_EQ(matrix_of(same), matrix_of(data));
}

TEST(WriteLibsvm, is_read_back_unchanged_through_a_cache) {
  for (const std::string text : {"1 1:0.1 7:3\n-1\n1 2:1e-300 50:0.25\n", "1 1:1 2:2\n-1 1:3 2:4\n", "5\n6\n"}) {
    const TemporaryFile cache;
    write_cache(parse(text), cache.path());
    EXPECT_EQ(written(read_dataset(cache.path())), text);
  }
}

TEST(WriteLibsvm, reports_unwritable_files) {
  EXPECT_THROW(write_libsvm(parse("1\n"), "no/such/folder/file"), Error);
  EXPECT_THROW(write_libsvm(parse("1\n"), ::testing::TempDir()), Error);
}

}  // namespace write_libsvm_test
}  // namespace seesaw
