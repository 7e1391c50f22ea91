// Where the lines of a study are kept: in memory, and in a file that grows run by run. Runs that stand in the file are
// not run again, so a study that was stopped goes on where it was.
#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "study/record.h"

namespace seesaw {

class Journal {
 public:
  // An empty path keeps everything in memory. Of an existing file only a run that was cut off at its end is dropped;
  // throws Error where the file is something else, or another study is writing to it.
  explicit Journal(std::string path = {});
  ~Journal();  // a file that was made here and never written to is gone again
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const RunRecord* find(const std::string& key) const;  // a finished run, or null
  void add(RunRecord record);                           // by any thread
  void add_line(const std::string& line);               // of something that is no run; once
  std::vector<RunRecord> finished() const;              // all of them
  // Puts these lines into the file in place of what it has; what is not among them is kept in memory only.
  void rewrite(const std::vector<std::string>& lines);

  const std::string& path() const { return path_; }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  void open();
  void take_over(const std::vector<std::string>& lines);
  void write(const std::string& text);

  std::string path_;
  File file_{nullptr, &std::fclose};
  bool made_here_ = false, written_ = false;
  std::map<std::string, RunRecord> finished_;
  std::set<std::string> other_lines_;
  mutable std::mutex mutex_;
};

// The lines of a text file, without their ends; empty ones count. Throws Error where it cannot be read.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace seesaw
