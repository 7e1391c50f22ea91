#include "data/extents.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <numeric>
#include <thread>

#include "base/threads.h"
#include "data/dataset.h"
#include "data/norms_on_disk.h"
#include "data/resident.h"
#include "seesaw/error.h"

namespace seesaw {
namespace extents_test {

// Entry k has the column k mod 1000 and the value k. Counts its reads.
class Numbers final : public ExtentReader {
 public:
  explicit Numbers(std::size_t entries) : entries_(entries), being_read(entries / extent_entries + 1) {}

  void read(std::size_t extent, void* columns, void* values) override {
    ++reads;
    if (being_read[extent].fetch_add(1) > 0) ++twice_at_once;
    if (extent == damaged) throw Error("extent is damaged.");
    const std::size_t first = extent * extent_entries, count = std::min(extent_entries, entries_ - first);
    for (std::size_t k = 0; k < count; ++k) {
      static_cast<std::uint32_t*>(columns)[k] = static_cast<std::uint32_t>((first + k) % 1000);
      static_cast<double*>(values)[k] = first + k == huge ? 1e200 : static_cast<double>(first + k);
    }
    --being_read[extent];
  }

  std::atomic<std::size_t> reads = 0, twice_at_once = 0;
  std::size_t damaged = static_cast<std::size_t>(-1), huge = damaged;  // an extent, an entry

 private:
  std::size_t entries_;
  std::vector<std::atomic<int>> being_read;
};

struct Fixture {
  static constexpr std::size_t row_size = 1000;
  std::size_t rows;
  EntryBytes bytes{rows * row_size, 4, 8};
  std::shared_ptr<Numbers> reader = std::make_shared<Numbers>(bytes.entries);
  std::shared_ptr<ExtentBudget> budget;
  std::shared_ptr<Extents> extents;
  std::vector<std::uint64_t> offsets;

  // more: extents beyond the least budget.
  explicit Fixture(std::size_t n, std::size_t more = 0) : rows(n), offsets(n + 1) {
    budget = std::make_shared<ExtentBudget>(Extents::least_bytes(bytes, row_size) + more * bytes.per_extent());
    extents = std::make_shared<Extents>(bytes, row_size, reader, budget);
    for (std::size_t i = 0; i <= n; ++i) offsets[i] = i * row_size;
  }
  SparseRows<double> view() const {
    return {row_size, offsets, std::span(static_cast<const std::uint32_t*>(extents->columns()), bytes.entries),
            std::span(static_cast<const double*>(extents->values()), bytes.entries), extents};
  }
};

double sum_of(const SparseRows<double>& rows, std::size_t begin, std::size_t end) {
  double sum = 0;
  resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) for_each(rows.row(i), [&](std::size_t, double value) { sum += value; });
  });
  return sum;
}

TEST(Extents, give_every_row_once_and_in_order) {
  const Fixture data(2000);
  const auto rows = data.view();
  std::size_t next = 0;
  resident(rows, 0, rows.count(), [&](std::size_t first, std::size_t last) {
    EXPECT_EQ(first, next);
    next = last;
    for (std::size_t i = first; i < last; ++i) {
      const auto row = rows.row(i);
      EXPECT_EQ(row.column[0], 0u);
      EXPECT_EQ(row.value[0], static_cast<double>(i * 1000));
      EXPECT_EQ(row.value[999], static_cast<double>(i * 1000 + 999));
    }
  });
  EXPECT_EQ(next, rows.count());
  EXPECT_EQ(data.reader->reads, data.bytes.extents());  // each once, although rows lie across their borders
}

TEST(Extents, never_exceed_the_budget) {
  const Fixture data(3000, 5);
  const auto rows = data.view();
  const std::size_t most = data.budget->bytes / data.bytes.per_extent();
  for (int pass = 0; pass < 3; ++pass)
    resident(rows, 0, rows.count(), [&](std::size_t, std::size_t) { EXPECT_LE(data.extents->resident(), most); });
}

// What stays resident is not read again: of c extents at a time, later passes read about c fewer.
TEST(Extents, keep_the_first_ones_between_passes) {
  const Fixture data(3000, 24);
  const auto rows = data.view();
  const std::size_t all = data.bytes.extents();
  sum_of(rows, 0, rows.count());
  const std::size_t first = data.reader->reads;
  EXPECT_EQ(first, all);
  sum_of(rows, 0, rows.count());
  EXPECT_LT(data.reader->reads - first, all);
}

// The memory of extents moves between their places: what is left is joined to the reserved range, or the mappings of a
// process, whose number is limited, would be as many as the extents that were ever read.
TEST(Extents, leave_no_mappings_behind) {
  const auto mappings = [] {
    std::ifstream maps("/proc/self/maps");
    return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
  };
  const Fixture data(20000);
  const auto rows = data.view();
  const auto before = mappings();
  for (int pass = 0; pass < 2; ++pass) sum_of(rows, 0, rows.count());
  const auto most = static_cast<std::ptrdiff_t>(data.budget->bytes / data.bytes.per_extent());
  EXPECT_GT(data.bytes.extents(), 300u);
  EXPECT_LE(mappings() - before, 4 * most + 20);  // two places per extent, with the ranges between them
}

// |a_i|^2 beside the first product: no read of their own.
TEST(Extents, give_the_norms_of_rows_with_the_first_product) {
  const Fixture data(2000);
  const Dataset on_disk{.rows = data.view(), .labels = std::vector<double>(2000)};
  std::vector<double> y(2000, 1), v(Fixture::row_size);
  multiply_transposed(on_disk.rows, y.data(), v.data());
  const std::size_t reads = data.reader->reads;
  EXPECT_EQ(reads, data.bytes.extents());
  const std::vector<double> norms = squared_row_norms(on_disk);
  EXPECT_EQ(data.reader->reads, reads);
  for (const std::size_t i : {0u, 1u, 999u, 1999u}) {
    double expected = 0;
    for (std::size_t k = 0; k < 1000; ++k) {
      const auto value = static_cast<double>(i * 1000 + k);
      expected += value * value;
    }
    EXPECT_EQ(norms[i], expected);
  }
  EXPECT_EQ(squared_row_norms(on_disk), norms);  // given away, so computed again
  EXPECT_GT(data.reader->reads, reads);
}

TEST(Extents, give_no_norms_after_a_product_that_failed) {
  const Fixture data(2000);
  const Dataset on_disk{.rows = data.view(), .labels = std::vector<double>(2000)};
  std::vector<double> y(2000, 1), v(Fixture::row_size);
  data.reader->damaged = 20;
  EXPECT_THROW(multiply_transposed(on_disk.rows, y.data(), v.data()), Error);
  EXPECT_FALSE(take_norms(data.extents.get()));
}

TEST(Extents, refuse_values_whose_squares_overflow) {
  const Fixture data(2000);
  data.reader->huge = 1234567;
  data.budget->folder = "large.ssw";
  const Dataset on_disk{.rows = data.view(), .labels = std::vector<double>(2000)};
  std::vector<double> y(2000, 1), v(Fixture::row_size);
  try {
    multiply_transposed(on_disk.rows, y.data(), v.data());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("large.ssw has values so large that their squares overflow"),
              std::string::npos);
  }
  EXPECT_THROW(squared_row_norms(on_disk), Error);
}

TEST(Extents, read_only_what_a_list_needs) {
  const Fixture data(2000);
  const auto rows = data.view();
  const std::vector<std::uint32_t> which = {3, 4, 1000, 1999};
  std::vector<std::size_t> seen;
  resident(rows, which, 0, which.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      EXPECT_EQ(rows.row(which[k]).value[1], which[k] * 1000.0 + 1);
      seen.push_back(k);
    }
  });
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_LE(data.reader->reads, 6u);
}

TEST(Extents, are_held_by_several_threads) {
  const Fixture data(2500);
  const auto rows = data.view();
  std::vector<double> norms(rows.count());
  for (int pass = 0; pass < 4; ++pass)
    resident_chunks(rows, {rows.count(), 8}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) norms[i] = squared_norm(rows.row(i));
    });
  for (std::size_t i = 0; i < norms.size(); ++i) {
    double expected = 0;
    for (std::size_t k = 0; k < 1000; ++k) {
      const double value = static_cast<double>(i * 1000 + k);
      expected += value * value;
    }
    EXPECT_EQ(norms[i], expected);
  }
}

TEST(Extents, hold_rows_that_are_longer_than_one) {
  const std::size_t width = 3 * extent_entries + 17, n = 20;
  const EntryBytes bytes{n * width, 4, 8};
  const auto reader = std::make_shared<Numbers>(bytes.entries);
  const auto extents = std::make_shared<Extents>(bytes, width, reader,
                                                 std::make_shared<ExtentBudget>(Extents::least_bytes(bytes, width)));
  const DenseRows<double> rows(n, width, std::span(static_cast<const double*>(extents->values()), bytes.entries),
                               extents);
  std::size_t count = 0;
  resident(rows, 0, n, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i, ++count)
      EXPECT_EQ(rows.row(i).value[width - 1], static_cast<double>((i + 1) * width - 1));
  });
  EXPECT_EQ(count, n);
}

TEST(Extents, pass_an_error_to_the_thread_that_waits) {
  const Fixture data(2000);
  data.reader->damaged = 20;
  const auto rows = data.view();
  EXPECT_EQ(sum_of(rows, 0, 10), 10000.0 * 9999 / 2);
  EXPECT_THROW(sum_of(rows, 0, rows.count()), Error);
  EXPECT_THROW(resident_chunks(rows, {rows.count(), 8}, [](std::size_t, std::size_t) {}), Error);
}

TEST(Extents, refuse_a_budget_that_is_too_small) {
  const EntryBytes bytes{10000000, 4, 8};
  const std::size_t least = Extents::least_bytes(bytes, 1000);
  EXPECT_THROW(
      Extents(bytes, 1000, std::make_shared<Numbers>(bytes.entries), std::make_shared<ExtentBudget>(least - 1)), Error);
}

// Several fits may read the same data at once, each by all threads.
TEST(Extents, are_held_by_more_threads_than_the_window_is_for) {
  const Fixture data(4000);
  const std::size_t extents = data.bytes.extents();
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 8 * available_threads(); ++t)
    threads.emplace_back([&, t] {
      for (std::size_t k = 0; k < 150; ++k) {
        const std::size_t first = (7 * t + k) % (extents - 1);
        const Hold hold(*data.extents, {first, first + 2}, {first + 2, extents});
        const auto* const values = static_cast<const double*>(data.extents->values());
        const std::size_t begin = first * extent_entries,
                          end = std::min(begin + 2 * extent_entries, data.bytes.entries);
        for (std::size_t i = begin; i < end; i += 512) wrong += values[i] != static_cast<double>(i);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(data.reader->twice_at_once, 0u);
}

TEST(Extents, of_another_view_are_dropped) {
  const Fixture data(2000, 10);
  const Extents other(data.bytes, 1000, data.reader, data.budget);
  const auto rows = data.view();
  sum_of(rows, 0, rows.count());
  EXPECT_GT(data.extents->resident(), 0u);
  { const Hold hold(const_cast<Extents&>(other), {0, 1}, {1, 1}); }
  EXPECT_EQ(data.extents->resident(), 0u);
  EXPECT_EQ(sum_of(rows, 0, 10), 10000.0 * 9999 / 2);
}

// An access without a hold ends the program: it is an error of ours, found by every test that makes it.
TEST(Extents, cannot_be_accessed_without_a_hold) {
  const Fixture data(2000);
  const auto rows = data.view();
  EXPECT_DEATH(
      {
        volatile double value = rows.row(1500).value[0];
        static_cast<void>(value);
      },
      "");
}

TEST(Extents, are_found_by_their_address) {
  const Fixture data(2000);
  EXPECT_EQ(extents_of(data.view()), data.extents.get());
  const std::vector<double> values(10);
  EXPECT_EQ(extents_at(values.data()), nullptr);
}

}  // namespace extents_test
}  // namespace seesaw
