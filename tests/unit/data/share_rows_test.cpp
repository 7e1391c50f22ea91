// Rows divided among ranks (threads, support/thread_ranks.h): the same leaves, hashes and numbers as of the whole.
#include "data/share_rows.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <fstream>

#include "base/rng.h"
#include "data/cache.h"
#include "data/facts.h"
#include "data/own_rows.h"
#include "data/readers/read.h"
#include "data/readers/read_share.h"
#include "data/rows_builder.h"
#include "data/transform.h"
#include "seesaw/error.h"
#include "support/scratch_folder.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace share_rows_test {

using test::on_ranks;

// About `leaves` leaves; dense rows if row_size = width.
Dataset generated(std::size_t rows, std::size_t width, std::size_t row_size, bool weighted) {
  Rng rng(rows + width);
  RowsBuilder builder;
  Dataset data{.rows = SparseRows<double>(0, {}, {}, {}, nullptr), .labels = {}};
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
    for (std::size_t j = 0; j < width; ++j)
      if (row_size == width || rng.uniform() * static_cast<double>(width) < static_cast<double>(row_size)) {
        columns.push_back(static_cast<std::uint32_t>(j));
        values.push_back(rng.normal());
      }
    builder.add_row(columns, values);
    data.labels.push_back(rng.uniform() < 0.4 ? -1 : 1);
    if (weighted) data.weights.push_back(0.25 + rng.uniform());
  }
  data.nnz = builder.entries();
  data.rows = std::move(builder).finish(width, Precision::exact);
  return data;
}

// The rows of all ranks together are those of the whole, and leaf k has the same rows.
void expect_share(const Dataset& share, const Dataset& whole, Ranks& ranks) {
  const Leaves &leaves = share.leaves(), &all = whole.leaves();
  const std::size_t first = leaves.shares()->first_row[static_cast<std::size_t>(ranks.rank())];
  EXPECT_EQ(leaves.nodes(), all.count());
  EXPECT_EQ(share.all_rows(), whole.n());
  EXPECT_EQ(share.nnz, whole.nnz);
  EXPECT_EQ(share.d(), whole.d());
  ASSERT_EQ(share.rows.index(), whole.rows.index());
  for (std::size_t leaf = 0; leaf < leaves.count(); ++leaf) {
    EXPECT_EQ(leaves.begin(leaf) + first, all.begin(leaves.first() + leaf));
    EXPECT_EQ(leaves.end(leaf) + first, all.end(leaves.first() + leaf));
  }
  std::visit(
      [&](const auto& rows) {
        const auto& of_all = std::get<std::remove_cvref_t<decltype(rows)>>(whole.rows);
        EXPECT_EQ(all_entries(rows), of_all.entries());
        RowEntries own, expected;
        for (std::size_t i = 0; i < rows.count(); ++i) {
          own.take(rows.row(i), true);
          expected.take(of_all.row(first + i), true);
          ASSERT_EQ(own.columns, expected.columns);
          ASSERT_EQ(own.values, expected.values);
          ASSERT_EQ(share.labels[i], whole.labels[first + i]);
          if (!whole.weights.empty()) {
            ASSERT_EQ(share.weights[i], whole.weights[first + i]);
          }
        }
      },
      share.rows);
}

TEST(ShareRows, the_rows_of_each_rank_of_a_whole) {
  for (const Dataset& whole :
       {generated(9000, 50, 20, true), generated(5000, 40, 40, false), generated(50, 5, 3, true)})
    for (const int size : {2, 3, 7})
      EXPECT_TRUE(on_ranks(size, [&](Ranks& ranks) {
        const Dataset share = own_share(whole, ranks);
        expect_share(share, whole, ranks);
        EXPECT_EQ(content_hash(whole, ranks), content_hash(whole));
        EXPECT_EQ(content_hash_of_shares(share), content_hash(whole));
        const std::vector<double> labels = collect_rows(*share.leaves().shares(), share.labels, 1);
        if (ranks.first()) {
          EXPECT_EQ(labels, whole.labels);
        }
        EXPECT_EQ(rows_of_rank(share.leaves(), whole.labels, 1), share.labels);
      }));
}

// A constant feature changes the sizes of rows: they move to other leaves.
TEST(ShareRows, transforms_are_those_of_the_whole) {
  for (const Dataset& whole : {generated(9000, 50, 20, true), generated(5000, 40, 40, false)})
    for (const Scaling scaling :
         {Scaling::none, Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std})
      for (const double constant : {0.0, 1.0}) {
        const Transform transform = fit_transform(whole, scaling, constant);
        const Dataset expected = apply(transform, whole, Precision::exact);
        for (const int size : {2, 5})
          on_ranks(size, [&](Ranks& ranks) {
            const Dataset share = own_share(whole, ranks);
            const Transform found = fit_transform(share, scaling, constant);
            EXPECT_EQ(found.factor, transform.factor);
            EXPECT_EQ(found.column_factors, transform.column_factors);
            expect_share(apply(found, share, Precision::exact), expected, ranks);
          });
      }
}

TEST(ShareRows, facts_are_those_of_the_whole) {
  const Dataset whole = generated(9000, 50, 20, false);
  const Facts expected = measure(whole);
  on_ranks(3, [&](Ranks& ranks) {
    const Facts facts = measure(own_share(whole, ranks));
    EXPECT_EQ(facts.n, expected.n);
    EXPECT_EQ(facts.longest_row, expected.longest_row);
    EXPECT_EQ(facts.row_norms.median, expected.row_norms.median);
    EXPECT_EQ(facts.row_norms.mean, expected.row_norms.mean);
    EXPECT_EQ(facts.column_norms.mean, expected.column_norms.mean);
    ASSERT_EQ(facts.labels.size(), expected.labels.size());
    for (std::size_t k = 0; k < facts.labels.size(); ++k) EXPECT_EQ(facts.labels[k].count, expected.labels[k].count);
  });
}

TEST(ReadShare, text_is_read_in_parts) {
  const std::string path = ::testing::TempDir() + "seesaw_read_share.svm";
  for (const int kind : {0, 1, 2}) {
    {
      std::ofstream file(path);
      Rng rng(7);
      for (int i = 0; i < (kind == 2 ? 3 : 6000); ++i) {
        file << (rng.uniform() < 0.5 ? "-1" : "1");
        for (int j = 1; j <= 30; ++j)
          if (kind == 1 || rng.uniform() < 0.5) file << ' ' << j << ':' << (kind == 1 ? 1.5 : rng.normal());
        file << (i % 7 == 0 ? " # comment\n" : "\n");
      }
    }
    const Dataset whole = read_dataset(path);
    for (const int size : {2, 3, 7})
      EXPECT_TRUE(on_ranks(size, [&](Ranks& ranks) {
        const SharedData share = read_share(path, {}, "", ranks);
        expect_share(share.data, whole, ranks);
        EXPECT_EQ(share.hash, content_hash(whole));
      }));
  }
  std::ofstream(path, std::ios::app) << "1 3:1\n1 1:2 1:3\n1 x\n";
  std::string expected;
  try {
    read_dataset(path);
  } catch (const ParseError& error) {
    expected = error.what();
  }
  ASSERT_FALSE(expected.empty());
  on_ranks(3, [&](Ranks& ranks) {
    try {
      read_share(path, {}, "", ranks);
      ADD_FAILURE();
    } catch (const ParseError& error) {
      EXPECT_EQ(error.what(), expected);
    }
  });
  std::remove(path.c_str());
}

// Every rank reads its rows of a cache; damage that one rank finds is an error of all.
TEST(ReadShare, caches_are_read_in_parts) {
  const test::ScratchFolder folder;
  const std::string path = folder.path("data.ssw");
  Dataset named = generated(4000, 40, 40, false);
  for (std::size_t j = 0; j < 40; ++j) named.feature_names.push_back("f" + std::to_string(j));
  for (const Dataset& whole : {generated(9000, 50, 20, true), named, generated(3, 4, 2, false)}) {
    write_cache(whole, path);
    const std::string bytes = folder.text_of("data.ssw");
    for (const int size : {2, 3, 7})
      EXPECT_TRUE(on_ranks(size, [&](Ranks& ranks) {
        const SharedData share = read_share(path, {}, "", ranks);
        expect_share(share.data, whole, ranks);
        EXPECT_EQ(share.hash, content_hash(whole));
        EXPECT_EQ(content_hash_of_shares(share.data), share.hash);
        EXPECT_EQ(share.data.feature_names, whole.feature_names);
        EXPECT_EQ(share.data.leaves().shares()->weighted, !whole.weights.empty());
      }));
    for (std::size_t at = 60; at < bytes.size(); at += bytes.size() / 9) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 4);
      folder.file("data.ssw", damaged);
      std::atomic<int> refusals = 0;
      on_ranks(3, [&](Ranks& ranks) {
        try {
          read_share(path, {}, "", ranks);
        } catch (const Error& error) {
          refusals += std::string(error.what()).find("is damaged") != std::string::npos;
        }
      });
      EXPECT_EQ(refusals, 3) << at;
    }
  }
}

}  // namespace share_rows_test
}  // namespace seesaw
