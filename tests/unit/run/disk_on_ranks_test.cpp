// Rows on disk on several ranks (threads, support/thread_ranks.h): every rank opens its part of a cache, within a budget of its
// own, and the fit has the bits of one process in memory.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/cache.h"
#include "data/share_rows.h"
#include "run/fit.h"
#include "support/fits_on_ranks.h"
#include "support/scratch_folder.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace disk_on_ranks_test {

using test::expect_same;
using test::generated;
using test::Labels;
using test::spec_of;

DiskCache open_least(const std::string& path, Ranks& ranks) {
  const auto least = [](const OpenedCache& opened) {
    const EntryBytes bytes = opened.size.entries;          // floats may become doubles
    const std::size_t for_columns = std::size_t{2} << 20;  // of the working set of ws
    return Extents::least_bytes({bytes.entries, bytes.column, sizeof(double)}, opened.longest_row) + for_columns;
  };
  return open_cache_share(path, ranks, least, 0.25);
}

TEST(DiskOnRanks, opens_the_rows_of_a_rank) {
  for (const Dataset& data : {generated(20000, 400, 25, Labels::two, true), generated(9000, 40, 40, Labels::two),
                              generated(100, 40, 10, Labels::two)}) {  // one leaf: ranks without rows
    const test::ScratchFolder folder;
    const std::string path = folder.path("data.ssw");
    write_cache(data, path);
    for (const int size : {2, 3, 7})
      EXPECT_TRUE(test::on_ranks(size, [&](Ranks& ranks) {
        const Dataset expected = own_share(data, ranks);
        const DiskCache opened = open_least(path, ranks);
        EXPECT_NE(extents_of(opened.data.rows), nullptr);
        EXPECT_EQ(opened.hash, content_hash(data));
        EXPECT_EQ(opened.data.labels, expected.labels);
        EXPECT_EQ(opened.data.weights, expected.weights);
        EXPECT_EQ(opened.data.leaves().shares()->first_row, expected.leaves().shares()->first_row);
        EXPECT_EQ(content_hash_of_shares(opened.data), opened.hash);
      }));
  }
}

TEST(DiskOnRanks, fits_have_the_bits_of_one_process_in_memory) {
  const Dataset sparse = generated(20000, 400, 25, Labels::two, true), dense = generated(30000, 20, 20, Labels::two);
  struct Case {
    const Dataset* data;
    FitSpec spec;
  };
  std::vector<Case> cases = {{&sparse, spec_of("lbfgs", "logistic", 1e-3)},
                             {&sparse, spec_of("newton", "squared-hinge", 1e-3)},
                             {&dense, spec_of("newton", "logistic", 1e-3)},
                             {&dense, spec_of("ssn", "hinge", 1e-2)},
                             {&sparse, spec_of("ws", "logistic", 0, 3e-2)}};
  cases[2].spec.solver.options = {{"start", "sampled"}};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    Case& one = cases[k];
    SCOPED_TRACE(one.spec.solver.name + std::to_string(k));
    if (k % 2 == 0) one.spec.objective.intercept = Intercept::free;
    one.spec.scaling = k == 1 ? Scaling::rows : k == 3 ? Scaling::columns_std : Scaling::none;
    const test::ScratchFolder folder;
    const std::string path = folder.path("data.ssw");
    write_cache(*one.data, path);
    const Fit expected = fit(*one.data, one.spec);
    EXPECT_EQ(expected.model.status, "converged");
    EXPECT_TRUE(test::on_ranks(3, [&](Ranks& ranks) {
      const DiskCache opened = open_least(path, ranks);
      FitSpec spec = one.spec;
      spec.data_hash = opened.hash;
      const Fit found = fit(opened.data, spec);
      expect_same(found, expected);
      EXPECT_EQ(ranks.concatenate<double>(found.model.y), expected.model.y);
    }));
  }
}

}  // namespace disk_on_ranks_test
}  // namespace seesaw
