#include "run/machine_costs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "support/scratch_folder.h"

namespace seesaw {
namespace machine_costs_test {

bool same(const Costs& a, const Costs& b) {
  return a.product == b.product && a.pair == b.pair && a.multiply_add == b.multiply_add;
}

TEST(MachineCosts, are_measured_once_and_read_back_exactly) {
  const test::ScratchFolder folder;
  const std::string cache = folder.path("cache");
  const Costs first = stored_costs(cache);
  EXPECT_FALSE(same(first, Costs{})) << "measured costs never equal the built-in ones";
  EXPECT_TRUE(std::filesystem::exists(cache + "/costs.json"));
  EXPECT_TRUE(same(stored_costs(cache), first));
}

TEST(MachineCosts, that_are_damaged_are_measured_again) {
  const test::ScratchFolder folder;
  for (const char* text : {"", "{", "[1, 2]", R"({"product": -1})", R"({"cpu":5})", R"({"cpu":[],"version":{}})"}) {
    std::ofstream(folder.path("costs.json")) << text;
    const Costs costs = stored_costs(folder.path(""));
    EXPECT_GT(costs.product, 0);
    EXPECT_TRUE(same(stored_costs(folder.path("")), costs));
  }
}

TEST(MachineCosts, are_the_built_in_ones_if_they_cannot_be_stored) {
  EXPECT_TRUE(same(stored_costs(""), Costs{}));
  const test::ScratchFolder folder;
  std::ofstream(folder.path("file")) << "not a folder";
  EXPECT_TRUE(same(stored_costs(folder.path("file")), Costs{}));
}

// A folder, a pipe or a large file at this path makes no run fail or wait.
TEST(MachineCosts, are_the_built_in_ones_if_the_path_is_something_else) {
  const test::ScratchFolder folder;
  std::filesystem::create_directories(folder.path("a/costs.json/inside"));
  EXPECT_TRUE(same(stored_costs(folder.path("a")), Costs{}));
  std::filesystem::create_directory(folder.path("b"));
  ASSERT_EQ(mkfifo(folder.path("b/costs.json").c_str(), 0600), 0);
  EXPECT_TRUE(same(stored_costs(folder.path("b")), Costs{}));
  std::filesystem::create_directory(folder.path("c"));
  std::ofstream(folder.path("c/costs.json")) << std::string(1 << 20, '[');
  const Costs costs = stored_costs(folder.path("c"));
  EXPECT_TRUE(same(stored_costs(folder.path("c")), costs));
}

TEST(MachineCosts, are_nanoseconds) {
  const Costs costs = measure_costs();
  for (const double ns : {costs.product, costs.pair, costs.multiply_add}) {
    EXPECT_GT(ns, 1e-3);
    EXPECT_LT(ns, 1e3);
  }
}

}  // namespace machine_costs_test
}  // namespace seesaw
