#include "data/readers/blocks.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/mapped_files.h"
#include "data/readers/gzip_check.h"
#include "data/readers/numbers.h"
#include "files.h"
#include "seesaw/error.h"

namespace seesaw {
namespace blocks_test {

using testing_files::message_of;
using testing_files::packed;
using testing_files::packings;
using testing_files::TemporaryFile;

std::string all_of(TextBlocks& blocks) {
  std::string text;
  while (auto block = blocks.next()) {
    EXPECT_TRUE(block->text.ends_with('\n'));
    volatile char seen = 0;  // the lookahead bytes are readable
    for (std::size_t k = 0; k < lookahead; ++k) seen = block->text.data()[block->text.size() + k];
    static_cast<void>(seen);
    text += block->text;
  }
  return text;
}

std::string all_of(const std::string& path, std::size_t size = TextBlocks::usual_size) {
  TextBlocks blocks(path, "a file", size);
  return all_of(blocks);
}

std::string many_lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "line " + std::to_string(i * i) + std::string(i % 7, '.') + "\n";
  return text;
}

// Redirects standard input to a file for its lifetime.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : saved_(dup(STDIN_FILENO)) {
    const int file = open(path.c_str(), O_RDONLY);
    dup2(file, STDIN_FILENO);
    close(file);
  }
  ~StandardInput() {
    dup2(saved_, STDIN_FILENO);
    close(saved_);
  }

 private:
  int saved_;
};

TEST(Blocks, concatenate_to_the_file_for_any_size) {
  const std::string text = many_lines(200);
  const TemporaryFile file(text);
  for (std::size_t size = 1; size <= 64; ++size) EXPECT_EQ(all_of(file.path(), size), text) << size;
  EXPECT_EQ(all_of(file.path()), text);
}

TEST(Blocks, are_near_their_size) {
  const TemporaryFile file(many_lines(1000));
  TextBlocks blocks(file.path(), "a file", 500);
  std::size_t count = 0;
  while (const auto block = blocks.next()) {
    EXPECT_EQ(block->number, count++);
    EXPECT_LE(block->text.size(), 500u);
  }
  EXPECT_GT(count, 30u);
}

TEST(Blocks, add_a_missing_last_newline) {
  for (const std::string text : {"a", "a\nb", "a\nlonger than what is looked ahead, certainly"})
    for (std::size_t size = 1; size <= 64; ++size) EXPECT_EQ(all_of(TemporaryFile(text).path(), size), text + "\n");
}

TEST(Blocks, of_files_that_end_with_a_page_can_be_read) {
  for (std::size_t size : {4095, 4096, 4097, 8192, 65536}) {
    std::string text = many_lines(10000).substr(0, size);
    const TemporaryFile open_end(text);
    text.back() = '\n';
    const TemporaryFile file(text);
    EXPECT_EQ(all_of(file.path(), 100), text);
    EXPECT_EQ(all_of(open_end.path(), 100).size(), open_end.content().size() + !open_end.content().ends_with('\n'));
  }
}

TEST(Blocks, hold_a_line_longer_than_their_size) {
  const std::string text = "short\n" + std::string(100000, 'x') + "\nshort\n" + std::string(5000, 'y');
  EXPECT_EQ(all_of(TemporaryFile(text).path(), 64), text + "\n");
  EXPECT_EQ(all_of(TemporaryFile(packed(text, "gzip")).path(), 64), text + "\n");
}

TEST(Blocks, decompress_files_of_any_name) {
  const std::string text = many_lines(3000);
  for (const auto& packing : packings) {
    const TemporaryFile file(packed(text, packing));
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, TextBlocks::usual_size})
      EXPECT_EQ(all_of(file.path(), size), text) << packing << size;
  }
}

TEST(Blocks, decompress_concatenated_files) {
  const std::string text = many_lines(100);
  for (const auto& packing : packings) {
    const TemporaryFile file(packed(text, packing) + packed(text, packing));
    EXPECT_EQ(all_of(file.path()), text + text) << packing;
  }
}

TEST(Blocks, of_plain_files_may_have_names_of_compressed_ones) {
  EXPECT_EQ(all_of(TemporaryFile("1 2\n", ".gz").path()), "1 2\n");
}

TEST(Blocks, are_read_from_standard_input_plain_or_compressed) {
  const std::string text = many_lines(500);
  for (const std::size_t size : {std::size_t{1}, std::size_t{100}, TextBlocks::usual_size}) {
    {
      const TemporaryFile file(text);
      const StandardInput input(file.path());
      EXPECT_EQ(all_of("-", size), text);
    }
    const TemporaryFile file(packed(text, "xz"));
    const StandardInput input(file.path());
    EXPECT_EQ(all_of("-", size), text);
  }
  EXPECT_EQ(TextBlocks("-", "a file").name(), "standard input");
}

TEST(Blocks, are_read_from_pipes) {
  const TemporaryFile place;
  const std::string path = place.path() + ".pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string text = many_lines(2000);
  std::thread writer([&] { std::ofstream(path) << text; });
  EXPECT_EQ(all_of(path, 300), text);
  writer.join();
  std::remove(path.c_str());
}

TEST(Blocks, skip_the_byte_order_mark_of_utf8) {
  EXPECT_EQ(all_of(TemporaryFile("\xef\xbb\xbf"
                                 "1 2:3\n")
                       .path()),
            "1 2:3\n");
  EXPECT_EQ(all_of(TemporaryFile(packed("\xef\xbb\xbf"
                                        "1 2:3\n",
                                        "gzip"))
                       .path(),
                   1),
            "1 2:3\n");
}

TEST(Blocks, can_be_peeked) {
  const TemporaryFile file("one\ntwo\n and some more that is not looked at\n");
  TextBlocks blocks(file.path(), "a file", 5);
  EXPECT_EQ(blocks.peek(), "one\n");
  EXPECT_EQ(blocks.peek(), "one\n");
  EXPECT_EQ(all_of(blocks), file.content());
}

TEST(Blocks, of_an_empty_file_are_none) {
  const TemporaryFile empty;
  TextBlocks blocks(empty.path(), "a file of text");
  EXPECT_EQ(blocks.peek(), "");
  EXPECT_FALSE(blocks.next());
  EXPECT_EQ(message_of([&] { blocks.refuse_as_empty(); }), empty.path() + ": is empty; give a file of text.");
  for (const auto& packing : packings) EXPECT_EQ(all_of(TemporaryFile(packed("", packing)).path()), "") << packing;
}

TEST(Blocks, of_a_directory_are_refused) {
  const std::string path = ::testing::TempDir();
  EXPECT_EQ(message_of([&] { TextBlocks(path, "a file of text"); }), path + ": is a directory; give a file of text.");
}

TEST(Blocks, of_a_missing_file_are_refused) {
  EXPECT_EQ(message_of([&] { TextBlocks("no/such/file", "a file of text"); }),
            "no/such/file: cannot be opened (No such file or directory); give a file of text.");
}

TEST(Blocks, of_an_unreadable_file_are_refused) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
  const TemporaryFile file("1\n");
  chmod(file.path().c_str(), 0);
  EXPECT_EQ(message_of([&] { TextBlocks(file.path(), "a file of text"); }),
            file.path() + ": cannot be opened (Permission denied); give a file of text.");
}

TEST(Blocks, of_truncated_archives_are_refused_with_the_name_of_the_file) {
  const std::string text = many_lines(20000);
  for (const auto& packing : packings) {
    const std::string whole = packed(text, packing);
    for (const std::size_t left :
         {std::size_t{6}, std::size_t{12}, whole.size() / 3, whole.size() / 2, whole.size() - 9}) {
      const TemporaryFile file(whole.substr(0, left));
      const std::string message = message_of([&] { all_of(file.path()); });
      EXPECT_TRUE(message.starts_with(file.path() + ": cannot be read to its end (")) << packing << left << message;
      EXPECT_TRUE(message.ends_with("it is damaged or truncated; download or recreate it.")) << packing << left;
    }
  }
}

TEST(Blocks, of_archives_with_one_wrong_bit_are_refused) {
  const std::string text = many_lines(20000);
  for (const std::string packing : {"gzip", "bzip2", "xz"}) {
    const std::string whole = packed(text, packing);
    for (std::size_t at = 20; at < whole.size(); at += whole.size() / 50) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 4);
      EXPECT_THROW(all_of(TemporaryFile(bytes).path()), Error) << packing << at;
    }
  }
}

TEST(Blocks, of_gzip_files_are_checked_from_standard_input_too) {
  std::string bytes = packed(many_lines(20000), "gzip");
  bytes[bytes.size() - 5] = static_cast<char>(~bytes[bytes.size() - 5]);  // in the checksum
  const TemporaryFile file(bytes);
  const StandardInput input(file.path());
  EXPECT_EQ(message_of([] { all_of("-"); }),
            "standard input: cannot be read to its end (its checksum is wrong): it is damaged or truncated; "
            "download or recreate it.");
}

TEST(GzipCheck, accepts_intact_files_in_pieces_of_any_size) {
  const std::string text = many_lines(50), one = packed(text, "gzip"), two = one + one;
  for (std::size_t piece = 1; piece < 40; ++piece) {
    GzipCheck right, wrong, joined;
    for (std::size_t at = 0; at < one.size(); at += piece) right.packed(std::string_view(one).substr(at, piece));
    for (std::size_t at = 0; at < one.size(); at += piece) wrong.packed(std::string_view(one).substr(at, piece));
    for (std::size_t at = 0; at < two.size(); at += piece) joined.packed(std::string_view(two).substr(at, piece));
    right.unpacked(text);
    wrong.unpacked(text + "x");
    joined.unpacked(text);
    joined.unpacked(text);
    EXPECT_FALSE(right.fails()) << piece;
    EXPECT_TRUE(wrong.fails()) << piece;
    EXPECT_FALSE(joined.fails()) << piece;
  }
}

TEST(Blocks, of_a_file_that_becomes_shorter_end_the_program_with_a_sentence) {
  std::string text;
  while (text.size() < (std::size_t{1} << 20)) text += "1 1:0.5\n";
  const TemporaryFile file(text);
  EXPECT_EXIT(
      {
        exit_when_mapped_files_shrink();
        TextBlocks blocks(file.path(), "a file", 4096);
        const auto first = blocks.next();
        if (!first || truncate(file.path().c_str(), 4096) != 0) std::_Exit(1);
        all_of(blocks);
        std::_Exit(0);
      },
      testing::ExitedWithCode(2), "a data file became shorter while it was being read");
}

TEST(TextBlocks, rewinds_what_it_remembers) {
  std::string text =
      "\xef\xbb\xbf"
      "first\n";
  for (int i = 0; i < 50; ++i) text += "line " + std::to_string(i) + "\n";
  const TemporaryFile plain(text), compressed(packed(text, "gzip"));
  for (const TemporaryFile* file : {&plain, &compressed})
    for (const int taken : {0, 1, 5, 1000}) {
      TextBlocks blocks(file->path(), "a file", 20);
      blocks.remember();
      EXPECT_FALSE(blocks.peek().empty());
      for (int k = 0; k < taken; ++k) blocks.next();
      blocks.rewind();
      EXPECT_EQ(all_of(blocks), text.substr(3)) << taken;
      blocks.rewind();
      EXPECT_EQ(blocks.next()->number, 0u);
    }
}

}  // namespace blocks_test
}  // namespace seesaw
