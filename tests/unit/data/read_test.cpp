#include "data/readers/read.h"

#include <gtest/gtest.h>

#include <string>

#include "data/cache.h"
#include "files.h"
#include "seesaw/error.h"

namespace seesaw {
namespace read_test {

using testing_files::message_of;
using testing_files::packed;
using testing_files::TemporaryFile;

TEST(Read, guesses_csv_by_its_name) {
  for (const std::string ending : {".csv", ".tsv", ".CSV"}) {
    const TemporaryFile file("1,2\n", ending);
    EXPECT_EQ(read_dataset(file.path()).nnz, 1u) << ending;
  }
  for (const auto& [ending, packing] :
       {std::pair{".csv.gz", "gzip"}, {".csv.bz2", "bzip2"}, {".tsv.xz", "xz"}, {".csv.zst", "zstd"}}) {
    const TemporaryFile file(packed("y\ta\n1\t2\n", packing), ending);
    EXPECT_EQ(read_dataset(file.path()).nnz, 1u) << ending;
  }
}

TEST(Read, guesses_libsvm_otherwise) {
  for (const std::string ending : {"", ".txt", ".svm", ".gz", ".csv.old", ".xz"})
    EXPECT_EQ(read_dataset(TemporaryFile("1 3:1\n", ending).path()).d(), 3u) << ending;
}

TEST(Read, guesses_a_cache_by_its_content) {
  const TemporaryFile file({}, ".csv");
  write_cache(read_dataset(TemporaryFile("1 3:1\n").path()), file.path());
  EXPECT_EQ(read_dataset(file.path()).d(), 3u);
}

TEST(Read, obeys_an_explicit_format) {
  const TemporaryFile csv("1,2\n"), svm("1 3:1\n", ".csv");
  EXPECT_EQ(read_dataset(csv.path(), {.format = Format::csv}).d(), 1u);
  EXPECT_EQ(read_dataset(svm.path(), {.format = Format::libsvm}).d(), 3u);
  EXPECT_THROW(read_dataset(csv.path(), {.format = Format::cache}), Error);
}

TEST(Read, reports_the_expected_input_if_a_file_is_missing) {
  const std::string folder = ::testing::TempDir();
  EXPECT_EQ(message_of([&] { read_dataset(folder); }),
            folder + ": is a directory; give a file of LIBSVM text, CSV, NumPy arrays or a .ssw cache.");
  EXPECT_EQ(message_of([] { read_dataset("no/such/file"); }),
            "no/such/file: cannot be opened (No such file or directory); give a file of LIBSVM text, CSV, NumPy arrays "
            "or a .ssw cache.");
  const TemporaryFile empty;
  EXPECT_EQ(message_of([&] { read_dataset(empty.path()); }),
            empty.path() + ": is empty; give a file of LIBSVM text, CSV, NumPy arrays or a .ssw cache.");
}

}  // namespace read_test
}  // namespace seesaw
