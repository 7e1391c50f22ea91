#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/buffer.h"
#include "base/compensated_sum.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "seesaw/error.h"

namespace seesaw {
namespace base_test {

TEST(CompensatedSum, is_accurate_where_a_plain_sum_is_not) {
  CompensatedSum sum;
  sum += 1e16;
  for (int k = 0; k < 1000; ++k) sum += 1.0;
  sum += -1e16;
  EXPECT_EQ(sum.value(), 1000);
}

TEST(CompensatedSum, joins_two_sums) {
  CompensatedSum a, b;
  a += 1e16;
  a += 1;
  b += -1e16;
  b += 1;
  a += b;
  EXPECT_EQ(a.value(), 2);
}

TEST(Parallel, covers_the_range_once_and_does_not_depend_on_threads) {
  double sums[3];
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    std::vector<int> seen(100003);
    parallel_chunks(chunks_of(seen.size(), 100), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++seen[i];
    });
    EXPECT_EQ(std::set<int>(seen.begin(), seen.end()), std::set<int>{1});
    sums[threads] = parallel_sum<double>(chunks_of(seen.size(), 100), [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += std::sin(double(i));
      return sum;
    });
  }
  EXPECT_EQ(sums[1], sums[2]);
}

TEST(Rng, is_uniform_reproducible_and_separate_by_seed_and_stream) {
  Rng a(1), b(1), c(2), d(1, 1);
  EXPECT_EQ(a.bits(), b.bits());
  EXPECT_NE(b.bits(), c.bits());
  EXPECT_NE(a.bits(), d.bits());
  double mean = 0, square = 0, normal_mean = 0, normal_square = 0;
  std::vector<int> count(10);
  const int draws = 200000;
  for (int k = 0; k < draws; ++k) {
    const double u = a.uniform(), g = a.normal();
    ASSERT_TRUE(u >= 0 && u < 1);
    mean += u / draws;
    square += u * u / draws;
    normal_mean += g / draws;
    normal_square += g * g / draws;
    ++count[a.below(10)];
  }
  EXPECT_NEAR(mean, 0.5, 0.005);
  EXPECT_NEAR(square, 1 / 3.0, 0.005);
  EXPECT_NEAR(normal_mean, 0, 0.01);
  EXPECT_NEAR(normal_square, 1, 0.02);
  for (int c10 : count) EXPECT_NEAR(c10, draws / 10.0, 700);
}

TEST(Buffer, grows_keeps_and_narrows) {
  Buffer<double> buffer;
  for (int k = 0; k < 100000; ++k) buffer.push_back(k);
  EXPECT_EQ(buffer.size(), 100000u);
  EXPECT_EQ(buffer[77777], 77777);
  auto* narrow = reinterpret_cast<float*>(buffer.data());
  for (std::size_t k = 0; k < buffer.size(); ++k) {
    const double value = buffer[k];
    const auto rounded = static_cast<float>(value);
    std::memcpy(narrow + k, &rounded, sizeof rounded);
  }
  const Buffer<float> floats = std::move(buffer).narrowed<float>();
  EXPECT_EQ(floats.size(), 100000u);
  EXPECT_EQ(floats[77777], 77777.0f);
}

class AtomicFileTest : public testing::Test {
 protected:
  std::string path = testing::TempDir() + "atomic_file_test";
  void SetUp() override { std::ofstream(path) << "before"; }
  std::string content() const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  int files() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(testing::TempDir()))
      count += entry.path().string().starts_with(path);
    return count;
  }
};

TEST_F(AtomicFileTest, replaces_the_file_when_committed) {
  AtomicFile file(path);
  file.write(std::string_view("after"));
  EXPECT_EQ(content(), "before");
  file.commit();
  EXPECT_EQ(content(), "after");
  EXPECT_EQ(files(), 1);
}

// A process that is killed at any time then leaves no temporary file: there is none.
TEST_F(AtomicFileTest, gives_a_new_file_its_name_in_one_step) {
  const std::string folder = path + "_folder";
  std::filesystem::create_directories(folder);
  const int unnamed = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (unnamed < 0) GTEST_SKIP() << folder << " is on a file system without O_TMPFILE.";
  close(unnamed);
  const int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(inotify_add_watch(events, folder.c_str(), IN_CREATE | IN_MOVED_TO), 0);
  AtomicFile file(folder + "/new");
  file.write(std::string_view("text"));
  file.commit();
  std::vector<std::string> names;
  alignas(inotify_event) char bytes[4096];
  for (ssize_t size = 0; (size = read(events, bytes, sizeof bytes)) > 0;)
    for (ssize_t at = 0; at < size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(bytes + at);
      names.emplace_back(event->name);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
  close(events);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(names, std::vector<std::string>{"new"});
}

TEST_F(AtomicFileTest, changes_nothing_if_not_committed) {
  {
    AtomicFile file(path);
    file.write(std::string_view("half"));
  }
  EXPECT_EQ(content(), "before");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, reports_why_it_cannot_be_written) {
  EXPECT_THROW(AtomicFile{testing::TempDir()}, Error);
  try {
    AtomicFile file("/nonexistent/folder/x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
  }
}

}  // namespace base_test
}  // namespace seesaw
