// A file that several ranks write: the parts at their places, whoever writes them, and nothing where a write fails.
#include "base/shared_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "seesaw/error.h"
#include "support/scratch_folder.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace shared_file_test {

using test::on_ranks;

std::size_t files_in(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) count += entry.is_regular_file();
  return count;
}

TEST(SharedFile, has_the_parts_at_their_places) {
  const test::ScratchFolder folder;
  std::string expected;
  expected.resize(9000000);  // more than two pieces
  for (std::size_t at = 0; at < expected.size(); ++at) expected[at] = static_cast<char>('a' + at % 23);
  folder.file("file", "before");
  for (const bool by_first : {false, true})
    for (const int size : {1, 2, 5}) {
      std::filesystem::permissions(folder.path("file"), std::filesystem::perms(0640));
      EXPECT_TRUE(on_ranks(size, [&](Ranks& ranks) {
        const std::size_t begin =
                              expected.size() * static_cast<std::size_t>(ranks.rank()) / static_cast<std::size_t>(size),
                          end = expected.size() * static_cast<std::size_t>(ranks.rank() + 1) /
                                static_cast<std::size_t>(size);
        SharedFile file(ranks, folder.path("file"), by_first);
        file.write(begin, std::as_bytes(std::span(expected).subspan(begin, end - begin)));
        file.commit();
      }));
      EXPECT_TRUE(folder.text_of("file") == expected) << size;
      EXPECT_EQ(std::filesystem::status(folder.path("file")).permissions(), std::filesystem::perms(0640));
      EXPECT_EQ(files_in(folder.path("")), 1u);
      folder.file("file", "before");
    }
}

TEST(SharedFile, changes_nothing_without_commit_and_fails_on_all_ranks) {
  const test::ScratchFolder folder;
  folder.file("file", "before");
  EXPECT_TRUE(on_ranks(3, [&](Ranks& ranks) {
    SharedFile file(ranks, folder.path("file"));
    const char byte = 'x';
    file.write(static_cast<std::size_t>(ranks.rank()), std::as_bytes(std::span(&byte, 1)));
    ranks.gather(0);  // no rank ends before the others have written
  }));
  EXPECT_EQ(folder.text_of("file"), "before");
  EXPECT_EQ(files_in(folder.path("")), 1u);
  EXPECT_TRUE(on_ranks(3, [&](Ranks& ranks) { EXPECT_THROW(SharedFile(ranks, folder.path("missing/file")), Error); }));
}

}  // namespace shared_file_test
}  // namespace seesaw
