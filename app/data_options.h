// How data is read, the same for every command that reads it.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/readers/read.h"
#include "memory.h"
#include "model/linear_model.h"
#include "options.h"
#include "output_files.h"
#include "table_flags.h"

namespace seesaw::app {

struct DataOptions {
  std::string path;
  std::string format = "guess";
  int index_base = 1;
  std::string label_column, label;  // the same
  bool label_optional = false;      // rows without that column have no labels
  std::string labels, separator;
  std::string weights, targets, pairs;
  TableFlags table;
  bool float32 = false;
  int threads = 0;
  std::string memory;                                                     // as typed; empty: no limit
  std::function<std::size_t(const DataShape&)> working_memory = nullptr;  // beside the rows, in bytes

  void declare(Command& command);          // DATA and everything about reading it
  void declare_reading(Command& command);  // without DATA
  void declare_threads(Command& command);
  void declare_weights(Command& command);
  void declare_targets(Command& command);
  void declare_pairs(Command& command);
  void declare_table(Command& command) { table.declare(command); }
  void declare_memory(Command& command);

  // Every file that is read, or an empty name: no command may write to one of them.
  std::vector<std::string> files() const { return {path, weights, labels, targets, pairs}; }

  // As on a command line: " --index-base 0 --float32", only what is not the default, and without DATA and --threads.
  std::string as_typed() const;

  // Reads the data, with its weights; a table is encoded as the options say. With --memory, a cache that does not fit
  // stays on disk (data/extents.h).
  LoadedData load() const;
  Dataset read() const { return load().data; }
  // The same, or on several ranks the rows of this one and the content hash of the whole.
  LoadedData load_share(std::optional<std::uint64_t>& hash) const;
  // Whether several ranks can divide the rows: those of a file, not of a table with an encoding.
  bool can_be_shared(bool encoded) const;
  // load_for() of the rows of this rank.
  LoadedData load_share_for(const LinearModel& model, const std::string& model_path, bool predicting,
                            std::optional<std::uint64_t>& hash) const;
  // Data for a model: a table is encoded as the model's. predicting: labels may be missing, and the number of features is
  // that of the model.
  LoadedData load_for(const LinearModel& model, const std::string& model_path, bool predicting) const;
  // Data for `whose`, a model or other data: a table is encoded by `encoding`. width: rows to predict, with so many
  // features; labels may be missing.
  LoadedData load_like(const std::optional<TableEncoding>& encoding, std::optional<std::size_t> width,
                       const std::string& whose) const;

  // Text that is written to a cache while it is read: within --memory, whatever its size. False: DATA is a cache.
  bool is_text() const;
  void stream(const std::string& out) const;

 private:
  ReadOptions read_options() const;
  bool has_targets() const;                        // several numbers to predict per row
  std::vector<std::string> label_columns() const;  // of --label-column NAME,NAME; otherwise empty
  LoadedData completed(LoadedData loaded) const;   // with targets, weights, pairs
  Dataset paired(const Dataset& data) const;
  ReadOptions options_for(bool encoded, std::optional<std::size_t> width, const std::string& whose) const;
  // in_memory() reads all of it. hash: the rows are divided among the ranks, if there are several, and so is the memory.
  LoadedData within_memory(const ReadOptions& options, const std::function<LoadedData()>& in_memory,
                           std::optional<std::uint64_t>* hash = nullptr) const;
  LoadedData share_within_memory(const ReadOptions& options, std::optional<std::uint64_t>& hash) const;
};

// Of rows on disk: "memory: 38 MB for the program and its vectors of 45000 rows and 3000 features, 21 MB for the rows, ...";
// otherwise empty. memory: as given.
std::string memory_line(const Dataset& data, const std::string& memory);

// A .ssw cache or LIBSVM text, by the name. Throws Error where the format cannot hold the data or the name is of
// another one.
void write_data(const Dataset& data, const std::string& path);

// Throws Error where the data has no labels to train on.
void refuse_unlabelled(const Dataset& data);

// The files of `data` and others.
std::vector<std::string> inputs_of(const DataOptions& data, const std::vector<std::string>& others);

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
