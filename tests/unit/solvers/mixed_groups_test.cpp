#include "solvers/parts/dual/mixed_groups.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <numeric>
#include <set>

#include "seesaw/error.h"

namespace seesaw {
namespace mixed_groups_test {

constexpr std::size_t row_size = 1000;

// The value of entry k: the number of its row.
float number_of_row(std::size_t k) {
  const std::size_t row = k / row_size;
  return static_cast<float>(row);
}

// Every value is the number of its row.
class RowNumbers final : public ExtentReader {
 public:
  explicit RowNumbers(std::size_t entries) : entries_(entries) {}
  void read(std::size_t extent, void*, void* values) override {
    ++reads;
    const std::size_t first = extent * extent_entries, count = std::min(extent_entries, entries_ - first);
    for (std::size_t k = 0; k < count; ++k) static_cast<float*>(values)[k] = number_of_row(first + k);
  }
  std::atomic<std::size_t> reads = 0;

 private:
  std::size_t entries_;
};

struct OnDisk {
  EntryBytes bytes;
  std::shared_ptr<RowNumbers> reader = std::make_shared<RowNumbers>(bytes.entries);
  std::shared_ptr<ExtentBudget> budget;
  std::shared_ptr<Extents> extents;
  DenseRows<float> rows;

  OnDisk(std::size_t n, std::size_t extents_in_memory)
      : bytes{n * row_size, 0, sizeof(float)},
        budget(std::make_shared<ExtentBudget>(extents_in_memory * bytes.per_extent())),
        extents(std::make_shared<Extents>(bytes, row_size, reader, budget)),
        rows(n, row_size, std::span(static_cast<const float*>(extents->values()), n * row_size), extents) {}
};

DenseRows<float> in_memory(std::size_t n) {
  auto values = std::make_shared<std::vector<float>>();
  for (std::size_t k = 0; k < n * row_size; ++k) values->push_back(number_of_row(k));
  return {n, row_size, *values, values};
}

std::vector<std::uint32_t> all_of(std::size_t n) {
  std::vector<std::uint32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

// The rows of each round of a sweep; every visited row is read.
template <class RowsOf>
std::vector<std::vector<std::uint32_t>> rounds_of(MixedGroups& groups, const RowsOf& rows, Rng& rng) {
  std::vector<std::vector<std::uint32_t>> rounds;
  EXPECT_TRUE(groups.sweep(rows, rng, [&](std::span<const std::uint32_t> order) {
    rounds.emplace_back(order.begin(), order.end());
    for (const std::uint32_t i : order) {
      EXPECT_EQ(rows.row(i).value[0], static_cast<float>(i));
      EXPECT_EQ(rows.row(i).value[row_size - 1], static_cast<float>(i));
    }
    return true;
  }));
  return rounds;
}

TEST(MixedGroups, visit_every_row_in_three_consecutive_rounds) {
  constexpr std::size_t n = 3000;
  const DenseRows<float> rows = in_memory(n);
  const std::vector<std::uint32_t> all = all_of(n);
  MixedGroups groups(rows, 8, all);
  Rng rng(1);
  std::set<std::vector<std::uint32_t>> seen;
  for (int sweep = 0; sweep < 3; ++sweep) {
    std::map<std::uint32_t, std::vector<std::size_t>> visits;
    const auto rounds = rounds_of(groups, rows, rng);
    for (std::size_t round = 0; round < rounds.size(); ++round) {
      EXPECT_LE(rounds[round].size(), n * 3 / 7) << "about three of eight groups";
      for (const std::uint32_t i : rounds[round]) visits[i].push_back(round);
    }
    EXPECT_EQ(visits.size(), n);
    for (const auto& [row, when] : visits)
      EXPECT_EQ(when, (std::vector{when[0], when[0] + 1, when[0] + 2})) << "row " << row;
    seen.insert(rounds[0]);
  }
  EXPECT_EQ(seen.size(), 3u) << "each sweep has its own order";
}

TEST(MixedGroups, skip_settled_rows_in_the_rest_of_a_sweep) {
  constexpr std::size_t n = 300;
  const DenseRows<float> rows = in_memory(n);
  const std::vector<std::uint32_t> all = all_of(n);
  MixedGroups groups(rows, 8, all);
  Rng rng(1);
  const auto visits_of_row_7 = [&](double margin) {
    std::size_t visits = 0;
    groups.sweep(rows, rng, [&](std::span<const std::uint32_t> order) {
      for (const std::uint32_t i : order)
        if (i == 7) {
          ++visits;
          groups.settles(i, 0, margin);
        } else {
          groups.settles(i, 0.5, -1);
        }
      return true;
    });
    return visits;
  };
  EXPECT_EQ(visits_of_row_7(2), 3u) << "no sweep before: no threshold";
  EXPECT_EQ(visits_of_row_7(0.4), 3u) << "below the largest violation";
  EXPECT_EQ(visits_of_row_7(2), 1u);
  EXPECT_EQ(visits_of_row_7(0.4), 3u) << "visited again in the next sweep";
}

TEST(MixedGroups, make_the_same_draws_for_rows_on_disk_with_a_read_per_sweep) {
  constexpr std::size_t n = 9000;  // 138 extents
  const GroupPlan plan(n * row_size, 16);
  const DenseRows<float> rows = in_memory(n);
  const OnDisk disk(n, plan.extents(row_size));
  EXPECT_LT(plan.extents(row_size), disk.bytes.extents() / 2);
  const std::vector<std::uint32_t> all = all_of(n);
  MixedGroups here(rows, 16, all), there(disk.rows, 16, all);
  Rng rng(3), same(3);
  for (int sweep = 0; sweep < 2; ++sweep) {
    const std::size_t before = disk.reader->reads;
    EXPECT_EQ(rounds_of(here, rows, rng), rounds_of(there, disk.rows, same));
    EXPECT_LE(disk.reader->reads - before, disk.bytes.extents() + plan.pieces);  // a border is read for both sides
    EXPECT_LE(disk.extents->resident(), plan.extents(row_size));
  }
}

TEST(MixedGroups, need_memory_for_four_of_them) {
  constexpr std::size_t n = 9000;
  const GroupPlan plan(n * row_size, 16);
  const OnDisk disk(n, plan.extents(row_size) - 1);
  const std::vector<std::uint32_t> all = all_of(n);
  EXPECT_THROW(MixedGroups(disk.rows, 16, all), Error);
  disk.budget->nominal = disk.budget->bytes;
  EXPECT_EQ(groups_within_memory(*disk.extents), 32u);
  disk.budget->nominal = plan.extents(row_size) * disk.bytes.per_extent();
  EXPECT_EQ(groups_within_memory(*disk.extents), 16u);
  disk.budget->nominal = 0;
  EXPECT_EQ(groups_within_memory(*disk.extents), 0u);
}

}  // namespace mixed_groups_test
}  // namespace seesaw
