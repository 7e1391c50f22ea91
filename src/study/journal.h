// Where the lines of a study are kept: in memory, and in a file that grows run by run. Runs that stand in the file are
// not run again, so a study that was stopped goes on where it was.
#pragma once

#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "study/record.h"

namespace seesaw {

class Journal {
 public:
  // An empty path keeps everything in memory. Finished runs of an existing file are kept and the rest of it dropped;
  // throws Error where the file is something else.
  explicit Journal(std::string path = {});
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const RunRecord* find(const std::string& key) const;  // a finished run, or null
  void add(RunRecord record);                           // by any thread
  std::vector<RunRecord> finished() const;              // all of them
  // Puts these lines into the file in place of what it has; what is not among them is kept in memory only.
  void rewrite(const std::vector<std::string>& lines);

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  std::map<std::string, RunRecord> finished_;
  mutable std::mutex mutex_;
};

// The lines of a text file, without their ends. Throws Error where it cannot be read.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace seesaw
