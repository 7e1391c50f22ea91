// The state of several ranks in one file: the bytes of one process, restored by any number of ranks.
#include "base/shared_archive.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/ranks.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/scratch_folder.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace shared_archive_test {

using test::on_ranks;
using test::ScratchFolder;

struct State {
  std::string text;
  std::vector<double> x, of_rows, none, values;
  std::vector<std::uint32_t> list;

  void serialize(Archive& archive) {
    archive.text("text", text);
    archive.rows("of_rows", of_rows, 2);
    archive.array("x", x);
    archive.rows("none", none);
    archive.row_list("list", list);
    archive.listed("values", values);
  }
  bool operator==(const State&) const = default;
};

constexpr std::size_t rows = 300000;  // more than a piece of 4 MB

State whole() {
  State state;
  state.text = "a state";
  state.x = {1, 2, 3};
  state.of_rows.resize(2 * rows);
  std::iota(state.of_rows.begin(), state.of_rows.end(), 0.5);
  for (std::uint32_t row = 5; row < rows; row += row % 97 + 1) {
    state.list.push_back(row);
    state.values.push_back(-1.0 * row);
  }
  return state;
}

Shares shares_of(Ranks& ranks) {  // one rank in the middle has no rows
  Shares shares{.ranks = &ranks, .first_leaf = {}, .first_row = {}, .entries = rows};
  const auto count = static_cast<std::size_t>(ranks.size());
  for (std::size_t rank = 0; rank <= count; ++rank)
    shares.first_row.push_back((rank == 2 && count > 2 ? 1 : rank) * rows / count);
  return shares;
}

State part_of(const State& all, const Shares& shares) {
  const auto here = static_cast<std::size_t>(shares.ranks->rank());
  const std::size_t first = shares.first_row[here], last = shares.first_row[here + 1];
  State part;
  part.text = all.text;
  part.x = all.x;
  part.of_rows.assign(all.of_rows.begin() + static_cast<std::ptrdiff_t>(2 * first),
                      all.of_rows.begin() + static_cast<std::ptrdiff_t>(2 * last));
  for (std::size_t k = 0; k < all.list.size(); ++k)
    if (all.list[k] >= first && all.list[k] < last) {
      part.list.push_back(static_cast<std::uint32_t>(all.list[k] - first));
      part.values.push_back(all.values[k]);
    }
  return part;
}

TEST(SharedArchive, has_the_bytes_of_one_process_and_is_restored_by_any_number_of_ranks) {
  const ScratchFolder folder;
  State all = whole();
  ArchiveWriter writer(folder.path("one"));
  all.serialize(writer);
  writer.commit();
  for (const int size : {1, 2, 3, 5}) {
    EXPECT_TRUE(on_ranks(size, [&](Ranks& ranks) {
      const Shares shares = shares_of(ranks);
      State own = part_of(all, shares);
      if (!ranks.first()) own.text = own.x.empty() ? "" : "of the first rank";  // shared values are its own
      SharedArchiveWriter shared(shares, folder.path("several"));
      own.serialize(shared);
      shared.commit();
    }));
    EXPECT_TRUE(folder.text_of("several") == folder.text_of("one")) << size;
    EXPECT_TRUE(on_ranks(size, [&](Ranks& ranks) {
      const Shares shares = shares_of(ranks);
      std::optional<ArchiveReader> file;
      if (ranks.first()) file.emplace(folder.path("one"));
      SharedArchiveReader shared(shares, file ? &*file : nullptr);
      State found;
      found.none = {1};
      found.serialize(shared);
      EXPECT_TRUE(found == part_of(all, shares)) << size;
    }));
  }
}

TEST(SharedArchive, an_error_of_the_first_rank_is_thrown_on_all) {
  const ScratchFolder folder;
  const State all = whole();
  EXPECT_TRUE(on_ranks(3, [&](Ranks& ranks) {
    const Shares shares = shares_of(ranks);
    State own = part_of(all, shares);
    SharedArchiveWriter shared(shares, folder.path("missing/file"));
    own.serialize(shared);
    EXPECT_THROW(shared.commit(), Error);
  }));
  State other = all;
  other.of_rows.resize(10);  // another number of rows
  ArchiveWriter writer(folder.path("other"));
  other.serialize(writer);
  writer.commit();
  EXPECT_TRUE(on_ranks(3, [&](Ranks& ranks) {
    const Shares shares = shares_of(ranks);
    std::optional<ArchiveReader> file;
    if (ranks.first()) file.emplace(folder.path("other"));
    SharedArchiveReader shared(shares, file ? &*file : nullptr);
    State found;
    EXPECT_THROW(found.serialize(shared), Error);
  }));
}

}  // namespace shared_archive_test
}  // namespace seesaw
