// How data is read, the same for every command that reads it.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/readers/read.h"
#include "options.h"

namespace seesaw::app {

struct DataOptions {
  std::string path;
  std::string format = "guess";
  int index_base = 1;
  std::string label_column;
  std::string weights;
  bool float32 = false;
  int threads = 0;

  void declare(Command& command);  // DATA and everything about reading it
  void declare_threads(Command& command);
  void declare_weights(Command& command);

  // As on a command line: " --index-base 0 --float32", only what is not the default, and without DATA and --threads.
  std::string as_typed() const;

  // Reads the data, with its weights. width: what a model expects, `whose` for the message.
  Dataset read(std::optional<std::size_t> width = {}, const std::string& whose = {}) const;
  // The same, or on several ranks the rows of this one and the content hash of the whole.
  Dataset read_share(std::optional<std::uint64_t>& hash) const;

 private:
  ReadOptions reading() const;
};

// A .ssw cache or LIBSVM text, by the name. Throws Error where the format cannot hold the data or the name is of
// another one.
void write_data(const Dataset& data, const std::string& path);

// Throws Error where `output` is one of the files that are read: nothing is overwritten by mistake.
void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs);

// Throws Error where two files to be written are the same one; empty names are none.
void refuse_sharing(const std::vector<std::string>& outputs);
// Throws Error where a file cannot be written, as far as can be checked without writing to it.
void refuse_unwritable(const std::string& output);

// The stream for messages about `output`: standard error where `output` is standard output, so that they do not mix.
std::FILE* words_beside(const std::string& output);

// Limits oneTBB to --threads during its lifetime; 0: all cores. Results do not depend on it.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  int count() const { return count_; }

 private:
  int count_;
  struct Control;
  std::unique_ptr<Control> control_;
};

}  // namespace seesaw::app
