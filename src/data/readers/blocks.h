// The text of a file in blocks of whole lines, so that blocks can be parsed side by side. A plain file is mapped and
// its pages are given back block by block; compressed files, pipes and standard input ("-") are unpacked by libarchive.
// What is compressed is seen in its first bytes, not in its name.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace seesaw {

struct Block {
  std::string_view text;             // ends with '\n'; `lookahead` bytes behind it may be looked at (numbers.h)
  std::size_t number = 0;            // 0 for the first
  std::shared_ptr<const void> keep;  // its memory goes back to the system with this
};

class TextBlocks {
 public:
  // Small enough for text and result of a block to stay in a core's cache, large enough for a block to be worth a task.
  static constexpr std::size_t usual_size = std::size_t{1} << 17;

  // `wanted` ends the sentence "... is a directory; give": "a file of weights".
  TextBlocks(const std::string& path, std::string wanted, std::size_t block_size = usual_size);
  ~TextBlocks();

  std::optional<Block> next();  // throws Error where the file cannot be read or unpacked
  std::string_view peek();      // the text of the first block before it is taken; empty where there is none

  const std::string& name() const { return name_; }  // the path, for messages; "standard input" for "-"
  [[noreturn]] void refuse_as_empty() const;         // for a reader that has found no rows

  class Source;

 private:
  std::string name_;
  std::string wanted_;
  std::unique_ptr<Source> source_;
  std::optional<Block> held_;  // by peek()
  std::size_t taken_ = 0;
};

}  // namespace seesaw
