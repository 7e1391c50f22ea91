// The text of a file in blocks of whole lines, which can be parsed in parallel. A plain file is mapped and its pages are
// released block by block; compressed files, pipes and standard input ("-") are decompressed by libarchive. Compression
// is detected by the first bytes, not by the name.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seesaw {

struct Block {
  std::string_view text;             // ends with '\n'; `lookahead` bytes after it are readable (numbers.h)
  std::size_t number = 0;            // 0 for the first
  std::shared_ptr<const void> keep;  // owns the memory
};

class TextBlocks {
 public:
  // Small enough for the text and result of a block to fit in a core's cache, large enough to repay the cost of a task.
  static constexpr std::size_t usual_size = std::size_t{1} << 17;

  // `wanted` completes the message "... is a directory; give ": "a file of weights".
  TextBlocks(const std::string& path, std::string wanted, std::size_t block_size = usual_size);
  // The lines that begin in one of `parts` equal ranges of the bytes of a plain file.
  struct Part {
    std::size_t number, parts;
  };
  TextBlocks(const std::string& path, std::string wanted, Part part);
  // Whether a file can be read in parts: it is not compressed and can be mapped.
  static bool has_parts(const std::string& path);
  ~TextBlocks();

  std::optional<Block> next();  // throws Error if the file cannot be read or decompressed
  std::string_view peek();      // the text of the first block before it is taken; empty if there is none

  // Text that cannot be read twice, a pipe for example, can be kept: after remember(), rewind() makes next() begin again with
  // the first block. Memory: the whole text.
  void remember() { remembers_ = true; }
  void rewind();

  const std::string& name() const { return name_; }  // the path, for messages; "standard input" for "-"
  [[noreturn]] void refuse_as_empty() const;         // for a reader that has found no rows

  class Source;

 private:
  std::string name_;
  std::string wanted_;
  std::unique_ptr<Source> source_;
  std::optional<Block> held_;  // by peek()
  std::size_t taken_ = 0;
  bool remembers_ = false;
  std::vector<Block> remembered_;
  std::size_t repeated_ = 0;  // of remembered_, after rewind()
};

}  // namespace seesaw
