// Dual points beside their model: restored exactly, damage of any byte found, the same bytes whoever writes which rows.
#include "model/dual_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "base/rng.h"
#include "model/model_file.h"
#include "model/shared_model_file.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/scratch_folder.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace dual_file_test {

std::vector<double> random_numbers(std::size_t count) {
  Rng rng(3);
  std::vector<double> y(count);
  for (double& yi : y) yi = rng.normal();
  return y;
}

std::uint64_t write_dual_at(const std::string& path, const DualFileShape& shape, const std::vector<double>& y) {
  AtomicFile file(path);
  const std::uint64_t checksum = write_dual(file, shape, y);
  file.commit();
  return checksum;
}

LinearModel model_with(std::size_t rows) {
  LinearModel model;
  model.objective.loss = "squared";
  model.objective.lambda = 0.5;
  model.x = {1, 2};
  model.y = random_numbers(rows);
  model.n = rows;
  model.data_hash = 0x1234;
  return model;
}

TEST(DualFile, restores_what_was_written) {
  const test::ScratchFolder folder;
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, 3 * rows_per_dual_block / 2})
    for (const std::size_t outputs : {1, 3}) {
      const DualFileShape shape{rows, outputs, 7};
      const std::vector<double> y = random_numbers(rows * outputs);
      const std::uint64_t checksum = write_dual_at(folder.path("m.dual"), shape, y);
      EXPECT_EQ(read_dual_file(folder.path("m.dual"), shape, checksum), y);
    }
}

TEST(DualFile, finds_damage_of_every_byte_and_every_truncation) {
  const test::ScratchFolder folder;
  const DualFileShape shape{5, 2, 7};
  const std::uint64_t checksum = write_dual_at(folder.path("m.dual"), shape, random_numbers(10));
  const std::string bytes = folder.text_of("m.dual");
  EXPECT_EQ(bytes.size(), 64u + 80u + 8u);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    EXPECT_THROW(read_dual_file(folder.file("d", damaged), shape, checksum), Error) << "byte " << at;
    EXPECT_THROW(read_dual_file(folder.file("d", bytes.substr(0, at)), shape, checksum), Error) << at << " bytes";
  }
}

// Nothing of the size that a model states is allocated before the file is known to have it; products may overflow.
TEST(DualFile, refuses_shapes_that_no_memory_has) {
  const test::ScratchFolder folder;
  const std::uint64_t checksum = write_dual_at(folder.path("m.dual"), {5, 2, 7}, random_numbers(10));
  for (const std::size_t rows : {std::size_t{1000000000000000000}, std::size_t{1} << 60, std::size_t{1} << 61})
    for (const std::size_t outputs : {1, 2, 16})
      EXPECT_TRUE(test::contains(test::sentence_of<Error>([&] {
                                   read_dual_file(folder.path("m.dual"), {rows, outputs, 7}, checksum);
                                 }),
                                 "does not have the size of"));
}

// As several processes write it: each its rows at their position, the checksums added up.
TEST(DualFile, has_the_same_bytes_whoever_writes_which_rows) {
  const test::ScratchFolder folder;
  const DualFileShape shape{2 * rows_per_dual_block + 1000, 2, 9};
  const std::vector<double> y = random_numbers(shape.rows * shape.outputs);
  write_dual_at(folder.path("whole"), shape, y);
  std::vector<std::uint64_t> sums(dual_blocks(shape.rows));
  std::string parts(dual_position(shape, shape.rows), '\0');
  const std::vector<std::size_t> borders = {0, 17, rows_per_dual_block + 5, rows_per_dual_block + 6, shape.rows};
  for (std::size_t k = borders.size() - 1; k-- > 0;) {
    const std::size_t first = borders[k], rows = borders[k + 1] - first;
    const double* const part = y.data() + first * shape.outputs;
    std::vector<std::uint64_t> of_part(sums.size());
    add_to_dual_checksums(shape, first, part, rows, of_part);
    for (std::size_t block = 0; block < sums.size(); ++block) sums[block] += of_part[block];
    std::memcpy(parts.data() + dual_position(shape, first), part, rows * shape.outputs * sizeof(double));
  }
  const std::string header = dual_header(shape, sums);
  std::copy(header.begin(), header.end(), parts.begin());
  parts.append(reinterpret_cast<const char*>(sums.data()), sums.size() * sizeof(std::uint64_t));
  EXPECT_EQ(parts, folder.text_of("whole"));
}

TEST(DualFile, is_named_by_its_model) {
  const test::ScratchFolder folder;
  const LinearModel model = model_with(1000);
  write_model(model, folder.path("m.model"), DualPlace::beside_model);
  EXPECT_EQ(read_model(folder.path("m.model")).y, model.y);
  EXPECT_TRUE(read_model(folder.path("m.model"), false).y.empty());
  EXPECT_TRUE(test::contains(folder.text_of("m.model"), R"("dual": {"file": "m.model.dual", "checksum": ")"));
  write_model(model, folder.path("inside.model"), DualPlace::by_size);
  EXPECT_FALSE(std::filesystem::exists(folder.path("inside.model.dual")));
  EXPECT_EQ(read_model(folder.path("inside.model")).y, model.y);

  const std::string beside = folder.path("m.model.dual");
  const auto refusal = [&] { return test::sentence_of<Error>([&] { read_model(folder.path("m.model")); }); };
  std::filesystem::rename(beside, folder.path("away"));
  EXPECT_TRUE(test::contains(refusal(), "No such file or directory. It belongs beside its model."));
  LinearModel other = model;
  other.y[5] += 1;
  write_model(other, folder.path("other.model"), DualPlace::beside_model);
  std::filesystem::copy(folder.path("other.model.dual"), beside);
  EXPECT_TRUE(test::contains(refusal(), "belongs to another model"));
  write_model(model_with(999), folder.path("shorter.model"), DualPlace::beside_model);
  std::filesystem::rename(folder.path("shorter.model.dual"), beside);
  EXPECT_TRUE(test::contains(refusal(), "does not have the size of 1000 x 1 numbers"));
}

// Space for the dual point, not for the model: the old pair stays, and belongs together.
TEST(DualFile, stays_with_its_model_on_a_full_disk) {
  const test::ScratchFolder folder;
  const std::string path = folder.path("m.model");
  LinearModel model = model_with(20);
  model.x = random_numbers(1000);
  write_model(model, path, DualPlace::beside_model);
  const std::string before = folder.text_of("m.model"), dual_before = folder.text_of("m.model.dual");
  LinearModel other = model;
  for (double& yi : other.y) yi += 1;

  const auto with_little_space = [&](const auto& write) {
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit usual{};
    getrlimit(RLIMIT_FSIZE, &usual);
    const rlimit little{1024, usual.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
    EXPECT_THROW(write(), Error);
    setrlimit(RLIMIT_FSIZE, &usual);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(folder.text_of("m.model"), before);
    EXPECT_EQ(folder.text_of("m.model.dual"), dual_before);
    EXPECT_EQ(read_model(path).y, model.y);
  };
  with_little_space([&] { write_model(other, path, DualPlace::beside_model); });
  with_little_space([&] {
    test::on_ranks(2, [&](Ranks& ranks) {
      LinearModel part = other;
      const auto half = part.y.begin() + 10;
      part.y = ranks.first() ? std::vector(part.y.begin(), half) : std::vector(half, part.y.end());
      write_shared_model(part, ranks, path, DualPlace::beside_model);
    });
  });
}

TEST(DualFile, is_used_above_a_size) {
  EXPECT_FALSE(dual_is_beside(DualPlace::by_size, most_dual_numbers_in_model, "m.model"));
  EXPECT_TRUE(dual_is_beside(DualPlace::by_size, most_dual_numbers_in_model + 1, "m.model"));
  EXPECT_FALSE(dual_is_beside(DualPlace::beside_model, 10, "/dev/stdout"));
  EXPECT_FALSE(dual_is_beside(DualPlace::in_model, most_dual_numbers_in_model + 1, "m.model"));
}

}  // namespace dual_file_test
}  // namespace seesaw
